/** Sketches of pictures, and the search in them. */

import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { padding } from "../../../../src/engine/logo/dense/dense-tuning.ts";
import { compileDetector } from "../../../../src/engine/logo/dense/detector.ts";
import { searchSketchSteps, sketchTemplates } from "../../../../src/engine/logo/dense/search-sketch.ts";
import { readSketch, sketchSteps } from "../../../../src/engine/logo/dense/sketch.ts";
import { drawings, paint, solid } from "../drawings.ts";
import { preparePage } from "../whole-steps.ts";
import { place, wordsPage } from "./scenes.ts";

const sketched = (raster: Raster) => readSketch(runSteps(sketchSteps(raster)));

test("a sketch has the union of the bins of each 4 x 4 pixels, at every level", () => {
  const raster = place(wordsPage(187, 134), drawings["hooks"]!, 60, 40, 40, [190, 30, 60]);
  const page = preparePage(raster);
  const bytes = new Uint8Array(page.memory.buffer);
  const levels = sketched(raster);
  const sizes = page.layout.levels.map(({ width, height }) => [Math.ceil(width / 4), Math.ceil(height / 4)]);
  expect(levels.map(({ columns, rows }) => [columns, rows])).toEqual(sizes);
  expect(levels.map(({ isFirst }) => isFirst)).toEqual(sizes.map((_, l) => l === 0));
  for (const [l, { columns, cells }] of levels.entries()) {
    const { width, height, stride, binsAt } = page.layout.levels[l]!;
    const plain = new Uint8Array(cells.length);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        plain[(y >> 2) * columns + (x >> 2)]! |= bytes[binsAt + (y + padding) * stride + x + padding]!;
    expect(cells).toEqual(plain);
    expect(cells.some((cell) => cell > 0)).toBe(true);
  }
});

test("the strips of a tall picture begin with a first level each", () => {
  const levels = sketched(solid(1500, 5000, [250, 250, 250]));
  expect(levels.filter(({ isFirst }) => isFirst).length).toBeGreaterThan(1);
  for (const { isFirst, columns } of levels) expect(isFirst).toBe(columns === 375);
});

test("a picture that is too small to be searched has no levels, and nothing is found in it", () => {
  expect(sketched(solid(7, 900, [0, 0, 0]))).toEqual([]);
  const templates = sketchTemplates(compileDetector(paint(drawings["hooks"]!)).templates);
  expect([...runSteps(searchSketchSteps([], templates))].every((value) => value === 0)).toBe(true);
  expect(
    [...runSteps(searchSketchSteps(sketched(solid(90, 90, [9, 9, 9])), templates))].every((v) => v === 0),
  ).toBe(true);
});

describe("bytes that are not a sketch are rejected:", () => {
  test.each([
    ["not deflated", Uint8Array.of(255, 255)],
    ["a level without columns", deflateRawSync(Uint8Array.of(0, 0, 1, 0, 0))],
    ["a level that is cut off", deflateRawSync(Uint8Array.of(2, 0, 2, 0, 1))],
    ["a head that is cut off", deflateRawSync(Uint8Array.of(2, 0))],
  ])("%s", (_, bytes) => {
    expect(() => readSketch(bytes)).toThrow(
      new TypeError("These bytes are not the sketch of a picture; describe the picture again."),
    );
  });
});

test("a logo has the best score in the sketch of a page, at any place and size, also cut off by the edge", () => {
  const { templates } = compileDetector(paint(drawings["hooks"]!, { side: 200 }));
  const prepared = sketchTemplates(templates);
  const bestIn = (raster: Raster) => Math.max(...runSteps(searchSketchSteps(sketched(raster), prepared)));
  const without = ["wing", "stairs"].map((name) =>
    bestIn(place(wordsPage(260, 180), drawings[name]!, 60, 93, 34, [190, 30, 60])),
  );
  for (const [x, y, side] of [
    [60, 93, 34],
    [61, 94, 30],
    [203, 90, 50],
    [2, 120, 40],
    [228, 100, 40],
  ] as const) {
    const page = place(wordsPage(260, 180), drawings["hooks"]!, x, y, side, [190, 30, 60]);
    expect(bestIn(page)).toBeGreaterThan(Math.max(...without) + 0.05);
  }
});
