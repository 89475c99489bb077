/** Decodes the A-labels of a host: the platform's URL checks it, and punycode (RFC 3492) decodes it. */
import { decode } from "punycode/punycode.es6.js";

/** A host that a URL has when the assignment of another one failed. */
const unchanged = "x";

/** The host of a URL (WHATWG) with its A-labels decoded; empty when it is invalid. */
export function domainToUnicode(host: string): string {
  const url = new URL(`ws://${unchanged}`);
  url.hostname = host;
  if (url.hostname === unchanged && host !== unchanged) return "";
  return url.hostname.split(".").map(decodeLabel).join(".");
}

function decodeLabel(label: string): string {
  return label.startsWith("xn--") ? decode(label.slice(4)) : label;
}
