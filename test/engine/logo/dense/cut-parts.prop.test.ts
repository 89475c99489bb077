/** Lock-ups are cut into their symbol and their word, and each of them is found alone. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { denseScore } from "../../../../src/engine/logo/dense/dense-score.ts";
import { compileDetector } from "../../../../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import { type Drawing, drawings, paint, solid } from "../drawings.ts";
import { cutOut, cutParts } from "../whole-steps.ts";
import { place, rectangle, wordsPage } from "./scenes.ts";

const { stairs, hooks, wing } = drawings as Record<"stairs" | "hooks" | "wing", Drawing>;
const white = [255, 255, 255] as const;
const ink = [120, 20, 90] as const;

/** Draws letters of a height beside each other; their strokes depend on their index. */
function drawWord(page: Raster, letters: number, left: number, top: number, height: number): number {
  const [width, stroke, gap] = [Math.round(height * 0.6), Math.round(height / 5), Math.round(height / 6)];
  for (let n = 0; n < letters; n++) {
    const x = left + n * (width + gap);
    if (n % 2 === 0) rectangle(page, x, top, stroke, height, ink);
    else rectangle(page, x + width - stroke, top, stroke, height, ink);
    rectangle(page, x, top + ((n * 3) % 5) * stroke, width, stroke, ink);
    if (n % 3 === 1) rectangle(page, x, top + height - stroke, width, stroke, ink);
    if (n % 3 === 2) rectangle(page, x, top, width, stroke, ink);
  }
  return letters * (width + gap) - gap;
}

const sizesOf = (logo: Raster) =>
  cutParts(cutOut(logo)!).map(({ cutout }) => [cutout.width, cutout.height] as const);

/** A lock-up of a symbol of 100 pixels and a word of 50, beside or below it. */
function lockUp(symbol: Drawing, { letters = 6, gap = 30, below = false } = {}): Raster {
  const logo = solid(520, 260, white);
  place(logo, symbol, 20, 20, 100, ink);
  if (below) drawWord(logo, letters, 20, 120 + gap, 50);
  else drawWord(logo, letters, 120 + gap, 45, 50);
  return logo;
}

test("a lock-up whose word is beside or below the symbol has two parts", () => {
  for (const below of [false, true]) {
    const [symbol, word] = sizesOf(lockUp(hooks, { below }));
    for (const [size, expected] of [
      [symbol, [100, 100]],
      [word, [222, 50]],
    ] as const)
      for (const [i, side] of expected.entries()) expect(Math.abs(size![i]! - side)).toBeLessThan(6);
  }
});

describe("any other logo is not cut", () => {
  test.each(Object.entries(drawings))("%s", (_, drawing) => {
    expect(sizesOf(paint(drawing))).toEqual([]);
  });

  test("a word", () => {
    const word = solid(520, 120, white);
    drawWord(word, 8, 20, 30, 60);
    expect(sizesOf(word)).toEqual([]);
  });

  test("a word whose first letter is apart from the others", () => {
    const word = solid(520, 120, white);
    drawWord(word, 1, 20, 30, 60);
    drawWord(word, 6, 90, 30, 60);
    expect(sizesOf(word)).toEqual([]);
  });

  test("two symbols", () => {
    const pair = place(place(solid(300, 140, white), hooks, 20, 20, 100, ink), wing, 160, 20, 100, ink);
    expect(sizesOf(pair)).toEqual([]);
  });

  test("a symbol that is close to the word", () => {
    expect(sizesOf(lockUp(hooks, { gap: 8 }))).toEqual([]);
  });
});

describe("a part of a lock-up alone", () => {
  const lock = compileDetector(lockUp(hooks));
  const best = (page: Raster) => runSteps(searchSteps(page, [lock])).matches[0];

  test("is found: its symbol", () => {
    const match = best(place(wordsPage(700, 320), hooks, 120, 101, 40, [200, 30, 60]));
    expect(denseScore(match!.value)).toBeGreaterThan(0.85);
    for (const [i, edge] of [120, 101, 160, 141].entries())
      expect(Math.abs(match!.box[i]! - edge)).toBeLessThan(5);
  });

  test("is found: its word", () => {
    const page = solid(700, 320, white);
    drawWord(page, 6, 200, 120, 25);
    const match = best(page);
    expect(denseScore(match!.value)).toBeGreaterThan(0.85);
    expect(Math.abs(match!.box[0] - 200)).toBeLessThan(5);
  });

  test("does not lower the score of the whole", () => {
    const { parts: _, ...whole } = lock;
    const page = lockUp(hooks);
    const [alone] = runSteps(searchSteps(page, [whole])).matches;
    expect(best(page)!.value).toBeGreaterThanOrEqual(alone!.value);
  });

  test("is not found where another symbol is", () => {
    for (const other of [stairs, wing]) {
      const match = best(place(wordsPage(700, 320), other, 120, 101, 40, [200, 30, 60]));
      expect(denseScore(match?.value ?? -1)).toBeLessThan(0.75);
    }
  });

  test("is not searched with numbers that have no parts", () => {
    const { parts: _, ...calibration } = lock.calibration;
    const page = place(wordsPage(700, 320), hooks, 120, 101, 40, [200, 30, 60]);
    const [match] = runSteps(searchSteps(page, [{ ...lock, calibration }])).matches;
    expect(denseScore(match?.value ?? -1)).toBeLessThan(0.85);
  });
});

test("the parts of any lock-up are inside of it and apart, and always the same", () => {
  const lockUps = fc.record({
    symbol: fc.constantFrom(hooks, wing, stairs),
    letters: fc.integer({ min: 3, max: 8 }),
    gap: fc.integer({ min: 18, max: 60 }),
    below: fc.boolean(),
  });
  fc.assert(
    fc.property(lockUps, ({ symbol, ...options }) => {
      const logo = lockUp(symbol, options);
      const cutout = cutOut(logo)!;
      const parts = cutParts(cutout).map((part) => part.cutout);
      for (const { width, height } of parts) {
        expect(width * height).toBeLessThan(cutout.width * cutout.height);
        expect(Math.min(width, height)).toBeGreaterThan(0);
      }
      const [a, b] = parts;
      if (a && b) {
        const [along, whole] = options.below
          ? (["height", cutout.height] as const)
          : (["width", cutout.width] as const);
        expect(a[along] + b[along]).toBeLessThan(whole);
      }
      expect(sizesOf(logo)).toEqual(parts.map(({ width, height }) => [width, height]));
    }),
  );
});
