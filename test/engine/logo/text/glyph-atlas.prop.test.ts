/** The atlas of letters: what is written is read, and the shipped table has the letters of each face. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Glyph,
  glyphFaces,
  isCapitals,
  isLatin,
  readFaces,
  writeFaces,
} from "../../../../src/engine/logo/text/glyph-atlas.ts";

const signed = fc.integer({ min: -128, max: 127 });
const glyph: fc.Arbitrary<Glyph> = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) =>
    fc.record({
      code: fc.integer({ min: 0, max: 0xffff }),
      advance: fc.integer({ min: 0, max: 255 }),
      left: signed,
      rise: signed,
      width: fc.constant(width),
      height: fc.constant(height),
      levels: fc
        .array(fc.integer({ min: 0, max: 3 }), { minLength: width * height, maxLength: width * height })
        .map((levels) => Uint8Array.from(levels)),
    }),
  );
const face = fc.uniqueArray(glyph, { maxLength: 5, selector: ({ code }) => code });

test("faces that are written are read again", () => {
  fc.assert(
    fc.property(fc.array(face, { maxLength: 4 }), (faces) => {
      expect(readFaces(writeFaces(faces)).map((read) => [...read.values()])).toEqual(faces);
    }),
  );
});

test("the shipped faces have all of their letters, and each letter has ink within its line", () => {
  const faces = glyphFaces();
  expect(faces.filter(isLatin)).toHaveLength(12);
  const latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789&";
  for (const each of faces.filter(isLatin))
    expect([...each.keys()].map((code) => String.fromCodePoint(code)).join("")).toBe(latin);
  const capitals = faces.filter(isCapitals);
  expect(capitals).toHaveLength(6);
  for (const each of capitals)
    expect([...each.keys()].map((code) => String.fromCodePoint(code)).join("")).toBe(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789&",
    );
  const others = faces.filter((each) => !isLatin(each) && !isCapitals(each));
  expect(
    others.map((each) => ["Я", "Ω", "日"].findIndex((letter) => each.has(letter.codePointAt(0)!))),
  ).toEqual([0, 0, 1, 2]);
  for (const { rise, height, levels, advance, width } of faces.flatMap((each) => [...each.values()])) {
    expect(Math.max(...levels)).toBe(3);
    expect(rise).toBeLessThanOrEqual(26);
    expect(rise - height).toBeGreaterThanOrEqual(-9);
    expect(Math.abs(advance - width)).toBeLessThan(14);
  }
});
