/** Decodes and encodes the A-labels of a host: punycode (RFC 3492) decodes it, and the platform's URL encodes and checks. */
import { decode } from "punycode/punycode.es6.js";

/** The host of a URL (WHATWG) with its A-labels decoded; empty when it is invalid. */
export function domainToUnicode(host: string): string {
  const ascii = domainToAscii(host);
  if (ascii === "") return "";
  const labels = ascii.split(".").map(decodeLabel);
  return labels.includes(undefined) ? "" : labels.join(".");
}

/** The host of a URL (WHATWG), with A-labels; empty when it is invalid. */
export function domainToAscii(host: string): string {
  const ascii = hostOf(host, "x");
  return ascii === "x" && hostOf(host, "y") === "y" ? "" : ascii;
}

/** @param unchanged a host that the URL keeps when the assignment of the other one fails */
function hostOf(host: string, unchanged: string): string {
  const url = new URL(`ws://${unchanged}`);
  url.hostname = host;
  return url.hostname;
}

/** Undefined when a label is invalid. Not every browser checks A-labels: one whose letters a URL would change is invalid. */
function decodeLabel(label: string): string | undefined {
  try {
    const decoded = toUnicode(label);
    return /^[ -~]*$/.test(decoded) || toUnicode(domainToAscii(decoded)) === decoded ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** A delimiter after no letters may be left out, as for Node.js. @throws {RangeError} when the label is not Punycode */
function toUnicode(label: string): string {
  return label.startsWith("xn--") ? decode(label.slice(4).replace(/^-(?=[^-]*$)/, "")) : label;
}
