/** The arithmetic of ranges, compared with sets of positions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addRange,
  gapsIn,
  joinedPieces,
  pendingPieces,
  pieceAt,
} from "../../../../src/service/brand/lookback/ranges.ts";
import type { PositionRange } from "../../../../src/store/records/brand.ts";
import { runs } from "../../../support/runs.ts";

/** Positions of a piece. */
const size = 64;
/** Positions of some pieces; boundaries and their neighbors often. */
const position = fc.oneof(
  fc.integer({ min: 1, max: 3 * size }),
  fc.tuple(fc.nat(3), fc.integer({ min: -2, max: 2 })).map(([n, off]) => Math.max(1, n * size + off)),
);
const range: fc.Arbitrary<PositionRange> = fc
  .tuple(position, position)
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1]);
const ranges = fc
  .array(range, { maxLength: 6 })
  .map((all) => all.reduce<PositionRange[]>((sum, each) => addRange(sum, each), []));
const lookback = fc.record({ before: position, piece: fc.constant(size), done: ranges });

function positionsOf(all: Iterable<PositionRange>): number[] {
  return [...all].flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));
}
const ascending = (positions: Iterable<number>) => [...positions].sort((a, b) => a - b);

test("added ranges hold the positions of all, ascending and with gaps between", () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 6 }), (all) => {
      const joined = all.reduce<PositionRange[]>((sum, each) => addRange(sum, each), []);
      expect(positionsOf(joined)).toEqual(ascending(new Set(positionsOf(all))));
      for (const [i, [from]] of joined.entries()) if (i > 0) expect(from).toBeGreaterThan(joined[i - 1]![1]);
    }),
    { numRuns: runs(30) },
  );
});

test("gaps hold the positions of a range that no other range has", () => {
  fc.assert(
    fc.property(range, ranges, (whole, taken) => {
      const without = new Set(positionsOf(taken));
      expect(positionsOf(gapsIn(whole, taken))).toEqual(positionsOf([whole]).filter((p) => !without.has(p)));
    }),
    { numRuns: runs(30) },
  );
});

test("pieces hold each pending position of a range once, the newest first, each within a whole piece", () => {
  fc.assert(
    fc.property(lookback, range, (record, within) => {
      const pieces = [...pendingPieces(record, within)];
      const wanted = gapsIn(
        [within[0], Math.max(within[0], Math.min(within[1], record.before))],
        record.done,
      );
      expect(positionsOf(pieces.toReversed())).toEqual(positionsOf(wanted));
      for (const [from, to] of pieces) {
        const [start, end] = pieceAt(record, from);
        expect(pieceAt(record, to - 1)).toEqual([start, end]);
        expect(from >= start && to <= end).toBe(true);
      }
    }),
    { numRuns: runs(30) },
  );
});

test("whole pieces are all positions, with the size of a piece or, the newest, less than twice that", () => {
  fc.assert(
    fc.property(position, (before) => {
      const all = [...pendingPieces({ before, piece: size })].toReversed();
      expect(positionsOf(all)).toEqual(Array.from({ length: before - 1 }, (_, i) => i + 1));
      for (const [i, [from, to]] of all.entries()) {
        const width = to - from + (from === 1 ? 1 : 0);
        if (i < all.length - 1) expect(width).toBe(size);
        else expect(width < 2 * size && (width >= size || before <= size)).toBe(true);
      }
    }),
    { numRuns: runs(30) },
  );
});

test("whatever pieces were searched before, the others are pieces of the whole lookback", () => {
  fc.assert(
    fc.property(lookback, fc.infiniteStream(fc.boolean()), ({ before, piece }, isDone) => {
      const all = [...pendingPieces({ before, piece })];
      const searched = all.filter(() => isDone.next().value);
      const done = searched.reduce<PositionRange[]>((sum, each) => addRange(sum, each), []);
      expect([...pendingPieces({ before, piece, done })]).toEqual(
        all.filter((each) => !searched.includes(each)),
      );
    }),
    { numRuns: runs(30) },
  );
});

test("joined pieces have the same positions in few ranges", () => {
  fc.assert(
    fc.property(lookback, (record) => {
      const pieces = [...pendingPieces(record)];
      const joined = [...joinedPieces(pieces)];
      expect(positionsOf(joined.toReversed())).toEqual(positionsOf(pieces.toReversed()));
    }),
    { numRuns: runs(30) },
  );
  const joined = [...joinedPieces(pendingPieces({ before: 601, piece: size }))];
  expect(joined.map(([from, to]) => to - from)).toEqual([281, 256, 63]);
});
