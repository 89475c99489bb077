/**
 * Wildcard patterns: `*` matches any characters, `\*` and `\\` are literal (`observed`).
 *
 * A pattern is split at its stars; the pieces are searched one after the other, leftmost first, so that matching never
 * backtracks.
 */

import { createFinder, type SubstringFinder } from "./substring.ts";

/** The reason why a string is not a wildcard pattern; undefined for a pattern. */
export function wildcardProblem(pattern: string): string | undefined {
  for (let at = 0; at < pattern.length; at++) {
    const next = pattern[at + 1];
    if (pattern[at] === "*" && next === "*") return "a wildcard pattern must not have two `*` in a row";
    if (pattern[at] !== "\\") continue;
    if (next !== "*" && next !== "\\")
      return "in a wildcard pattern a backslash must be followed by `*` or `\\`";
    at++;
  }
  return undefined;
}

/**
 * Compiles a pattern to a test of a whole string. Without `strict` the letters A to Z match without case.
 *
 * @example
 * ```ts
 * const test = compileWildcard("/api/*", false);
 * test("/API/users"); // => true
 * ```
 */
export function compileWildcard(pattern: string, strict: boolean): (text: string) => boolean {
  const fold = strict ? (text: string) => text : foldCase;
  const pieces = splitPattern(fold(pattern));
  const [first = "", ...rest] = pieces;
  const last = rest.at(-1);
  if (last === undefined) return (text) => fold(text) === first;
  const middle = rest.slice(0, -1).map((piece) => ({ find: createFinder(piece), length: piece.length }));
  return (text) => matchPieces(fold(text), first, middle, last);
}

/** A piece between two stars. */
interface MiddlePiece {
  readonly find: SubstringFinder;
  readonly length: number;
}

function matchPieces(text: string, first: string, middle: readonly MiddlePiece[], last: string): boolean {
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of middle) {
    const found = piece.find(text, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/** The literal pieces between the stars, at least one, without escapes. */
export function splitPattern(pattern: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "*") {
      pieces.push(piece);
      piece = "";
    } else piece += pattern[pattern[at] === "\\" ? ++at : at];
  }
  return [...pieces, piece];
}

const upperCase = /[A-Z]+/g;

/** Lower-cases only ASCII letters, as the provider's engine does: the length never changes. */
function foldCase(text: string): string {
  return text.replace(upperCase, (letters) => letters.toLowerCase());
}
