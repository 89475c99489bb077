/** Ranks matches (`chosen`): a smaller distance scores higher, and at equal distance a longer pattern, because short ones match by chance. */

/** Length at which an exact match scores one half. */
const halfLength = 2;

/**
 * The score of a match, 0 to 1.
 *
 * @param patternLength in code points
 * @param distance edits between the pattern and the text at the match
 *
 * @example
 * ```ts
 * scoreMatch(6, 0); // => 0.75
 * ```
 */
export function scoreMatch(patternLength: number, distance: number): number {
  const closeness = Math.max(0, 1 - distance / (patternLength + 1));
  return closeness * (patternLength / (patternLength + halfLength));
}
