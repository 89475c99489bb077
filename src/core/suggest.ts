/** Suggestions for mistyped names, and the rejection of names of options that do not exist. */
import levenshtein from "fast-levenshtein";

/** Maximum edit distance of a suggestion. */
const maxEdits = 3;

/** The edit distance of two strings, with a cost that is quadratic in their length. */
export function editsBetween(one: string, other: string): number {
  return levenshtein.get(one, other);
}

/** The word with the smallest edit distance, of several one with the same first character, or undefined when every distance exceeds the maximum. */
function suggest(typed: string, words: readonly string[]): string | undefined {
  const startsLike = (word: string) => Number(word[0] === typed[0]);
  const ranked = words
    .map((word) => ({ word, edits: editsBetween(typed, word) }))
    .sort((a, b) => a.edits - b.edits || startsLike(b.word) - startsLike(a.word));
  const [best] = ranked;
  return best && best.edits <= Math.min(maxEdits, Math.ceil(typed.length / 2)) ? best.word : undefined;
}

/** A suggestion as the end of a message, `; did you mean \`check\`?`, or an empty string. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const word = suggest(typed, words);
  return word === undefined ? "" : `; did you mean \`${word}\`?`;
}

/**
 * Checks the names of options; members that are `undefined` are ignored.
 *
 * @param owner the function or option that has them, such as "compileZone"
 * @throws {TypeError} for a name that is not known, with the nearest one that is; and when the options are not an object
 */
export function rejectUnknownNames(owner: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`The options of ${owner} must be an object; found \`${String(options)}\`.`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const suggestion = didYouMean(name, known) || `; the options are ${known.join(", ")}.`;
    throw new TypeError(`\`${name}\` is not an option of ${owner}${suggestion}`);
  }
}
