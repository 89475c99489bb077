/** Ranks matches (`chosen`): nearer is higher, and at the same distance a longer pattern is higher, because chance finds short ones. */

/** Length at which an exact match scores one half. */
const halfLength = 2;

/**
 * Score of a match, 0 to 1, from the pattern's length in code points and the distance.
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
