/** The cost of running text for a mark of letters: it is found where it is, and not in other words of other fonts. */
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { denseScore } from "../../../../src/engine/logo/dense/dense-score.ts";
import { compileDetector, type Detector, textValue } from "../../../../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import { compileLogo } from "../../../../src/engine/logo/find-logos.ts";
import { glyphFaces, isCapitals } from "../../../../src/engine/logo/text/glyph-atlas.ts";
import { emptySheet, rasterOf, setWord } from "../../../../src/engine/logo/text/set-text.ts";
import { noteCodes } from "../../../../src/errors.ts";
import { place } from "../dense/scenes.ts";
import { type Drawing, drawings, paint, png } from "../drawings.ts";

const hooks = drawings["hooks"]!;

/** Words in a face of the atlas, as a page. */
function page(face: number, words: string, scale: number): Raster {
  const sheet = emptySheet();
  for (const word of words.split(" ")) setWord(sheet, glyphFaces()[face]!, word, scale);
  return rasterOf(sheet, false);
}

const scoreIn = (picture: Raster, detector: Detector) =>
  denseScore(runSteps(searchSteps(picture, [detector])).matches[0]?.value ?? -1);

describe("a mark of two letters", () => {
  const mark = page(1, "me", 5);
  const detector = compileDetector(mark);
  const { calibration } = detector;
  const free = { ...detector, calibration: { ...calibration, textFull: 0, textSilhouette: 0 } };

  test("reaches more in text than in pictures of other things", () => {
    expect(calibration.textFull).toBeGreaterThan(0.7);
    expect(calibration.textFull).toBeGreaterThan(calibration.full + 0.3);
  });

  test.each([5, 7, 9])(
    "is not found inside of words of another face (%i), which it would be without the cost",
    (face) => {
      const words = page(face, "name some home menu time member", 1.9);
      expect(scoreIn(words, detector)).toBeLessThan(0.85);
      expect(scoreIn(words, free)).toBeGreaterThan(0.85);
    },
  );

  test("is found together with its symbol, as the note recommends", () => {
    const lockUp = compileDetector(place(page(1, "me", 5), hooks, 220, 45, 70, [0, 0, 0]));
    const words = "me rememberwelcomemember name sign in home time";
    expect(scoreIn(place(page(1, words, 2), hooks, 92, 18, 28, [0, 0, 0]), lockUp)).toBeGreaterThan(0.85);
    for (const face of [1, 5, 7]) expect(scoreIn(page(face, words, 2), lockUp)).toBeLessThan(0.85);
  });
});

test("compiling a mark of letters notes its value in text, measured rates, and what to search for instead", async () => {
  const compile = async (logo: Raster) => {
    const outcome = await compileLogo(await png(logo));
    if (!outcome.ok) throw new Error(outcome.problems[0].message);
    return outcome.value.descriptor.notes;
  };
  expect(await compile(page(1, "me", 5))).toEqual([
    expect.objectContaining({
      code: noteCodes.plainLogo,
      message: expect.stringMatching(
        /^The logo is like letters of running text \(0\.\d\d of 1\).*0\.2 % of pages.*symbol/,
      ),
    }),
  ]);
  expect(await compile(paint(hooks))).toEqual([]);
});

test("a mark whose letters are in no word of the pictures pays for its own letters", () => {
  const { textFull } = compileDetector(page(5, "Kq", 4)).calibration;
  expect(textFull).toBeGreaterThan(0.6);
});

/** Whether a position is in a bar of a letter, given by its left, upper, right and lower side. */
const bar = (x: number, y: number, [left, top, right, bottom]: readonly [number, number, number, number]) =>
  x >= left && x < right && y >= top && y < bottom;
type Bar = Parameters<typeof bar>[2];
const stem: Bar = [0.1, 0, 0.45, 1];
const bars =
  (...all: readonly Bar[]): Drawing =>
  (x, y) =>
    all.some((each) => bar(x, y, each));

/** Capitals as heavy as a logo is drawn. */
const heavyCapitals: Readonly<Record<string, Drawing>> = {
  E: bars(stem, [0.1, 0, 0.9, 0.22], [0.1, 0.39, 0.85, 0.61], [0.1, 0.78, 0.9, 1]),
  F: bars(stem, [0.1, 0, 0.9, 0.23], [0.1, 0.4, 0.85, 0.63]),
  L: bars(stem, [0.1, 0.76, 0.9, 1]),
  N: (x, y) => x < 0.29 || x >= 0.71 || Math.abs(x - 0.145 - 0.71 * y) < 0.2,
};

describe("a logo that is a heavy capital", () => {
  test.each(Object.keys(heavyCapitals))("%s pays for text in black letters, and has a note", async (name) => {
    const logo = paint(heavyCapitals[name]!);
    const { textFull, full } = compileDetector(logo).calibration;
    expect(textFull).toBeGreaterThan(0.7);
    expect(textFull).toBeGreaterThan(full + 0.15);
    const compiled = await compileLogo(await png(logo));
    if (!compiled.ok) throw new Error(compiled.problems[0].message);
    expect(compiled.value.descriptor.notes.at(-1)?.message).toContain("letters of running text");
  });

  test("is not found in bold text, which it would be without the cost", () => {
    const black = glyphFaces().findIndex(isCapitals) + 3;
    const text = page(black, "NINE MEN FIND NO END", 1.6);
    const detector = compileDetector(paint(heavyCapitals["N"]!));
    const free = { ...detector, calibration: { ...detector.calibration, textFull: 0, textSilhouette: 0 } };
    expect(scoreIn(text, detector)).toBeLessThan(0.85);
    expect(scoreIn(text, free)).toBeGreaterThan(0.85);
  });
});

test("what a silhouette that is not searched reaches in text is not the value of a logo in text", () => {
  const calibration = { silhouette: 0.95, textFull: 0.5, textSilhouette: 0.8 };
  expect([textValue(calibration), textValue({ ...calibration, silhouette: 0.6 })]).toEqual([0.5, 0.8]);
});

test("a logo that is like no letter pays nothing for text", () => {
  const { full, textFull } = compileDetector(paint(hooks)).calibration;
  expect(textFull - 0.24).toBeLessThan(0.8 * Math.max(0.4, full));
});
