/** Minimized lists of tests fulfill everything, and none of them can be left out. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { minimizeTests } from "../../../../src/engine/tokens/suite/minimize.ts";

const tests = fc.array(fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 6 }), { maxLength: 12 });

function fulfilled(lists: readonly (readonly number[])[]): number {
  return new Set(lists.flat()).size;
}

test("a minimized list fulfills the same, and every test of it is needed", () => {
  fc.assert(
    fc.property(tests, (lists) => {
      const kept = minimizeTests(lists).map((i) => lists[i] ?? []);
      expect(fulfilled(kept)).toBe(fulfilled(lists));
      for (const index of kept) {
        const others = kept.filter((other) => other !== index);
        expect(fulfilled(others)).toBeLessThan(fulfilled(lists));
      }
    }),
  );
});

test("of tests with the same requirements the first is kept", () => {
  expect(minimizeTests([[1], [1, 2], [2]])).toEqual([1]);
});

/** The same choice by looking at every test again and again. */
function minimizePlainly(lists: readonly (readonly number[])[]): readonly number[] {
  const open = new Set(lists.flat());
  const chosen: number[] = [];
  while (open.size > 0) {
    const gains = lists.map((list) => list.filter((item) => open.has(item)).length);
    const best = gains.indexOf(Math.max(...gains));
    chosen.push(best);
    for (const item of lists[best] ?? []) open.delete(item);
  }
  const kept = new Set(chosen);
  for (const test of chosen.toReversed()) {
    const others = new Set([...kept].flatMap((other) => (other === test ? [] : (lists[other] ?? []))));
    if ((lists[test] ?? []).every((item) => others.has(item))) kept.delete(test);
  }
  return [...kept].sort((a, b) => a - b);
}

test("the kept tests are those of the plain algorithm", () => {
  fc.assert(
    fc.property(tests, (lists) => {
      expect(minimizeTests(lists)).toEqual(minimizePlainly(lists));
    }),
  );
});
