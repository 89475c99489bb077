/** What was probably meant by a mistyped word. */
import levenshtein from "fast-levenshtein";

/** Edits up to which a word still counts as a slip. */
const maxEdits = 3;

/** The nearest of the words, or undefined when none is near. */
export function suggest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, edits: levenshtein.get(typed, word) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.min(maxEdits, Math.ceil(typed.length / 2)) ? best.word : undefined;
}
