import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareInStores, compareText, compareValues, orderedPrefix } from "../../src/store/order.ts";
import { encodeKey, encodeText } from "../../src/store/sql/statements/text.ts";
import { runs } from "../support/runs.ts";

const unit = fc.constantFrom(
  ..."\0\u0001\u0004\u0005aé\uffff\ue000",
  "😀",
  "\u{10ffff}",
  "\ud83d",
  "\ude00",
  "\ud800",
  "\udfff",
);
const anyString = fc.array(unit, { maxLength: 6 }).map((units) => units.join(""));
/** Strings that differ near the 400th byte. */
const longString = fc
  .tuple(fc.constantFrom("x", "é", "😀"), fc.integer({ min: 360, max: 420 }), anyString, fc.nat(200))
  .map(([filler, bytes, end, more]) => {
    const count = Math.floor(bytes / Buffer.byteLength(filler));
    return `${filler.repeat(count)}${end}${"y".repeat(more)}`;
  });
const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe("the order of strings", () => {
  test("is the order of code points, and of the columns of SQL stores", () => {
    fc.assert(
      fc.property(anyString, anyString, (a, b) => {
        const expected = compareBytes(encodeText(a), encodeText(b));
        expect(Math.sign(compareText(a, b))).toBe(expected);
        if (a.isWellFormed() && b.isWellFormed()) expect(compareBytes(a, b)).toBe(expected);
      }),
      { numRuns: runs(5000) },
    );
  });

  test("is the same in every store for strings with different ordered prefixes", () => {
    fc.assert(
      fc.property(longString, longString, (a, b) => {
        const common = Math.sign(compareInStores(a, b));
        if (common === 0) return;
        expect(Math.sign(compareText(a, b))).toBe(common);
        expect(compareBytes(encodeKey(a), encodeKey(b))).toBe(common);
      }),
      { numRuns: runs(3000) },
    );
  });

  test("looks at the whole of a string of up to 390 bytes, and at no more than 400 of a longer one", () => {
    for (const filler of ["x", "é", "\uffff", "😀", "\0", "\ud800"]) {
      const size = Buffer.byteLength(encodeText(filler));
      const whole = filler.repeat(Math.floor(390 / size));
      expect(orderedPrefix(whole)).toBe(whole);
      expect(Buffer.byteLength(encodeText(orderedPrefix(filler.repeat(500))))).toBeLessThanOrEqual(400);
    }
  });
});

test("numbers are ordered by value, false before true", () => {
  expect([3, -1, 20, 0].sort(compareValues)).toEqual([-1, 0, 3, 20]);
  expect([true, false, true].sort(compareValues)).toEqual([false, true, true]);
  expect(compareInStores(1, 2)).toBeLessThan(0);
});
