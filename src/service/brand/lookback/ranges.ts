/** Ranges of positions: what of a lookback is still to be searched, and the pieces in which it is searched. */
import type { LookbackRecord, PositionRange } from "../../../store/records/brand.ts";

/** Positions of a piece of names, and of a piece of pictures that was stored by an earlier version. */
export const pieceSizes = { names: 4_096, pictures: 100 } as const;

/** The positions that a lookback searches, and those it has searched. */
export type SearchedPositions = Pick<LookbackRecord, "before" | "piece" | "done">;

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
 * The pieces of a range that are still to be searched, the newest records first. All processes cut at the same positions,
 * so that two of them search the same piece or different ones.
 *
 * @param range by default all positions of the lookback
 */
export function* pendingPieces(
  { done = [], ...positions }: SearchedPositions,
  [from, to]: PositionRange = [1, positions.before],
): Generator<PositionRange> {
  for (const [start, end] of gapsIn([Math.max(1, from), Math.min(to, positions.before)], done).reverse()) {
    for (let top = end; top > start; ) {
      const [cut] = pieceAt(positions, top - 1);
      yield [Math.max(start, cut), top];
      top = Math.max(start, cut);
    }
  }
}

/** The whole piece of a position: pieces begin at multiples of their size, and the newest one has also what remains. */
export function pieceAt(
  { before, piece = pieceSizes.names }: Omit<SearchedPositions, "done">,
  position: number,
): PositionRange {
  const last = Math.max(0, Math.floor(before / piece) - 1) * piece;
  if (position >= last) return [Math.max(1, last), before];
  const from = Math.floor(position / piece) * piece;
  return [Math.max(1, from), from + piece];
}

/** Maximum number of pieces of one range for a queue. */
const piecesOfRange = 4;

/** Joins pieces that follow each other to ranges that take a worker some seconds. */
export function* joinedPieces(pieces: Iterable<PositionRange>): Generator<PositionRange> {
  let range: PositionRange | undefined;
  let count = 0;
  for (const [from, to] of pieces) {
    if (range?.[0] === to && count < piecesOfRange) {
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
