/** Letters as numbers, their classes, and the plain forms that filters start from. */

import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import {
  alphabetSteps,
  classCount,
  classOf,
  codePoints,
  maskOf,
} from "../../../../src/engine/brand/names/alphabet.ts";

const [a, b, c, astral] = [0x61, 0x62, 0x63, 0x1f4a9];

describe("an alphabet", () => {
  test("numbers the letters of the patterns from 1, the most frequent first, then by code point", () => {
    const alphabet = runSteps(alphabetSteps(["cbcb", "ac💩c"].map((text) => ({ points: codePoints(text) }))));
    expect([c, b, a, astral].map((letter) => alphabet.idOf(letter))).toEqual([1, 2, 3, 4]);
    expect(alphabet.size).toBe(5);
  });

  test("has 0 for letters of no pattern, in ASCII and beyond", () => {
    const alphabet = runSteps(alphabetSteps([{ points: [a, astral] }]));
    expect([b, 0x1f600, 0x7f, 0x80].map((letter) => alphabet.idOf(letter))).toEqual([0, 0, 0, 0]);
    expect([alphabet.ascii.length, alphabet.ascii[a], alphabet.ascii[b]]).toEqual([128, 1, 0]);
  });
});

test("the class of an id is the id up to 63; further ids share the classes from 1", () => {
  expect([0, 1, 63, 64, 126, 127, 189].map(classOf)).toEqual([0, 1, 63, 2, 1, 2, 1]);
  for (let id = classCount; id < 1_000; id += 1) {
    expect(classOf(id)).toBeGreaterThan(0);
    expect(classOf(id)).toBeLessThan(classCount);
  }
});

test("the mask has the bit of each class, modulo 32, as an unsigned number", () => {
  expect(maskOf(Uint8Array.of())).toBe(0);
  expect(maskOf(Uint8Array.of(0, 1, 1, 33))).toBe(0b11);
  expect(maskOf(Uint8Array.of(31))).toBe(0x80000000);
});

test("the code points of a string count an astral letter once, and a lone surrogate as itself", () => {
  expect(codePoints("a💩b")).toEqual([a, astral, b]);
  expect(codePoints("\ud800a")).toEqual([0xd800, a]);
  expect(codePoints("\uffff\ue000")).toEqual([0xffff, 0xe000]);
  expect(codePoints("")).toEqual([]);
});
