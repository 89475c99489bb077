/**
 * Wildcard patterns: `*` stands for any characters, `\*` and `\\` for themselves (`observed`).
 *
 * A pattern is cut at its stars; the pieces between are found one after the other, leftmost first, so that no
 * input makes it try again what it has tried.
 */

/** Why a text is no wildcard pattern; undefined when it is one. */
export function wildcardProblem(pattern: string): string | undefined {
  for (let at = 0; at < pattern.length; at++) {
    const next = pattern[at + 1];
    if (pattern[at] === "*" && next === "*") return "a wildcard pattern has no two `*` in a row";
    if (pattern[at] !== "\\") continue;
    if (next !== "*" && next !== "\\")
      return "in a wildcard pattern a backslash stands only before `*` or `\\`";
    at++;
  }
  return undefined;
}

/**
 * Compiles a pattern to a test of a whole text. Without `strict` the letters A to Z match without case.
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
  const first = pieces[0] as string;
  if (pieces.length === 1) return (text) => fold(text) === first;
  const last = pieces[pieces.length - 1] as string;
  const middle = pieces.slice(1, -1);
  return (text) => matchPieces(fold(text), first, middle, last);
}

function matchPieces(text: string, first: string, middle: readonly string[], last: string): boolean {
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of middle) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/** The literal pieces between the stars, at least one; escapes undone. */
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

/** Only ASCII letters, as the provider's engine does: never a change of length. */
function foldCase(text: string): string {
  return text.replace(upperCase, (letters) => letters.toLowerCase());
}
