/** The laws of suggestions: the nearest candidates are those of the plain matrix, in code points. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { didYouMean, nearest } from "../../src/core/suggest.ts";
import { prefixDistances } from "../engine/brand/reference.ts";
import { runs } from "../support/runs.ts";

const points = (text: string) => [...text].map((c) => c.codePointAt(0)!);
const distance = (a: string, b: string) => prefixDistances(points(a), points(b), false).at(-1)!;

/** Letters of one and of two UTF-16 units, which share their first unit. */
const word = fc.string({ unit: fc.constantFrom(..."abé\u{10428}\u{10429}💩"), maxLength: 6 });

test("the candidates within the edits are returned, nearest first and else in their order", () => {
  let astral = 0;
  fc.assert(
    fc.property(
      word,
      fc.array(word, { maxLength: 8 }),
      fc.constantFrom(0, 1, 2, 3, Infinity),
      (text, all, edits) => {
        const expected = all
          .filter((other) => distance(text, other) <= edits)
          .sort((a, b) => distance(text, a) - distance(text, b));
        if (expected.some((other) => other.length > points(other).length)) astral += 1;
        expect(nearest(text, all, edits)).toEqual(expected);
        const records = all.map((name) => ({ name }));
        expect(nearest(text, records, edits, ({ name }) => name)).toEqual(expected.map((name) => ({ name })));
      },
    ),
    { numRuns: runs(4_000, 400) },
  );
  expect(astral).toBeGreaterThan(0);
});

test.each([
  ["chekc", ["check", "cheek"], "check"],
  ["xat", ["cat", "xal"], "xal"],
  ["\u{10428}a", ["\u{10429}a", "\u{10428}b"], "\u{10428}b"],
  // One letter of a short word, not two.
  ["💩💩", ["💩"], "💩"],
  ["💩💩", ["ab"], undefined],
  ["abc", ["xyc", "xbyz"], undefined],
  ["💩ab", ["💩ba", "💩a"], "💩ba"],
  ["", ["a"], undefined],
])("of %j and %j the suggestion is %j", (typed, words, expected) => {
  expect(didYouMean(typed, words)).toBe(expected === undefined ? "" : `; did you mean \`${expected}\`?`);
});

test("a long text is not compared with short words", () => {
  expect(didYouMean("a".repeat(1_000_000), ["abc", "aaaa"])).toBe("");
});
