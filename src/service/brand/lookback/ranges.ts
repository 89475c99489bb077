/** Ranges of positions: what of a lookback is still to be searched, and the pieces in which it is searched. */
import type { LookbackRecord, PositionRange } from "../../../store/records/brand.ts";

/** Pictures of a piece that is searched densely, and positions of any other one, which is a segment. */
export const pieceSizes = { dense: 10, segment: 4_096 } as const;

/** The positions that a lookback searches, and those it has searched. */
export type SearchedPositions = Pick<LookbackRecord, "before" | "dense_from" | "done">;

/** The position where the dense search begins when there is none. */
const noDense = Number.MAX_SAFE_INTEGER;

/** Adds a range to ascending ones with gaps between. */
export function addRange(ranges: readonly PositionRange[], [from, to]: PositionRange): PositionRange[] {
  const apart = ranges.filter(([start, end]) => end < from || start > to);
  const touching = ranges.filter(([start, end]) => end >= from && start <= to);
  const joined: PositionRange = [
    Math.min(from, ...touching.map(([start]) => start)),
    Math.max(to, ...touching.map(([, end]) => end)),
  ];
  return [...apart, joined].sort(([a], [b]) => a - b);
}

/** The parts of a range that are in none of the others, ascending. */
export function gapsIn([from, to]: PositionRange, ranges: readonly PositionRange[]): PositionRange[] {
  const gaps: PositionRange[] = [];
  let next = from;
  for (const [start, end] of ranges) {
    if (start >= to) break;
    if (end <= next) continue;
    if (start > next) gaps.push([next, start]);
    next = end;
  }
  if (next < to) gaps.push([next, to]);
  return gaps;
}

/**
 * The pieces of a range that are still to be searched, the newest records first. A piece is searched densely as a whole,
 * or not at all. All processes cut at the same positions, so that two of them search the same piece or different ones.
 *
 * @param range by default all positions of the lookback
 */
export function* pendingPieces(
  { before, dense_from = noDense, done = [] }: SearchedPositions,
  [from, to]: PositionRange = [1, before],
): Generator<PositionRange> {
  for (const [start, end] of gapsIn([Math.max(1, from), Math.min(to, before)], done).reverse()) {
    for (let top = end; top > start; ) {
      const cut = top > dense_from ? Math.max(dense_from, denseCut(before, top)) : segmentCut(top);
      yield [Math.max(start, cut), top];
      top = Math.max(start, cut);
    }
  }
}

/** The highest boundary below a position: every tenth one, counted from the end. */
function denseCut(before: number, top: number): number {
  return before - (Math.floor((before - top) / pieceSizes.dense) + 1) * pieceSizes.dense;
}

function segmentCut(top: number): number {
  return (Math.ceil(top / pieceSizes.segment) - 1) * pieceSizes.segment;
}

/** Maximum number of pieces of one range for a queue. */
const piecesOfRange = { dense: 5, segment: 4 } as const;

/** Joins pieces that follow each other to ranges that take a worker some seconds. */
export function* joinedPieces(
  pieces: Iterable<PositionRange>,
  { dense_from = noDense }: SearchedPositions,
): Generator<PositionRange> {
  let range: PositionRange | undefined;
  let count = 0;
  for (const [from, to] of pieces) {
    const max = from >= dense_from ? piecesOfRange.dense : piecesOfRange.segment;
    const isNext = range?.[0] === to && from >= dense_from === range[0] >= dense_from;
    if (range && isNext && count < max) {
      range = [from, range[1]];
      count++;
      continue;
    }
    if (range) yield range;
    range = [from, to];
    count = 1;
  }
  if (range) yield range;
}

/** The number of the segment that a piece fills; undefined when it is only a part of one. Segment 0 begins at position 1. */
export function segmentOf([from, to]: PositionRange): { readonly number: number; readonly isWhole: boolean } {
  const number = Math.floor(from / pieceSizes.segment);
  const start = Math.max(1, number * pieceSizes.segment);
  return { number, isWhole: from === start && to === (number + 1) * pieceSizes.segment };
}
