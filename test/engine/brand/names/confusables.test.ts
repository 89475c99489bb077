/** The letters that look like a letter. */
import { describe, expect, test } from "vitest";
import { lookAlikeLetters, skeleton } from "../../../../src/engine/brand/names/confusables.ts";
import { foldText } from "../../../../src/engine/brand/names/fold.ts";

describe("look-alike letters", () => {
  test("of a letter that is its own skeleton are other letters, from the table first, then those with marks", () => {
    const letters = lookAlikeLetters("a");
    expect(letters).toContain("\u0430");
    expect(letters.indexOf("\u0430")).toBeLessThan(letters.indexOf("à"));
    expect(letters).toContain("ạ");
    expect(letters).not.toContain("a");
  });

  test("of a letter with another skeleton begin with the skeleton", () => {
    expect(lookAlikeLetters("0")[0]).toBe("o");
    expect(lookAlikeLetters("1")[0]).toBe("l");
  });

  test("of a letter whose skeleton has two letters leave the two out", () => {
    const letters = lookAlikeLetters("m");
    expect(letters).not.toContain("rn");
    expect(letters.length).toBeGreaterThan(0);
    for (const letter of letters) expect([...letter]).toHaveLength(1);
  });

  test("of a sequence are the letters that look like both", () => {
    expect(lookAlikeLetters("rn")).toContain("m");
    expect(lookAlikeLetters("rn")).not.toContain("rn");
    expect(lookAlikeLetters("vv")).toContain("ԝ");
  });

  test.each([..."abcdefghijklmnopqrstuvwxyz0159"])("of %s have its skeleton, each once", (letter) => {
    const letters = lookAlikeLetters(letter);
    expect(new Set(letters).size).toBe(letters.length);
    for (const other of letters) expect(skeleton(other)).toBe(skeleton(letter));
  });

  test.each([..."abcdefghijklmnopqrstuvwxyz"])("of %s include all its accented letters", (letter) => {
    // The blocks of Latin letters with marks, both ends included.
    const points = [0xdf, 0xff, 0x100, 0x24f, 0x1e00, 0x1e01, 0x1eff];
    for (let point = 0xdf; point <= 0x24f; point += 1) points.push(point);
    const expected = points
      .map((point) => String.fromCodePoint(point))
      .filter((other) => /\p{Ll}/u.test(other) && foldText(other) === other)
      .filter((other) => skeleton(other) === skeleton(letter));
    expect(lookAlikeLetters(letter)).toEqual(expect.arrayContaining(expected));
  });

  test("are only lower-case letters that fold to themselves, beyond the table of Unicode", () => {
    expect(lookAlikeLetters("a")).not.toContain("À");
    expect(lookAlikeLetters("a")).not.toContain("Ạ");
    // Folds to ṡ, although it looks like an f.
    expect(lookAlikeLetters("f")).not.toContain("ẛ");
    expect(lookAlikeLetters("y")).toContain("ỿ");
    expect(lookAlikeLetters("y")).toContain("ÿ");
  });

  test("of a letter with a mark are neither itself nor, of a sequence, its plain letter", () => {
    expect(lookAlikeLetters("à")[0]).toBe("a");
    expect(lookAlikeLetters("à")).toContain("á");
    expect(lookAlikeLetters("à")).not.toContain("à");
    expect(lookAlikeLetters("o\u0301")).toContain("ö");
    expect(lookAlikeLetters("o\u0301")).not.toContain("o");
  });
});

test("the skeleton of a syllable is that of its parts", () => {
  const syllable = "\uac01";
  expect(skeleton(syllable)).toBe([...syllable.normalize("NFD")].map(skeleton).join(""));
});
