/** Laws of the score of a brand: the best of its logos counts, and its alarms stay those of one logo. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogoHit } from "../../../src/engine/logo/box.ts";
import { bestOfBrand, brandScore, maxBrandLogos } from "../../../src/engine/logo/brand-score.ts";

const score = fc.double({ min: 0, max: 1, noNaN: true });
const count = fc.integer({ min: 1, max: maxBrandLogos });
const hit = fc.record({
  score,
  kind: fc.constantFrom("copy" as const, "dense" as const),
  box: fc.record({ x: fc.nat(9), y: fc.nat(9), width: fc.constant(3), height: fc.constant(4) }),
});
const hits = fc.array(hit, { minLength: 1, maxLength: maxBrandLogos }) as fc.Arbitrary<LogoHit[]>;

describe("the score of a brand", () => {
  test("of one logo is that of the logo", () => {
    fc.assert(
      fc.property(score, (value) => {
        expect(brandScore(value, 1)).toBe(value);
      }),
    );
  });

  test("rises with that of its best logo, is never above it, and keeps 0 and 1", () => {
    fc.assert(
      fc.property(score, score, count, (a, b, logos) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(brandScore(low, logos)).toBeLessThanOrEqual(brandScore(high, logos));
        expect(brandScore(high, logos)).toBeLessThanOrEqual(high + Number.EPSILON);
        expect([brandScore(0, logos), brandScore(1, logos)]).toEqual([0, 1]);
      }),
    );
  });

  test("falls with every further logo, whatever it scores less", () => {
    fc.assert(
      fc.property(score, fc.integer({ min: 1, max: maxBrandLogos - 1 }), (best, logos) => {
        const rounding = Number.EPSILON;
        expect(brandScore(best, logos + 1)).toBeLessThanOrEqual(brandScore(best, logos) + rounding);
      }),
    );
  });

  test.each([
    [2, 0.795, 0.75],
    [2, 0.862, 0.85],
    [10, 0.88, 0.75],
    [10, 0.89, 0.85],
    [20, 0.902, 0.85],
  ])("of %i logos is, for the best at %f, about %f", (logos, best, expected) => {
    expect(brandScore(best, logos)).toBeCloseTo(expected, 2);
  });

  test("has the place of its best logo, of equal ones that of the first, whatever the others are", () => {
    fc.assert(
      fc.property(hits, (all) => {
        const { logo, score: found, ...place } = bestOfBrand(all);
        const best = Math.max(...all.map((each) => each.score));
        const { score: own, ...expected } = all[logo]!;
        expect([own, place]).toEqual([best, expected]);
        expect(all.findIndex((each) => each.score === best)).toBe(logo);
        expect(found).toBe(brandScore(best, all.length));
      }),
    );
  });
});
