/** Suggestions for mistyped names. */
import levenshtein from "fast-levenshtein";

/** Maximum edit distance of a suggestion. */
const maxEdits = 3;

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

/** A text with one UTF-16 unit for each code point, because the package counts units. */
function inUnits(text: string, units: Map<string, string>): string {
  return Array.from(text, (letter) => {
    const unit = units.get(letter) ?? String.fromCharCode(units.size);
    units.set(letter, unit);
    return unit;
  }).join("");
}

/** The maximum edit distance of a suggestion for a text: half of its letters, and at most 3. */
export function suggestedEdits(text: string): number {
  return Math.min(maxEdits, Math.ceil(Array.from(text).length / 2));
}

/** A suggestion as the end of a message, `; did you mean \`check\`?`, or an empty string. */
export function didYouMean(typed: string, words: readonly string[]): string {
  // Of several as near, one with the same first letter.
  const [first] = typed;
  const startsLike = ([letter]: string) => Number(letter === first);
  const ordered = words.toSorted((a, b) => startsLike(b) - startsLike(a));
  const [word] = nearest(typed, ordered, suggestedEdits(typed));
  return word === undefined ? "" : `; did you mean \`${word}\`?`;
}
