/** The name in a string that was pasted as a pattern: a URL, `www.`, a wildcard, a name with a trade mark (`chosen`). */
import { hostPartOf } from "./host-part.ts";

const marks = /[\u00ae\u2122\u2120\u00a9\u2117]/g;
const www = /^www\.(?=.*\.)/i;

/** A pattern as a host name can have it; the pattern itself when nothing is left of it. */
export function patternPartOf(given: string): string {
  const part = hostPartOf(given.replace(marks, "").trim()).replace(www, "");
  return part === "" || part.trim() === given.trim() ? given : part;
}
