/** Compiled comparisons, and the bits in which the values of leaves are kept. */
import { describe, expect, test } from "vitest";
import { compileValueTest } from "../../../../src/engine/tokens/analysis/strings/text-test.ts";
import {
  clearWords,
  compileExpression,
  type LeafBits,
  leafValue,
  setLeafValue,
} from "../../../../src/engine/tokens/expression/leaf-bits.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import type { Test } from "../../../../src/engine/tokens/expression/tree.ts";
import { type FieldComparison, leafOf } from "../leaves.ts";

function parse(text: string) {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  return parsed.value;
}

const comparisonOf = (text: string) => compileValueTest(leafOf(parse(text) as Test) as FieldComparison);

describe("a comparison", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['eq "a"', ["a"], ["", "A", "aa"]],
    ['ne "a"', ["", "A", "aa"], ["a"]],
    ['in {"a" "b"}', ["a", "b"], ["", "c", "ab"]],
    ['contains "ab"', ["ab", "xab", "abx", "aab"], ["", "a", "ba", "AB"]],
    ['contains ""', ["", "a"], []],
    ['wildcard "A*c"', ["ac", "ABC", "a**c"], ["a", "bc", "acd"]],
    ['strict wildcard "A*c"', ["Ac", "Abc"], ["ac", "AC", "AcD"]],
    ['wildcard "*ab*bc*"', ["abbc", "xabxbcx"], ["abc", "bcab"]],
    ['strict wildcard "ab*ba"', ["abba", "abxba"], ["aba", "ab"]],
  ])("%s", (comparison, matching, others) => {
    const holds = comparisonOf(`http.host ${comparison}`);
    for (const value of matching) expect([value, holds(value)]).toEqual([value, true]);
    for (const value of others) expect([value, holds(value)]).toEqual([value, false]);
  });
});

describe("slots of bits", () => {
  test.each([
    [0, 1],
    [1, 1],
    [32, 1],
    [33, 2],
    [64, 2],
    [65, 3],
  ])("%i need %i words, all clear", (slots, words) => {
    expect(clearWords(slots)).toEqual(Array.from({ length: words }, () => 0));
  });

  test.each([0, 1, 31, 32, 63, 64, 65])(
    "the value of leaf %i is unknown until it is stored, and stored alone",
    (slot) => {
      const bitsOf = (): LeafBits => ({
        known: clearWords(96),
        values: clearWords(96),
        resolve: () => {
          throw new Error("a known leaf is not computed");
        },
      });
      for (const value of [true, false]) {
        const bits = bitsOf();
        expect(leafValue(bits, slot)).toBeUndefined();
        setLeafValue(bits, slot, value);
        expect(leafValue(bits, slot)).toBe(value);
        const known = Array.from({ length: 96 }, (_, other) => leafValue(bits, other) !== undefined);
        expect(known.flatMap((isKnown, other) => (isKnown ? other : []))).toEqual([slot]);
        setLeafValue(bits, (slot + 1) % 96, !value);
        expect(leafValue(bits, slot)).toBe(value);
        const leaf = compileExpression<LeafBits>(parse('http.host eq "a"'), () => slot);
        expect(leaf(bits)).toBe(value);
      }
    },
  );
});

describe("an expression", () => {
  const letters = "abcd";

  /** Evaluates with these leaves true, and returns the leaves that were asked. */
  function evaluate(text: string, holding: string): [boolean, string] {
    let asked = "";
    const bits: LeafBits = {
      known: clearWords(64),
      values: clearWords(64),
      resolve: (self, slot) => {
        const letter = letters.charAt(slot - 30);
        asked += letter;
        setLeafValue(self, slot, holding.includes(letter));
        return holding.includes(letter);
      },
    };
    const source = text.replace(/\b[a-d]\b/g, (letter) => `http.host eq "${letter}"`);
    const slotOf = (test: Test) => 30 + letters.indexOf(String((leafOf(test) as FieldComparison).operand));
    return [compileExpression<LeafBits>(parse(source), slotOf)(bits), asked];
  }

  test.each([
    ["a", "a", true, "a"],
    ["a", "", false, "a"],
    ["not a", "a", false, "a"],
    ["not a", "", true, "a"],
    ["a or b", "a", true, "a"],
    ["a or b", "b", true, "ab"],
    ["a or b", "", false, "ab"],
    ["a and b", "b", false, "a"],
    ["a and b", "a", false, "ab"],
    ["a and b", "ab", true, "ab"],
    ["a or b or c", "b", true, "ab"],
    ["a or b or c", "", false, "abc"],
    ["a and b and c", "abc", true, "abc"],
    ["a and b and c", "ac", false, "ab"],
    ["a xor b", "ab", false, "ab"],
    ["a xor b", "b", true, "ab"],
    ["a xor b xor c", "abc", true, "abc"],
    ["a xor b xor c", "ac", false, "abc"],
    ["a and (b or a)", "a", true, "ab"],
    ["(a or b) and (a or c)", "a", true, "a"],
    ["a or b and c", "b", false, "abc"],
    ["not (a or b) and d", "d", true, "abd"],
  ])("`%s` where `%s` hold is %s and asks `%s`, each leaf once", (text, holding, value, asked) => {
    expect(evaluate(text, holding)).toEqual([value, asked]);
  });
});
