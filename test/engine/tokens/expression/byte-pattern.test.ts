/** Patterns over bytes: `(?i)` ignores the case of ASCII letters alone, and everything else is as without it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bytePatternProblem,
  compileBytePattern,
} from "../../../../src/engine/tokens/expression/patterns/byte-pattern.ts";
import { runs } from "../../../support/runs.ts";

test.each([
  // Measured on a build of the provider's open source engine.
  ["(?i)k", "K", true],
  ["(?i)\\xc3", "\xe3", false],
  ["(?i)\\xe3", "\xc3", false],
  ["(?i)[\\xc0-\\xdf]", "\xe3", false],
  ["(?i)\\xc3", "\xc3", true],
  ["(?i)[^k]", "K", false],
  ["(?i)\\x6b", "K", true],
  // The bytes of é, É and a letter that has the second byte of é.
  ["(?i)\xc3\xa9", "\xc3\x89", false],
  ["(?i)\xc3\xa9", "\xe3\xa9\x80", false],
  ["(?i)caf\xc3\xa9", "CAF\xc3\xa9", true],
  ["(?i)\\Q\xe9\\E", "\xe9", true],
  ["(?i)\\Q\xe9\\E", "\xc9", false],
  ["(?i)\\351", "\xe9", true],
  ["(?i)\\351", "\xc9", false],
  ["(?i)\\x{e9}", "\xc9", false],
  ["(?i)\\\\xe9", "\\xE9", true],
  ["(?i)[\\x00-\\xff]{2}$", "a\xff", true],
  ["(?i)[^\\x80-\\xff]", "\x80\xff", false],
  ["(?is)^..$", "\xc3\xa9", true],
  ["a(?i:\xe9)", "a\xc9", false],
])("%s in %j: %s", (pattern, bytes, found) => {
  expect(bytePatternProblem(pattern)).toBeUndefined();
  expect(compileBytePattern(pattern)(bytes)).toBe(found);
});

test("a problem names the pattern as it was written", () => {
  expect(bytePatternProblem("(?i)\xe9(")).toBe("error parsing regexp: missing closing ): `(?i)\xe9(`");
});

test("(?i) finds what the pattern without it finds in the letters of one case", () => {
  const unit = fc.constantFrom("a", "k", "s", "\x80", "\xc3", "\xe3", "\xe9", "\xff", "1");
  const piece = fc.oneof(
    unit,
    fc.constantFrom("\\xc3", "[\\xc0-\\xdf]", "[^\\xe9]", "[a-k\xe9]", ".", "\\351", "\\x{ff}"),
  );
  const bytes = fc.string({ unit, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), bytes, (pieces, text) => {
      const pattern = pieces.join("");
      const expected = compileBytePattern(pattern)(text);
      expect(compileBytePattern(`(?i)${pattern}`)(text)).toBe(expected);
      const upper = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
      expect(compileBytePattern(`(?i)${pattern}`)(upper)).toBe(expected);
    }),
    { numRuns: runs(2000) },
  );
});
