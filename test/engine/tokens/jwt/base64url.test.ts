import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase64url, explainBase64url } from "../../../../src/engine/tokens/jwt/base64url.ts";
import { runs } from "../../../support/runs.ts";

/** The plain twin: the right characters only, and what an encoder writes for the bytes. */
function isCanonical(text: string): boolean {
  return /^[A-Za-z0-9_-]*$/.test(text) && Buffer.from(text, "base64url").toString("base64url") === text;
}

const almostBase64url = fc.string({
  unit: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(..."ABCDwxyz0123456789-_") },
    {
      weight: 1,
      arbitrary: fc.constantFrom("+", "/", "=", " ", "\n", "\0", ".", "é", "\u0141", "\u4141", "😀"),
    },
  ),
  maxLength: 40,
});

describe("decodeBase64url", () => {
  test("decoding reverses encoding", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase64url(Buffer.from(bytes).toString("base64url"))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test("accepts exactly the canonical encodings", () => {
    fc.assert(
      fc.property(almostBase64url, (text) => {
        expect(decodeBase64url(text) !== undefined).toBe(isCanonical(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  test("accepts one encoding for each last group of characters", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const accepted = (length: number) =>
      [...alphabet].filter((last) => decodeBase64url("A".repeat(length - 1) + last) !== undefined).length;
    expect([1, 2, 3, 4].map(accepted)).toEqual([0, 4, 16, 64]);
  });
});

describe("explainBase64url", () => {
  test.each([
    ["AQ==", "has padding, which is not allowed"],
    ["A+B/", "has the character `+`, which is not base64url"],
    ["A😀BC", "has the character U+1F600, which is not base64url"],
    ["A BC", "has the character U+0020, which is not base64url"],
    ["ABCDE", "has a length of 5, which base64url never has"],
    ["AB", "is not canonical base64url: its last character has bits that are not used and not zero"],
  ])("%s", (text, explained) => {
    expect(decodeBase64url(text)).toBeUndefined();
    expect(explainBase64url(text)).toBe(explained);
  });
});
