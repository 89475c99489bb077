/**
 * The quoted patterns of `matches`: only `\"` loses its backslash, every other one reaches the regular expression, and
 * within `[...]` a quotation mark is plain (`observed`). The end of the literal is found before its pattern is read, so a
 * class ends here at its first `]`, also where the pattern has it as a character.
 */

import { type ReadString, unclosedString } from "../literal.ts";
import type { Span } from "../syntax-error.ts";
import { toBytes } from "../values/bytes.ts";

/** A pattern, with the offsets of the backslashes that are not of it. */
interface ReadPattern extends ReadString {
  readonly removed: readonly number[];
}

/** Reads the quoted pattern that starts at an offset. @throws {ExpressionSyntaxError} when it is not closed */
export function readPattern(text: string, start: number): ReadPattern {
  const removed: number[] = [];
  let pattern = "";
  let isInClass = false;
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"' && !isInClass)
      return { value: toBytes(pattern + text.slice(from, at)), end: at + 1, removed };
    if (character === "[") isInClass = true;
    else if (character === "]") isInClass = false;
    else if (character === "\\") {
      if (text[at + 1] === '"' && !isInClass) {
        pattern += text.slice(from, at);
        from = at + 1;
        removed.push(at);
      }
      at++;
    }
  }
  throw unclosedString(text, start, isInClass ? '`]` and `"`' : '`"`');
}

/** The place of a part of a pattern in the text that has it as a literal. */
export function placeInLiteral(text: string, { start }: Span, part: Span): Span {
  const isRaw = text[start] === "r";
  const first = text.indexOf('"', start) + 1;
  const removed = isRaw ? [] : readPattern(text, start).removed;
  const place = (offset: number) =>
    removed.reduce((at, backslash) => at + Number(backslash <= at), first + offset);
  return { start: place(part.start), end: place(part.end) };
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
