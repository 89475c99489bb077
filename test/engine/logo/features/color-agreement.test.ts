/** The colors of a logo at a place, and what they change in the search. */

import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { detectorVersion } from "../../../../src/engine/logo/dense/dense-tuning.ts";
import {
  calibratedPlaces,
  calibrationCost,
  compileDetector,
} from "../../../../src/engine/logo/dense/detector.ts";
import type { Place } from "../../../../src/engine/logo/dense/find-best.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import {
  type ColorMatch,
  colorGridOf,
  matchColors,
  noColorMatch,
} from "../../../../src/engine/logo/features/color-agreement.ts";
import { rectangle, wordsPage } from "../dense/scenes.ts";
import { drawings, paint, solid } from "../drawings.ts";
import { cutOut } from "../whole-steps.ts";

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
  matchColors(grid, drawMark(white(), 20, 30, 5, colors), [20, 30, 55, 65]).agreement;

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
    expect(matchColors(grid, page, [-500, -500, -400, -400]).agreement).toBe(0);
    expect(matchColors(grid, drawMark(page, 0, 0, 5, own), [0, 0, 35, 35]).agreement).toBeGreaterThan(0.95);
  });

  test("needs a logo that is not gray", () => {
    const hooks = colorGridOf(cutOut(paint(drawings["hooks"]!))!)!;
    expect(hooks).toMatchObject({ isColorful: true, several: undefined });
    expect(colorGridOf(cutOut(drawMark(white(), 10, 10, 20, black))!)).toBeUndefined();
  });
});

describe("the distance of colors", () => {
  const red: Colors = own.map(() => [210, 40, 30]);
  const redGrid = colorGridOf(cutOut(drawMark(white(), 10, 10, 20, red))!)!;
  const distance = (of: typeof grid, colors: Colors) =>
    matchColors(of, drawMark(white(), 20, 30, 5, colors), [20, 30, 55, 65]).distance;

  test("is 0 for the same color, and large for gray and for another one", () => {
    expect(distance(redGrid, red)).toBe(0);
    expect(distance(redGrid, black)).toBeGreaterThan(80);
    const blue: Colors = own.map(() => [30, 60, 210]);
    expect(distance(redGrid, blue)).toBeGreaterThan(80);
  });

  test("of a logo of several colors that is nearly gray says nothing", () => {
    const pale: Colors = [[250, 120, 120], ...own.slice(1).map((): Colors[number] => [120, 120, 120])];
    const paleGrid = colorGridOf(cutOut(drawMark(white(), 10, 10, 20, pale))!);
    expect(paleGrid).toMatchObject({ isColorful: false });
    expect(paleGrid && distance(paleGrid, pale)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the cost of a place", () => {
  const calibration = { full: 0.7, silhouette: 0.5, textFull: 0.5, textSilhouette: 0.5 };
  const costOf = (colors: ColorMatch, textFull = 0.5) =>
    calibrationCost({ ...calibration, textFull }, { kind: "full", large: false }, colors);

  test("is smaller in the logo's own color, and by half of the rest where several colors agree", () => {
    const common = 0.8 * 0.7;
    expect(costOf(noColorMatch)).toBeCloseTo(common);
    expect(costOf({ agreement: 0, distance: 70 })).toBeCloseTo(common);
    expect(costOf({ agreement: 0, distance: 50 })).toBeCloseTo(common - 0.05);
    expect(costOf({ agreement: 0, distance: 20 })).toBeCloseTo(common - 0.1);
    expect(costOf({ agreement: 0.8, distance: 20 })).toBeCloseTo(common - 0.5 * 0.8 * 0.3 - 0.1 - 0.03);
  });

  test("is not less than that of text for one color, as text has one, too", () => {
    expect(costOf({ agreement: 0, distance: 0 }, 0.9)).toBeCloseTo(0.9 - 0.24);
    expect(costOf({ agreement: 0, distance: 0 }, 0.74)).toBeCloseTo(0.74 - 0.24);
  });

  test("is that of common things for several colors, and less only as far as text costs less", () => {
    expect(costOf({ agreement: 0.8, distance: 0 }, 0.9)).toBeCloseTo(0.8 * 0.7 - 0.03);
    expect(costOf({ agreement: 0.8, distance: 0 }, 0.74)).toBeCloseTo(0.74 - 0.24 - 0.03);
  });
});

test("a small place is freed of its cost or of that of common things by several colors, not of both", () => {
  const [template] = compileDetector(mark).templates;
  const valueAt = (small: boolean, full: number, colors: ColorMatch) => {
    const calibration = { full, silhouette: 0.5, textFull: 0.5, textSilhouette: 0.5 };
    const similar = { blocks: 0.9, lowest: 0.9, inside: 0.9, whole: 0.9, visible: 1 };
    const fit = { template: { ...template!, small }, level: 0, x: 0, y: 0, across: 1, down: 1, cosine: 1 };
    const place: Place = { ...similar, fit, box: [0, 0, 20, 20] };
    return calibratedPlaces({ full: [place], silhouette: [] }, { calibration }, () => colors)[0]!.value;
  };
  const several: ColorMatch = { agreement: 0.8, distance: Number.POSITIVE_INFINITY };
  const gained = (small: boolean, full: number) =>
    valueAt(small, full, several) - valueAt(small, full, noColorMatch);
  // 0.03 in each case. A logo that nothing common resembles has no other cost to be freed of.
  expect(gained(false, 0.4)).toBeCloseTo(0.03);
  expect(gained(true, 0.4)).toBeCloseTo(0.13);
  // Half of 0.8 * 0.3 is more than the 0.1 of a small place.
  expect(gained(false, 0.7)).toBeCloseTo(0.15);
  expect(gained(true, 0.7)).toBeCloseTo(0.15);
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
