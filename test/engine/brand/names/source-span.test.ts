/** Spans of the normalized host, in the string that was given. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoints } from "../../../../src/engine/brand/names/alphabet.ts";
import { foldText } from "../../../../src/engine/brand/names/fold.ts";
import { sourceSpan } from "../../../../src/engine/brand/names/source-span.ts";

/** The part of the given string for a span of its normalized form. */
function partOf(source: string, start: number, end: number): string {
  const host = foldText(source.trim().replace(/\.$/, ""));
  const span = sourceSpan(source, host, { start, end });
  return source.slice(span.start, span.end);
}

describe("a span in the given string", () => {
  test.each([
    [" Login.PAYPAL.com", 6, 12, "PAYPAL"],
    ["a.b.c", 0, 5, "a.b.c"],
    ["a.b.c", 1, 2, "."],
    ["a.b.c", 3, 4, "."],
    ["a.b.c", 2, 3, "b"],
    // Full stops of other scripts, each one unit.
    ["a\u3002b\uff0ec\uff61d", 1, 2, "\u3002"],
    ["a\u3002b\uff0ec\uff61d", 2, 4, "b\uff0e"],
    ["a\u3002b\uff0ec\uff61d", 6, 7, "d"],
    ["paypal.com.", 7, 10, "com"],
    // Astral letters are two units.
    ["💩x.la", 1, 2, "x"],
    ["💩x.la", 0, 1, "💩"],
    // An A-label and a label with a ligature are whole.
    ["login.xn--paypl-7ve.com", 7, 8, "xn--paypl-7ve"],
    ["oﬃce.com", 0, 1, "oﬃce"],
    ["oﬃce.com", 7, 10, "com"],
    ["Straße.de", 0, 1, "Straße"],
    // Folding adds a dot: the whole string.
    ["a\u2025b.com", 0, 1, "a\u2025b.com"],
    ["  a\u2024b.com ", 4, 5, "a\u2024b.com"],
    ["a.b", 3, 3, ""],
  ])("%j from %i to %i is %j", (source, start, end, part) => {
    expect(partOf(source, start, end)).toBe(part);
  });

  test("an empty span is before its letter, or at the end", () => {
    expect(sourceSpan(" a.b ", "a.b", { start: 2, end: 2 })).toEqual({ start: 3, end: 3 });
    expect(sourceSpan(" a.b ", "a.b", { start: 3, end: 3 })).toEqual({ start: 4, end: 4 });
    expect(sourceSpan(" a.b ", "a.b", { start: 2, end: 9 })).toEqual({ start: 3, end: 4 });
  });

  test("of each letter of an ASCII name is that letter", () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        fc.pre(!name.toLowerCase().includes("xn--"));
        const host = name.toLowerCase();
        for (const [i] of codePoints(host).entries())
          expect(sourceSpan(name, host, { start: i, end: i + 1 })).toEqual({ start: i, end: i + 1 });
      }),
    );
  });
});
