/** Suggestions for mistyped names. */
import levenshtein from "fast-levenshtein";

/** Maximum edit distance of a suggestion. */
const maxEdits = 3;

/** The number of letters from which several edits leave a word recognizable. `chosen` */
const minLetters = 6;

/**
 * The candidates within so many edits of a text, nearest first, and of several as near in their order. An edit is of one code point
 * (Levenshtein distance).
 *
 * The cost is quadratic in the length of the text and of each candidate whose length is within the edits.
 */
export function nearest<T>(
  text: string,
  candidates: readonly T[],
  edits: number,
  textOf: (candidate: T) => string = String,
): readonly T[] {
  const units = new Map<string, string>();
  const typed = inUnits(text, units);
  const ranked = candidates.flatMap((candidate) => {
    const other = inUnits(textOf(candidate), units);
    if (Math.abs(other.length - typed.length) > edits) return [];
    const distance = levenshtein.get(typed, other);
    return distance <= edits ? [{ candidate, distance }] : [];
  });
  return ranked.sort((a, b) => a.distance - b.distance).map(({ candidate }) => candidate);
}

/** Whether a text becomes the other one when two neighbors, which differ, are swapped. */
function isSwapped(text: string, other: string): boolean {
  if (text.length !== other.length || text === other) return false;
  const [units, others] = [Array.from(text), Array.from(other)];
  const at = units.findIndex((unit, i) => unit !== others[i]);
  const swapped = [...units.slice(0, at), units[at + 1], units[at], ...units.slice(at + 2)];
  return swapped.join("") === other;
}

/** A text with one UTF-16 unit for each code point, because the package counts units. */
function inUnits(text: string, units: Map<string, string>): string {
  return Array.from(text, (letter) => {
    const unit = units.get(letter) ?? String.fromCharCode(units.size);
    units.set(letter, unit);
    return unit;
  }).join("");
}

/**
 * The maximum edit distance of a suggestion for a text: 3, and 1 for words of less than 6 letters without the dashes of an
 * option, of which more edits make any other word.
 */
function suggestedEdits(text: string): number {
  const letters = Array.from(text.replace(/^-+/, "")).length;
  return letters < minLetters ? Math.min(1, letters) : maxEdits;
}

/** The words that a text may be a mistyped one of, best first: two neighbors are swapped, or a few letters are others. */
export function similarWords(text: string, words: readonly string[]): readonly string[] {
  const swapped = words.filter((word) => isSwapped(text, word));
  return [...new Set([...swapped, ...nearest(text, words, suggestedEdits(text))])];
}

/** A suggestion as the end of a message, `; did you mean \`check\`?`, or an empty string. */
export function didYouMean(typed: string, words: readonly string[]): string {
  // Of several as near, one with the same first letter.
  const [first] = typed;
  const startsLike = ([letter]: string) => Number(letter === first);
  const ordered = words.toSorted((a, b) => startsLike(b) - startsLike(a));
  const [word] = similarWords(typed, ordered);
  return word === undefined ? "" : `; did you mean \`${word}\`?`;
}
