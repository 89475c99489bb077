/** Generated modules are what their scripts write. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { confusablesModule } from "../../../scripts/build-confusables.ts";
import { compileNames, namesModuleSource } from "../../../scripts/build-wasm-names.ts";
import { letterSkeleton, lookAlikeLetters, skeleton } from "../../../src/engine/brand/names/confusables.ts";

const sourceOf = (name: string) =>
  readFileSync(new URL(`../../../src/engine/brand/${name}`, import.meta.url), "utf8");

describe("a generated module", () => {
  test("holds the WebAssembly of assembly/names.ts", async () => {
    expect(sourceOf("filters/names-wasm.ts")).toBe(namesModuleSource(await compileNames()));
    // The compiler alone takes seconds.
  }, 120_000);

  test("holds the Unicode confusables", () => {
    expect(sourceOf("names/confusables-table.ts").replace(/\s/g, "")).toBe(
      confusablesModule().replace(/\s/g, ""),
    );
  });
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
