/** Decodes the A-labels of a host: punycode (RFC 3492) decodes it, and the platform's URL checks the result. */
import { decode } from "punycode/punycode.es6.js";

/** A host that a URL has when the assignment of another one failed. */
const unchanged = "x";

/** The host of a URL (WHATWG) with its A-labels decoded; empty when it is invalid. */
export function domainToUnicode(host: string): string {
  const ascii = hostOf(host);
  if (ascii === unchanged && host !== unchanged) return "";
  const labels = ascii.split(".").map(decodeLabel);
  return labels.includes(undefined) ? "" : labels.join(".");
}

function hostOf(host: string): string {
  const url = new URL(`ws://${unchanged}`);
  url.hostname = host;
  return url.hostname;
}

/** Undefined when a label is invalid. Not every browser checks A-labels: one whose letters a URL would change is invalid. */
function decodeLabel(label: string): string | undefined {
  try {
    const decoded = toUnicode(label);
    return /^[ -~]*$/.test(decoded) || toUnicode(hostOf(decoded)) === decoded ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** A delimiter after no letters may be left out, as for Node.js. @throws {RangeError} when the label is not Punycode */
function toUnicode(label: string): string {
  return label.startsWith("xn--") ? decode(label.slice(4).replace(/^-(?=[^-]*$)/, "")) : label;
}
