/** The scales of scores: they never fall, and have the fitted values. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { denseScore } from "../../../src/engine/logo/dense/dense-score.ts";
import { scoreOnScale } from "../../../src/engine/logo/score-scale.ts";

test("the score of a dense value is from 0 to less than 1, and never falls as it rises", () => {
  const value = fc.double({ min: -2, max: 2, noNaN: true });
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [low, high] = [denseScore(Math.min(a, b)), denseScore(Math.max(a, b))];
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThan(1);
      expect(low).toBeLessThanOrEqual(high);
    }),
  );
});

test.each([
  [-1, 0.1],
  [0, 0.1],
  [1, 0.2],
  [2, 0.3],
  [4, 0.7],
  [9, 0.7],
])("the score of %d between breakpoints is %d", (value, score) => {
  const scale = [
    [0, 0.1],
    [2, 0.3],
    [4, 0.7],
  ] as const;
  expect(scoreOnScale(value, scale)).toBeCloseTo(score, 12);
});

test("the score of a dense value is 0.75 and 0.85 at the fitted values", () => {
  expect(denseScore(0.265)).toBeCloseTo(0.75, 12);
  expect(denseScore(0.33)).toBeCloseTo(0.85, 12);
});
