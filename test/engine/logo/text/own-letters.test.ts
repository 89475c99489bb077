/** Reading the letters of a short mark, and the picture that they are set in. */
import { describe, expect, test } from "vitest";
import { type Face, type Glyph, glyphFaces } from "../../../../src/engine/logo/text/glyph-atlas.ts";
import { type Mask, ownLetters, readLetters } from "../../../../src/engine/logo/text/own-letters.ts";

const faceAt = (index: number) => glyphFaces()[index]!;

/** A word in a face, three times as large, with its letters apart by at least one pixel. */
function maskOf(face: Face, word: string, times = 3): Mask {
  const run = [...word].map((letter) => face.get(letter.codePointAt(0)!)!);
  const width = run.reduce((sum, glyph) => sum + glyph.width + 2, 0) * times;
  const top = Math.max(...run.map(({ rise }) => rise));
  const height = Math.max(...run.map((glyph) => top - glyph.rise + glyph.height)) * times;
  const alpha = new Uint8Array(width * height);
  let left = 0;
  const ink = ({ levels, rise, width: w, height: h }: Glyph) => {
    for (let y = 0; y < h * times; y++)
      for (let x = 0; x < w * times; x++)
        alpha[((top - rise) * times + y) * width + left + x] =
          85 * levels[Math.floor(y / times) * w + Math.floor(x / times)]!;
    left += (w + 2) * times;
  };
  for (const glyph of run) ink(glyph);
  return { width, height, alphaAt: (x, y) => alpha[y * width + x]! };
}

const drawing = (width: number, height: number, isInk: (x: number, y: number) => boolean): Mask => ({
  width,
  height,
  alphaAt: (x, y) => (isInk(x, y) ? 255 : 0),
});

describe("the letters of a short mark are among the two that are set, but for their case", () => {
  test.each(["me", "go", "HK", "Rad", "ab", "M3", "hi", "AV"])("%s in any face", (word) => {
    for (let index = 0; index < 12; index++) {
      const read = readLetters(maskOf(faceAt(index), word));
      expect(read).toHaveLength(word.length);
      for (const [i, letter] of [...word.toLowerCase()].entries())
        expect(
          read[i]!.slice(0, 2).map((each) => each.toLowerCase()),
          `face ${index}`,
        ).toContain(letter);
    }
  });
});

test("the parts of a letter may have shared columns", () => {
  const slanted = drawing(80, 40, (x, y) => Math.abs(x - 40 + y / 2) < 6 || Math.abs(x - 62 + y / 2) < 6);
  expect(readLetters(slanted)).toHaveLength(2);
});

describe("there is no word", () => {
  test.each<[string, Mask]>([
    ["without ink", drawing(60, 20, () => false)],
    ["in one part", maskOf(faceAt(0), "m")],
    ["in a letter with dots beside it", drawing(60, 60, (x, y) => x < 12 || (x > 40 && y > 50))],
    ["in four parts", maskOf(faceAt(0), "many")],
    ["in hundreds of lines", drawing(400, 64, (x) => x % 2 === 0)],
  ])("%s", (_, mask) => {
    expect(readLetters(mask)).toEqual([]);
    expect(ownLetters(mask)).toBeUndefined();
  });
});

test("a picture has the letters of the mark, others for another mark, always the same", () => {
  const me = ownLetters(maskOf(faceAt(3), "me"))!;
  const isSame = (word: string) => Buffer.compare(me.data, ownLetters(maskOf(faceAt(3), word))!.data) === 0;
  expect([isSame("me"), isSame("go")]).toEqual([true, false]);
  const ink = me.data.filter((value, i) => i % 4 === 0 && value < 128).length;
  expect(ink / (me.width * me.height)).toBeGreaterThan(0.02);
  expect(ink / (me.width * me.height)).toBeLessThan(0.4);
});
