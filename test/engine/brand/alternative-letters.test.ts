/** Alternatives of letters: what the filter relies on, and the choice among several ranges. */
import { expect, test } from "vitest";
import {
  alternativesOf,
  coarseForm,
  findAlternatives,
} from "../../../src/engine/brand/matching/alternative-letters.ts";
import { codePoints } from "../../../src/engine/brand/names/alphabet.ts";

test.each([..."abcdefghijklopqstuxyz0123456789-.", "rn", "cl", "r"])(
  "every alternative of %s has its coarse form, and one is the letter itself",
  (letter) => {
    const [reads = []] = alternativesOf(letter);
    const texts = reads.map((read) => String.fromCodePoint(...read));
    expect(texts).toContain(letter);
    expect(new Set(texts.map(coarseForm))).toEqual(new Set([coarseForm(letter)]));
  },
);

function find(pattern: string, skeleton: string, replacedAt: number, whole = false) {
  const points = codePoints(skeleton);
  return findAlternatives(
    alternativesOf(pattern),
    { points, replaced: points.map((_, i) => i === replacedAt) },
    whole,
  );
}

test("the leftmost and then shortest range with a replaced letter is found", () => {
  expect(find("ab", "ab-aclab", 4)).toEqual([3, 6]);
  expect(find("ab", "ab-aclab", 0)).toEqual([0, 2]);
  expect(find("ab", "ab-aclab", 2)).toBeUndefined();
  expect(find("an", "arn", 0)).toEqual([0, 2]);
});

test("a whole part reads as the pattern from its start to its end", () => {
  expect(find("an", "arn", 0, true)).toEqual([0, 3]);
  expect(find("an", "arna", 0, true)).toBeUndefined();
  expect(find("an", "aarn", 1, true)).toBeUndefined();
});
