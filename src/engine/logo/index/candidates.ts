/**
 * The search of prefilter data: which pictures are worth a full comparison with a target. It finds every picture whose
 * comparison may score above 0, by prefilter hashes and aspects of views, and by coarse thumbnails.
 */

import type { LogoDescriptor } from "../descriptor.ts";
import { coarseLimit, coarseThumbnail, coarseThumbnailBytes } from "../features/copies.ts";
import { maxAspectOctaves, maxPrefilterDistance } from "../tuning.ts";
import type { HashTable } from "./hamming.ts";

/** The prefilter data of many pictures, by the number of the picture. Each view has a row; those of a picture follow each other. */
export interface PrefilterColumns {
  /** Number of pictures. */
  readonly count: number;
  /** The hash of each row. */
  readonly hashes: Pick<HashTable, "scan">;
  /** The `coarseAspect` of a row. */
  readonly aspectAt: (row: number) => number;
  /** The first row of a picture; without views that of the next one. */
  readonly firstRowOf: (picture: number) => number;
  /** The pictures without a foreground. */
  readonly solids: Iterable<number>;
  /** The coarse thumbnails, one after the other; there may be more bytes after them. */
  readonly thumbnails: ArrayLike<number>;
}

/** An aspect is stored in one byte, in this many units an octave; the limit allows for the rounding. */
export const aspectUnits = 15;
const maxAspectUnits = maxAspectOctaves * aspectUnits + 1;

/** The aspect of a view, given in octaves, in such units. */
export function coarseAspect(octaves: number): number {
  return Math.max(-127, Math.min(127, Math.round(octaves * aspectUnits)));
}

/** The numbers of the pictures whose comparison with a target may score above 0. */
export function findCandidates(
  { count, hashes, aspectAt, firstRowOf, solids, thumbnails }: PrefilterColumns,
  { views, solid, thumbnail }: LogoDescriptor,
): Set<number> {
  const found = new Set(solid ? solids : []);
  const targetAspects = Int8Array.from(views, ({ aspect }) => coarseAspect(aspect));
  const queries = views.map(({ prefilterHash }) => prefilterHash);
  hashes.scan(queries, maxPrefilterDistance, (row, query) => {
    if (Math.abs(aspectAt(row) - (targetAspects[query] ?? 0)) > maxAspectUnits) return;
    found.add(lastAtOrBelow(row, firstRowOf, count));
  });
  addPossibleCopies(found, thumbnails, count, thumbnail);
  return found;
}

/** The last of `count` ascending values that is at most a row, by bisection. Entries without views repeat a value. */
function lastAtOrBelow(row: number, valueAt: (i: number) => number, count: number): number {
  let first = 0;
  let last = count - 1;
  while (first < last) {
    const middle = (first + last + 1) >> 1;
    if (valueAt(middle) <= row) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** Adds the numbers of the entries whose coarse thumbnails allow that they are copies of a picture. */
function addPossibleCopies(
  found: Set<number>,
  thumbnails: ArrayLike<number>,
  count: number,
  thumbnail: Uint8Array,
): void {
  const target = coarseThumbnail(thumbnail);
  const limit = coarseLimit(thumbnail);
  if (limit === undefined) return;
  for (let number = 0, at = 0; number < count; number++, at += coarseThumbnailBytes) {
    if (isWithin(thumbnails, at, target, limit)) found.add(number);
  }
}

/** Whether the squared differences between the coarse thumbnail at an offset and a target add up to at most a limit. */
function isWithin(thumbnails: ArrayLike<number>, at: number, target: Uint8Array, limit: number): boolean {
  let sum = 0;
  for (let i = 0; i < coarseThumbnailBytes && sum <= limit; i++) {
    const difference = (thumbnails[at + i] ?? 0) - (target[i] ?? 0);
    sum += difference * difference;
  }
  return sum <= limit;
}
