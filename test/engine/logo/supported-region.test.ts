/** The support that a region of a page needs from the dense search. */
import { describe, expect, test } from "vitest";
import type { LogoHit } from "../../../src/engine/logo/box.ts";
import type { DenseMatch, DensePlace } from "../../../src/engine/logo/dense/search-picture.ts";
import { betterHit } from "../../../src/engine/logo/find-logos.ts";

const page = { width: 1000, height: 700 };

const regionOf = (score: number, width = 20, height = 20): LogoHit => ({
  score,
  kind: "region",
  box: { x: 300, y: 200, width, height },
});

/** A match whose places are squares of 20 pixels at these columns, with these values. */
function matchOf(...places: readonly (readonly [left: number, value: number, isPart?: true])[]): DenseMatch {
  const all = places.map(
    ([left, value, isPart = false]): DensePlace => ({
      value,
      box: [left, 200, left + 20, 220],
      template: "full",
      isPart,
    }),
  );
  return { ...all.reduce((a, b) => (b.value > a.value ? b : a)), places: all };
}

describe("a small region of a page", () => {
  test.each([
    ["has half of its score at most without any place", undefined, 0.5],
    ["has half of its score at most with places elsewhere only", matchOf([600, -0.4]), 0.5],
    ["has a lower score than an alarm at a place that is hardly similar", matchOf([302, 0.15]), 0.8],
    ["keeps its score at a place that is similar", matchOf([302, 0.265]), 0.87],
    ["keeps its score when the best place is elsewhere", matchOf([600, 0.27], [302, 0.265]), 0.87],
  ])("%s", (_, match, score) => {
    expect(betterHit(regionOf(0.87), match, page)).toEqual({ ...regionOf(0.87), score });
  });

  test("is not confirmed by a part of a lock-up", () => {
    const { score } = betterHit(regionOf(0.87), matchOf([600, -0.4], [302, 0.1, true]), page);
    expect(score).toBeCloseTo(betterHit(regionOf(0), matchOf([302, 0.1, true]), page).score);
    expect(betterHit(regionOf(0.87), matchOf([302, 0.1]), page).score).toBeGreaterThan(0.7);
  });

  test("needs less support the more similar it is", () => {
    const scoreAt = (score: number) => betterHit(regionOf(score), matchOf([302, 0.21]), page).score;
    expect(scoreAt(0.92)).toBeLessThan(0.85);
    expect(scoreAt(0.97)).toBeGreaterThan(0.85);
    expect(betterHit(regionOf(0.97), undefined, page).score).toBeLessThan(0.6);
  });

  test("is replaced by a better place elsewhere", () => {
    const { kind, score, box } = betterHit(regionOf(0.97), matchOf([600, 0.33]), page);
    expect([kind, box?.x]).toEqual(["dense", 600]);
    expect(score).toBeCloseTo(0.85);
  });

  test("keeps a score above all of the dense search", () => {
    expect(betterHit(regionOf(0.985), undefined, page).score).toBe(0.985);
  });
});

test.each([
  ["a region that covers much of the page", regionOf(0.9, 300, 300), page],
  ["a wide region", regionOf(0.9, 80, 20), page],
  ["a region of a picture that is not a page", regionOf(0.9), { width: 600, height: 400 }],
  ["a finding without a box", { score: 0, kind: "region" } as const, page],
])("%s needs no support", (_, hit, picture) => {
  expect(betterHit(hit, undefined, picture)).toEqual(hit);
});
