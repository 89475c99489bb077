import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText, encodeKey, encodeText } from "../../../src/store/sql/statements/text.ts";
import { runs } from "../../support/runs.ts";

/** Strings of few, mostly special characters, so that they collide. */
const awkward = fc
  .array(
    fc.constantFrom("\0", "\u0001", "\u0002", "\u0003", "\u0004", "\u0005", "a", "b", "é", "\uffff", "😀"),
    {
      maxLength: 6,
    },
  )
  .map((characters) => characters.join(""));
const lone = fc.constantFrom("\ud800", "\ud801", "\udfff", "a\ud83d", "\ude00");
const bytes = (text: string) => Buffer.from(text);

describe("strings in columns", () => {
  test("contain nothing that PostgreSQL or UTF-8 cannot store", () => {
    fc.assert(
      fc.property(fc.oneof(awkward, lone, fc.string({ unit: "binary" })), (text) => {
        expect(encodeText(text)).not.toContain("\0");
        expect(bytes(encodeText(text)).toString()).toBe(encodeText(text));
      }),
    );
  });

  test("differ when the strings differ, in code point order", () => {
    fc.assert(
      fc.property(awkward, awkward, (a, b) => {
        expect(Math.sign(Buffer.compare(bytes(encodeText(a)), bytes(encodeText(b))))).toBe(
          Math.sign(Buffer.compare(bytes(a), bytes(b))),
        );
      }),
      { numRuns: runs(1000) },
    );
  });

  test("contain the encodings of exactly the substrings of the string", () => {
    fc.assert(
      fc.property(awkward, awkward, (text, part) => {
        expect(encodeText(text).includes(encodeText(part))).toBe(text.includes(part));
      }),
      { numRuns: runs(2000) },
    );
  });

  test("distinguish lone surrogates from each other and from U+FFFD", () => {
    const texts = ["\ud800", "\ud801", "\udc00", "\udfff", "\ufffd", "😀", "\ud83d", "\ude00", "\u0004"];
    expect(new Set(texts.map(encodeText)).size).toBe(texts.length);
  });

  test("decode to the original string", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(awkward, lone, fc.string({ unit: "binary" }))), (texts) => {
        expect(decodeText(encodeText(texts.join("")))).toBe(texts.join(""));
      }),
    );
    expect(() => decodeText(encodeKey("x".repeat(600)))).toThrow("was cut");
  });

  test("are unchanged without control characters and lone surrogates", () => {
    expect(encodeText("rules/été 😀 100%")).toBe("rules/été 😀 100%");
  });
});

describe("strings in indexes", () => {
  const long = "é".repeat(300);

  test("are encoded as in columns up to 512 bytes", () => {
    for (const text of ["", "a\0", "x".repeat(512), "é".repeat(256)])
      expect(encodeKey(text)).toBe(encodeText(text));
  });

  test("are at most 512 bytes, so that five fit an index of PostgreSQL", () => {
    for (const text of [long, "x".repeat(513), "😀".repeat(5000), "a".repeat(399) + long, "\0".repeat(600)])
      expect(bytes(encodeKey(text)).length).toBeLessThanOrEqual(512);
  });

  test("differ when only the ends differ, and keep the beginning", () => {
    expect(encodeKey(`${long}a`)).not.toBe(encodeKey(`${long}b`));
    expect(encodeKey(long).startsWith("é".repeat(200))).toBe(true);
    expect(encodeKey(`${"x".repeat(399)}${long}`)).not.toContain("\ufffd");
  });

  test("never equal the encoding of a string that looks like a cut key", () => {
    const shortened = encodeKey(long);
    expect(encodeKey(shortened)).not.toBe(shortened);
  });
});
