/**
 * The prefilter of stored pictures: of pictures that are ranked together, a share is searched densely. A cosine says
 * little by itself, since some templates are similar to many pictures; it counts by how much it exceeds those of
 * the same template.
 */

import { countBits } from "../../core/count-bits.ts";
import { maxAlikeBits, rankedQuantile, searchedShare } from "./tuning.ts";

/** The best cosines of all templates of a logo in one picture. */
export type PictureScores = Float32Array;

/** The numbers of pictures, the most similar first; of equal ones the first. */
export function rankPictures(pictures: readonly PictureScores[]): number[] {
  const standing = new Float64Array(pictures.length).fill(Number.NEGATIVE_INFINITY);
  for (let t = 0; t < (pictures[0]?.length ?? 0); t++) {
    const values = Float64Array.from(pictures, (scores) => scores[t] ?? 0);
    const sorted = values.toSorted();
    const median = sorted[sorted.length >> 1] ?? 0;
    const high = sorted[Math.floor(sorted.length * rankedQuantile)] ?? 0;
    const unit = Math.max(minUnit, high - median);
    for (const [i, value] of values.entries())
      standing[i] = Math.max(standing[i] ?? 0, (value - median) / unit);
  }
  return [...pictures.keys()].sort((a, b) => (standing[b] ?? 0) - (standing[a] ?? 0) || a - b);
}

/** Least difference that counts as standing out. */
const minUnit = 0.01;

/** The number of pictures of the first round, of so many. */
export function firstRound(count: number): number {
  return Math.ceil(count * searchedShare);
}

/**
 * The rounds in which ranked pictures are searched: a tenth of them, then those that look like one that has the logo.
 * While at least half of the pictures of both have it, the next tenth follows. So few are searched unless many have it.
 *
 * Yields the numbers of the pictures of a round, and receives those that have the logo.
 *
 * @param isAlike whether two pictures look the same, such as states of one page
 */
export function* searchRounds(
  ranked: readonly number[],
  isAlike: (a: number, b: number) => boolean,
): Generator<readonly number[], void, readonly number[]> {
  const size = firstRound(ranked.length);
  let rest = ranked;
  while (rest.length > 0) {
    const round = rest.slice(0, size);
    const found = yield round;
    const others = rest.slice(size);
    const alike = others.filter((i) => found.some((other) => isAlike(i, other)));
    const also = alike.length > 0 ? yield alike : [];
    rest = others.filter((i) => !alike.includes(i));
    if (2 * (found.length + also.length) < round.length + alike.length) return;
  }
}

/** Whether two pictures look the same, by the number of different bits of their block hashes. */
export function isAlike(a: string, b: string): boolean {
  let bits = 0;
  for (let i = 0; i < a.length && bits <= maxAlikeBits; i += 8) {
    const words = [a, b].map((hash) => Number.parseInt(hash.slice(i, i + 8), 16));
    bits += countBits((words[0] ?? 0) ^ (words[1] ?? 0));
  }
  return bits <= maxAlikeBits;
}
