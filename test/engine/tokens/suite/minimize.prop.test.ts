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
      for (const one of kept) {
        const others = kept.filter((other) => other !== one);
        expect(fulfilled(others)).toBeLessThan(fulfilled(lists));
      }
    }),
  );
});

test("of tests with the same requirements the first is kept", () => {
  expect(minimizeTests([[1], [1, 2], [2]])).toEqual([1]);
});
