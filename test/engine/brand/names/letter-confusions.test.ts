/** Known answers of the letters that are confused: keyboard, bits, vowels. */
import { describe, expect, test } from "vitest";
import {
  bitNeighbors,
  keyboardNeighbors,
  otherVowels,
  replacements,
} from "../../../../src/engine/brand/names/letter-confusions.ts";

test.each([
  ["a", "eiou"],
  ["e", "aiou"],
  ["u", "aeio"],
  ["b", ""],
  ["", ""],
  ["ae", "aeiou"],
])("the other vowels of `%s` are `%s`", (letter, others) => {
  expect(otherVowels(letter).join("")).toBe(others);
});

test.each([
  ["1", "2q"],
  ["0", "9op"],
  ["5", "46rt"],
  ["q", "12wa"],
  ["p", "0ol"],
  ["g", "tyfhvb"],
  ["a", "qwsz"],
  ["l", "opk"],
  ["z", "asx"],
  ["m", "jkn"],
  ["-", ""],
  ["", ""],
])("the keys next to `%s` are `%s`", (letter, neighbors) => {
  expect([...keyboardNeighbors(letter)].sort()).toEqual([...neighbors].sort());
});

test("keyboard neighbors are mutual", () => {
  for (const key of "1234567890qwertyuiopasdfghjklzxcvbnm") {
    for (const other of keyboardNeighbors(key)) expect(keyboardNeighbors(other)).toContain(key);
    expect(keyboardNeighbors(key)).not.toContain(key);
  }
});

test.each([
  ["a", "ceiq"],
  ["p", "qrtx0"],
  ["0", "1248p"],
  ["-", "m"],
  ["z", "jrx"],
])("one flipped bit makes `%s` one of `%s`", (letter, neighbors) => {
  expect([...bitNeighbors(letter)].sort()).toEqual([...neighbors].sort());
});

describe("a replaced letter", () => {
  const kindsOf = (from: string, to: string) =>
    replacements.filter(([, isKind]) => isKind(from, to)).map(([kind]) => kind);

  test.each([
    ["a", "e", ["vowel-swap", "bitsquat"]],
    ["a", "o", ["vowel-swap"]],
    ["a", "s", ["keyboard-neighbour"]],
    ["a", "b", []],
    ["b", "a", []],
    ["a", "c", ["bitsquat"]],
    ["o", "i", ["vowel-swap", "keyboard-neighbour"]],
    ["i", "o", ["vowel-swap", "keyboard-neighbour"]],
    ["-", "m", ["bitsquat"]],
    // One bit apart, but the bit is not one of the seven of ASCII.
    ["a", "\u00e1", []],
    ["", "a", []],
    ["é", "a", []],
  ])("`%s` by `%s` is %j", (from, to, kinds) => {
    expect(kindsOf(from, to)).toEqual(kinds);
  });
});
