/** The bit-parallel distance against the plain matrix, patterns of several words included. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDistanceEngine } from "../../../src/engine/brand/matching/distance.ts";
import { runs } from "../../support/runs.ts";
import { prefixDistances } from "./reference.ts";

const letters = 5;
const text = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 1, max: letters - 1 }), { minLength, maxLength });

/** Any place, and often the border of two words. */
const place = fc.oneof(fc.nat(), fc.constantFrom(31, 63, 191));

/** A pattern, and a text that holds it with a few changes, swaps of neighbours among them. */
const cases = fc.oneof(text(1, 12), text(28, 36), text(60, 70), text(190, 200)).chain((pattern) =>
  fc
    .tuple(text(0, 8), text(0, 8), fc.array(fc.tuple(place, fc.nat(2)), { maxLength: 3 }))
    .map(([before, after, changes]) => ({
      pattern,
      text: [...before, ...changed(pattern, changes), ...after],
    })),
);

function changed(pattern: readonly number[], changes: readonly [number, number][]): number[] {
  const letters = [...pattern];
  for (const [place, kind] of changes) {
    const at = place % Math.max(1, letters.length);
    if (kind === 0) letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
    else if (kind === 1) letters.splice(at, 1);
    else letters.splice(at, 0, 1);
  }
  return letters;
}

describe.each([false, true])("the distance, swaps %s", (swaps) => {
  const engine = createDistanceEngine(letters, 200, swaps);

  test("of a whole string equals that of the matrix", () => {
    fc.assert(
      fc.property(cases, fc.nat(6), ({ pattern, text }, limit) => {
        const expected = Math.min(prefixDistances(pattern, text, swaps).at(-1)!, limit + 1);
        expect(engine.whole(pattern, text, 0, text.length, limit)).toBe(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  test("and span of the best substring equal those of the matrix", () => {
    fc.assert(
      fc.property(cases, fc.nat(3), ({ pattern, text }, from) => {
        const start = Math.min(from, text.length);
        const found = engine.within(pattern, text, start, text.length, 4);
        const nearest = nearestPart(pattern, text, start, swaps);
        expect(found).toEqual(nearest.distance > 4 ? undefined : nearest);
      }),
      { numRuns: runs(100) },
    );
  });
});

function nearestPart(pattern: readonly number[], text: readonly number[], from: number, swaps: boolean) {
  let best = { distance: Infinity, span: { start: 0, end: 0 } };
  for (let start = from; start <= Math.min(text.length, from + 24); start++) {
    prefixDistances(pattern, text.slice(start), swaps).forEach((distance, length) => {
      if (distance < best.distance) best = { distance, span: { start, end: start + length } };
    });
  }
  return best;
}
