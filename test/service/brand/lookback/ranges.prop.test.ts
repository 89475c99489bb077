/** The arithmetic of ranges, compared with sets of positions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addRange,
  gapsIn,
  joinedPieces,
  pendingPieces,
  pieceSizes,
  segmentOf,
} from "../../../../src/service/brand/lookback/ranges.ts";
import type { PositionRange } from "../../../../src/store/records/brand.ts";
import { runs } from "../../../support/runs.ts";

/** Positions of some segments; boundaries and their neighbors often. */
const position = fc.oneof(
  fc.integer({ min: 1, max: 3 * pieceSizes.segment }),
  fc
    .tuple(fc.nat(3), fc.integer({ min: -2, max: 2 }))
    .map(([n, off]) => Math.max(1, n * pieceSizes.segment + off)),
);
const range: fc.Arbitrary<PositionRange> = fc
  .tuple(position, position)
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1]);
const ranges = fc
  .array(range, { maxLength: 6 })
  .map((all) => all.reduce<PositionRange[]>((sum, each) => addRange(sum, each), []));
const lookback = fc.record({
  before: position,
  dense_from: fc.oneof(position, fc.constant(Number.MAX_SAFE_INTEGER)),
  done: ranges,
});

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

test("pieces hold each pending position of a range once, the newest first, and are bounded", () => {
  fc.assert(
    fc.property(lookback, range, ({ before, dense_from, done }, within) => {
      const pieces = [...pendingPieces({ before, dense_from, done }, within)];
      const wanted = gapsIn([within[0], Math.max(within[0], Math.min(within[1], before))], done);
      expect(positionsOf(pieces.toReversed())).toEqual(positionsOf(wanted));
      for (const piece of pieces) {
        const isDense = piece[0] >= dense_from;
        expect(isDense || piece[1] <= dense_from).toBe(true);
        expect(piece[1] - piece[0]).toBeLessThanOrEqual(isDense ? pieceSizes.dense : pieceSizes.segment);
        if (!isDense) expect(segmentOf(piece).number).toBe(Math.floor((piece[1] - 1) / pieceSizes.segment));
      }
    }),
    { numRuns: runs(30) },
  );
});

test("whatever pieces were searched before, the others are pieces of the whole lookback", () => {
  fc.assert(
    fc.property(lookback, fc.infiniteStream(fc.boolean()), ({ before, dense_from }, isDone) => {
      const all = [...pendingPieces({ before, dense_from })];
      const searched = all.filter(() => isDone.next().value);
      const done = searched.reduce<PositionRange[]>((sum, each) => addRange(sum, each), []);
      expect([...pendingPieces({ before, dense_from, done })]).toEqual(
        all.filter((piece) => !searched.includes(piece)),
      );
    }),
    { numRuns: runs(30) },
  );
});

test("joined pieces have the same positions in few ranges, dense or not", () => {
  fc.assert(
    fc.property(lookback, (record) => {
      const pieces = [...pendingPieces(record)];
      const joined = [...joinedPieces(pieces, record)];
      expect(positionsOf(joined.toReversed())).toEqual(positionsOf(pieces.toReversed()));
      for (const [from, to] of joined)
        expect(from >= record.dense_from || to <= record.dense_from).toBe(true);
    }),
    { numRuns: runs(30) },
  );
  const joined = [
    ...joinedPieces(pendingPieces({ before: 50_001, dense_from: 49_901 }), { dense_from: 49_901 } as never),
  ];
  expect(joined.map(([from, to]) => to - from)).toEqual([50, 50, 13_037, 16_384, 16_384, 4_095]);
});

test("a segment is whole when a piece has all of its positions; the first one begins at position 1", () => {
  expect(segmentOf([1, 4_096])).toEqual({ number: 0, isWhole: true });
  expect(segmentOf([2, 4_096])).toEqual({ number: 0, isWhole: false });
  expect(segmentOf([4_096, 8_192])).toEqual({ number: 1, isWhole: true });
  expect(segmentOf([4_096, 8_191])).toEqual({ number: 1, isWhole: false });
});
