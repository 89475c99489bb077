/** The table of confusables is what its script writes, and skeletons read it. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { confusablesModule } from "../../../scripts/build-confusables.ts";
import { letterSkeleton, lookAlikeLetters, skeleton } from "../../../src/engine/brand/names/confusables.ts";

test("the generated table has the Unicode confusables", () => {
  const path = new URL("../../../src/engine/brand/names/confusables-table.ts", import.meta.url);
  expect(readFileSync(path, "utf8").replace(/\s/g, "")).toBe(confusablesModule().replace(/\s/g, ""));
});

describe("a skeleton", () => {
  test("is the same for confusable strings", () => {
    expect(skeleton("paypа1")).toBe(skeleton("paypal"));
    expect(skeleton("g00gle")).toBe("google");
    expect(skeleton("modern")).toBe(skeleton("rnodem"));
    expect(skeleton("é")).toBe("e");
  });

  test("is composed of the skeletons of the letters, also for a string that is its own skeleton", () => {
    for (const text of ["abcdefghijklmnopqrstuvwxyz", "0123456789-._*", "paypаl"]) {
      expect(skeleton(text)).toBe([...text].map((c) => letterSkeleton(c.codePointAt(0)!)).join(""));
    }
  });

  test("leads to all letters with the same skeleton", () => {
    expect(lookAlikeLetters("a")).toContain("а");
    expect(lookAlikeLetters("o")).toContain("0");
    expect(lookAlikeLetters("1")).toContain("l");
    expect(lookAlikeLetters("a")).not.toContain("a");
  });
});
