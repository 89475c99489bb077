/** Suggestions for mistyped commands, options and values. */
import levenshtein from "fast-levenshtein";

/** Maximum edit distance of a suggestion. */
const maxEdits = 3;

/** The word with the smallest edit distance, or undefined when every distance exceeds the maximum. */
export function suggest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, edits: levenshtein.get(typed, word) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.min(maxEdits, Math.ceil(typed.length / 2)) ? best.word : undefined;
}
