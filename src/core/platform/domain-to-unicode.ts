/** Decodes and encodes the A-labels of a host, by Node.js. `domain-to-unicode.browser.ts` has the same functions. */
import { domainToUnicode as convert, domainToASCII } from "node:url";

/** The host of a URL (WHATWG) with its A-labels decoded; empty when it is invalid. Deno marks what is invalid by U+FFFD. */
export function domainToUnicode(host: string): string {
  const text = convert(host);
  return text.includes("\uFFFD") ? "" : text;
}

/** The host of a URL (WHATWG), with A-labels; empty when it is invalid. */
export function domainToAscii(host: string): string {
  return domainToASCII(host);
}
