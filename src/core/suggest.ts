/** Suggestions for mistyped names. */
import levenshtein from "fast-levenshtein";

/** Maximum edit distance of a suggestion. */
const maxEdits = 3;

/** The word with the smallest edit distance, or undefined when every distance exceeds the maximum. */
function suggest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, edits: levenshtein.get(typed, word) }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best && best.edits <= Math.min(maxEdits, Math.ceil(typed.length / 2)) ? best.word : undefined;
}

/** A suggestion as the end of a message, `; did you mean \`check\`?`, or an empty string. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const word = suggest(typed, words);
  return word === undefined ? "" : `; did you mean \`${word}\`?`;
}
