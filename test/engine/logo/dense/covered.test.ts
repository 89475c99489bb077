/** Logos of which a part is covered: found where their colors and edges are in sight, and nowhere else. */
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { coverOf } from "../../../../src/engine/logo/dense/covered/cover.ts";
import { denseScore } from "../../../../src/engine/logo/dense/dense-score.ts";
import { compileDetector } from "../../../../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import { drawings, paint } from "../drawings.ts";
import { place, rectangle, wordsPage } from "./scenes.ts";

const blue = [20, 60, 160] as const;
const detectors = Object.entries(drawings).map(([name, drawing]) => ({
  name,
  drawing,
  detector: compileDetector(paint(drawing, { foreground: blue })),
}));
const [left, top, side] = [200, 150, 48];

/** Covers of a quarter to 0.3 of the logo. */
const covers: Readonly<Record<string, (page: Raster) => void>> = {
  "a round badge over a corner": (page) => {
    for (let y = top - 6; y < top + 26; y++)
      for (let x = left + 22; x < left + 54; x++)
        if (Math.hypot(x - left - 38, y - top - 10) < 15) rectangle(page, x, y, 1, 1, [213, 0, 0]);
  },
  "a square in a corner": (page) => rectangle(page, left, top + 24, 24, 24, [46, 125, 50]),
  "a strip along a side": (page) => rectangle(page, left, top + 35, side, 13, [249, 168, 37]),
  "another picture": (page) => {
    rectangle(page, left, top, 25, 25, [94, 53, 177]);
    for (let n = 0; n < 5; n++) rectangle(page, left + 3, top + 3 + 5 * n, 19, 2, [255, 255, 255]);
  },
};

function scoresOn(page: Raster): ReadonlyMap<string, { score: number; box: readonly number[] }> {
  const { matches } = runSteps(
    searchSteps(
      page,
      detectors.map(({ detector }) => detector),
    ),
  );
  return new Map(
    matches.map((match, i) => [
      detectors[i]!.name,
      { score: match ? denseScore(match.value) : 0, box: match?.box ?? [] },
    ]),
  );
}

const base = () => wordsPage(640, 400);

/** The blades of the wing are similar to each other, so that a covered one has no place of its own. */
const distinct = detectors.filter(({ name }) => name !== "wing");

describe.each(Object.entries(covers))("%s", (_, cover) => {
  test.each(distinct)(
    "leaves $name found, in the box of the whole, and no other logo",
    ({ name, drawing }) => {
      const page = place(base(), drawing, left, top, side, blue);
      cover(page);
      for (const [other, { score, box }] of scoresOn(page)) {
        if (other !== name) {
          expect(score).toBeLessThan(0.85);
          continue;
        }
        expect(score).toBeGreaterThanOrEqual(0.85);
        for (const [i, end] of [left, top, left + side, top + side].entries())
          expect(Math.abs((box[i] ?? 0) - end)).toBeLessThanOrEqual(3);
      }
    },
  );

  test("finds no logo on a page without one", () => {
    const page = base();
    cover(page);
    for (const { score } of scoresOn(page).values()) expect(score).toBeLessThan(0.85);
  });
});

test("a covered logo in another color is not found as one", () => {
  const page = place(base(), drawings["hooks"]!, left, top, side, [200, 60, 20]);
  covers["a square in a corner"]!(page);
  const own = place(base(), drawings["hooks"]!, left, top, side, blue);
  covers["a square in a corner"]!(own);
  expect(scoresOn(page).get("hooks")!.score).toBeLessThan(scoresOn(own).get("hooks")!.score);
});

test("the cover is the rectangle with most cells of other colors, and none where all colors agree", () => {
  const grid = { width: 24, height: 12 };
  const deviations = new Float32Array(24 * 12);
  expect(coverOf(grid, deviations)).toBeUndefined();
  for (let y = 6; y < 12; y++) for (let x = 12; x < 24; x++) deviations[y * 24 + x] = 200;
  expect(coverOf(grid, deviations)).toEqual({ x: 3, y: 3, right: 6, bottom: 6 });
});
