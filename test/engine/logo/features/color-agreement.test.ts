/** The colors of a logo at a place, and what they change in the search. */
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { cutOut } from "../../../../src/engine/logo/dense/cutout/cutout.ts";
import { detectorVersion } from "../../../../src/engine/logo/dense/dense-tuning.ts";
import { compileDetector } from "../../../../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import { colorAgreement, colorGridOf } from "../../../../src/engine/logo/features/color-agreement.ts";
import { rectangle, wordsPage } from "../dense/scenes.ts";
import { drawings, paint, solid } from "../drawings.ts";

type Colors = readonly (readonly [number, number, number])[];

const own: Colors = [
  [210, 60, 40],
  [20, 150, 60],
  [30, 90, 210],
  [240, 190, 20],
];
const black: Colors = own.map(() => [30, 30, 30]);

/** Two bars and two squares, apart. */
function drawMark(page: Raster, left: number, top: number, unit: number, colors: Colors): Raster {
  const parts = [
    [0, 0, 3, 3],
    [4, 0, 3, 5],
    [0, 4, 3, 3],
    [4, 6, 3, 1],
  ] as const;
  for (const [i, [x, y, wide, tall]] of parts.entries())
    rectangle(page, left + x * unit, top + y * unit, wide * unit, tall * unit, colors[i]!);
  return page;
}

const white = () => solid(160, 160, [255, 255, 255]);
const mark = drawMark(white(), 10, 10, 20, own);
const grid = colorGridOf(cutOut(mark)!)!;
const agreement = (colors: Colors) =>
  colorAgreement(grid, drawMark(white(), 20, 30, 5, colors), [20, 30, 55, 65]);

describe("the agreement of colors", () => {
  test("is 1 for the same colors at the same places, and less when they change places", () => {
    expect(agreement(own)).toBeGreaterThan(0.95);
    expect(agreement([...own].reverse())).toBeLessThan(0.5);
  });

  test("is 0 at a place of one color", () => {
    expect(agreement(black)).toBe(0);
  });

  test("reads the nearest pixels for a box that exceeds the picture", () => {
    const page = white();
    expect(colorAgreement(grid, page, [-500, -500, -400, -400])).toBe(0);
    expect(colorAgreement(grid, drawMark(page, 0, 0, 5, own), [0, 0, 35, 35])).toBeGreaterThan(0.95);
  });

  test("needs a logo of several colors", () => {
    expect(colorGridOf(cutOut(paint(drawings["hooks"]!))!)).toBeUndefined();
    expect(colorGridOf(cutOut(drawMark(white(), 10, 10, 20, black))!)).toBeUndefined();
  });
});

test("a place with the colors of a logo pays nothing for text; one in black, or without them, pays", () => {
  const best = { full: 0.4, silhouette: 0.4, textFull: 0.7, textSilhouette: 0.7 };
  const calibration = { version: detectorVersion, ...best };
  const detector = compileDetector(mark, { calibration });
  const bestValue = (colors: Colors) => {
    const page = drawMark(wordsPage(400, 300), 300, 150, 4, colors);
    return runSteps(searchSteps(page, [detector])).matches[0]?.value ?? -1;
  };
  expect(bestValue(own) - bestValue(black)).toBeGreaterThan(0.1);
});
