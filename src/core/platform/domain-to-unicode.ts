/** Decodes the A-labels of a host, by Node.js. `domain-to-unicode.browser.ts` has the same function. */
import { domainToUnicode as convert } from "node:url";

/** The host of a URL (WHATWG) with its A-labels decoded; empty when it is invalid. Deno marks what is invalid by U+FFFD. */
export function domainToUnicode(host: string): string {
  const text = convert(host);
  return text.includes("\uFFFD") ? "" : text;
}
