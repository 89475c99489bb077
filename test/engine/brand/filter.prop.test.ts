/** The filters' law: whichever algorithm has a pattern, no pattern that matches is left out. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../src/core/work/steps.ts";
import { type FilterSetting, filterSteps } from "../../../src/engine/brand/filters/filter.ts";
import { namesMemory } from "../../../src/engine/brand/filters/filter-memory.ts";
import { runs } from "../../support/runs.ts";
import { prefixDistances } from "./reference.ts";

/** Letter ids below `letters`; 0 is a letter of no pattern. */
function lettersBelow(letters: number, from: number, minLength: number, maxLength: number) {
  return fc.array(fc.integer({ min: from, max: letters - 1 }), { minLength, maxLength });
}

/** A text that repeats a pattern with some letters changed, so that near misses are common. */
function textAround(patterns: readonly (readonly number[])[], letters: number) {
  const parts = fc.array(
    fc.oneof(fc.constantFrom(...patterns), lettersBelow(letters, 0, 0, 4), lettersBelow(letters, 0, 10, 80)),
    { minLength: 1, maxLength: 4 },
  );
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: letters - 1 }), fc.nat(2)), {
    maxLength: 4,
  });
  return fc.tuple(parts, edits).map(([texts, changes]) => {
    const text = texts.flat();
    for (const [place, letter, kind] of changes)
      text.splice(place % (text.length + 1), kind, ...[letter].slice(kind > 1 ? 1 : 0));
    return text.slice(0, 253);
  });
}

const cases = fc.constantFrom(3, 6, 27, 120).chain((letters) =>
  fc
    .array(fc.record({ ids: lettersBelow(letters, 1, 1, 40), limit: fc.nat(3) }), {
      minLength: 1,
      maxLength: 70,
    })
    .chain((patterns) =>
      fc.record({
        patterns: fc.constant(patterns),
        text: textAround(
          patterns.map(({ ids }) => ids),
          letters,
        ),
        before: fc.nat(5),
      }),
    ),
);

/** Letters share classes from 64 on. */
const classOf = (id: number) => (id < 64 ? id : 1 + (id % 63));

function search(
  patterns: readonly { ids: number[]; limit: number }[],
  text: number[],
  before: number,
  setting: FilterSetting,
) {
  const filter = runSteps(filterSteps(patterns, setting));
  text.forEach((id, i) => {
    namesMemory().channel[before + i] = classOf(id);
  });
  const count = filter.find(before, before + text.length);
  return { filter, found: Array.from({ length: count }, (_, i) => filter.found(i)) };
}

function nearest(
  pattern: readonly number[],
  text: readonly number[],
  { mode, transpositions }: FilterSetting,
): number {
  // Letter 0 equals nothing, not even itself.
  const letters = text.map((id) => (id === 0 ? -1 : id));
  if (mode === "label") return prefixDistances(pattern, letters, transpositions).at(-1)!;
  const starts = Array.from({ length: letters.length + 1 }, (_, i) =>
    letters.slice(i, i + pattern.length + 4),
  );
  return Math.min(...starts.map((part) => Math.min(...prefixDistances(pattern, part, transpositions))));
}

describe.each(["label", "contains"] as const)("the filter for %s", (mode) => {
  test.each([
    ["index", { mode, transpositions: false, minIndexed: 1 }],
    ["scan", { mode, transpositions: false, minIndexed: Infinity }],
    ["scan with swaps", { mode, transpositions: true, minIndexed: Infinity }],
    ["index with swaps", { mode, transpositions: true, minIndexed: 1 }],
  ] as const)("leaves none out: %s", (_, setting) => {
    let indexed = 0;
    fc.assert(
      fc.property(cases, ({ patterns, text, before }) => {
        const { filter, found } = search(patterns, text, before, setting);
        indexed += filter.shares.indexed;
        expect(new Set(found).size).toBe(found.length);
        patterns.forEach(({ ids, limit }, i) => {
          if (nearest(ids, text, setting) <= limit) expect(found).toContain(i);
        });
      }),
      { numRuns: runs(150, 50) },
    );
    // The path that is meant is the path that was taken.
    expect(indexed > 0).toBe(_.startsWith("index"));
  });

  test("proposes only matches while the alphabet is small and patterns fit a word", () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ patterns, text, before }, transpositions) => {
        const short = patterns.filter(({ ids }) => ids.every((id) => id < 64) && ids.length <= 29);
        const part = text.slice(0, 64).map((id) => (id < 64 ? id : 0));
        fc.pre(short.length > 0);
        const setting = { mode, transpositions, minIndexed: 1 };
        const { found } = search(short, part, before, setting);
        const isTooFar = (i: number) => nearest(short[i]!.ids, part, setting) > short[i]!.limit;
        expect([...found].filter(isTooFar)).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });
});
