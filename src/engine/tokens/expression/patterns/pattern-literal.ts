/**
 * The quoted patterns of `matches`: only `\"` loses its backslash, every other one reaches the regular expression, and
 * within `[...]` a quotation mark is plain (`observed`).
 */

import { type Encode, type ReadString, unclosedString } from "../literal.ts";

/** Reads the quoted pattern that starts at an offset. @throws {ExpressionSyntaxError} when it is not closed */
export function readPattern(text: string, start: number, encode: Encode = (part) => part): ReadString {
  let pattern = "";
  let isInClass = false;
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"' && !isInClass)
      return { value: encode(pattern + text.slice(from, at)), end: at + 1 };
    if (character === "[") isInClass = true;
    else if (character === "]") isInClass = false;
    else if (character === "\\") {
      if (text[at + 1] === '"' && !isInClass) {
        pattern += text.slice(from, at);
        from = at + 1;
      }
      at++;
    }
  }
  throw unclosedString(text, start, isInClass ? '`]` and `"`' : '`"`');
}

/**
 * Prints a pattern as a literal; the inverse of reading it. A pattern without a quoted form, such as one with `\"`
 * outside of a class, is printed raw.
 */
export function printPattern(pattern: string): string {
  return printQuoted(pattern) ?? printRaw(pattern);
}

function printQuoted(pattern: string): string | undefined {
  let isInClass = false;
  let printed = "";
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === "[") isInClass = true;
    else if (character === "]") isInClass = false;
    if (character === "\\") {
      const escaped = pattern[at + 1];
      if (escaped === undefined || (escaped === '"' && !isInClass)) return undefined;
      printed += character + escaped;
      at++;
    } else printed += character === '"' && !isInClass ? '\\"' : character;
  }
  return isInClass ? undefined : `"${printed}"`;
}

/** Prints a pattern as a raw string. */
export function printRaw(pattern: string): string {
  let hashes = "";
  while (pattern.includes(`"${hashes}`)) hashes += "#";
  return `r${hashes}"${pattern}"${hashes}`;
}
