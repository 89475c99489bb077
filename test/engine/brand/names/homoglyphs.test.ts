/** Homoglyphs: the look-alikes that an independent table of replacements makes, and the best known ones by name. */
import { compileQueries } from "edgeproof/brand";
import { describe, expect, test } from "vitest";
import { letterSkeleton, skeleton } from "../../../../src/engine/brand/names/confusables.ts";
import { glyphSets, homoglyphsOf, names } from "./homoglyph-table.ts";

function matcherOf(pattern: string, limit: number) {
  const string_matches = [{ pattern, max_edit_distance: limit }];
  return compileQueries([{ query_id: 1, parameters: { string_matches } }], { confusables: true });
}

/** The share of the look-alikes of all names that are found within so many edits. */
function recallWithin(limit: number, set: keyof typeof glyphSets): number {
  let [all, found] = [0, 0];
  for (const name of names) {
    const matcher = matcherOf(name, limit);
    for (const label of homoglyphsOf(name, glyphSets[set])) {
      all += 1;
      if (matcher.match(`${label}.com`).length > 0) found += 1;
    }
  }
  return found / all;
}

describe("confusables", () => {
  test.each([
    ["netflix", "nètflîx.com"],
    ["microsoft", "mícrósóft.com"],
    ["paypal", "pàypal.com"],
    ["apple", "xn--80ak6aa92e.com"],
    ["wellsfargo", "vvellsfargo.com"],
    ["discord", "cliscord.com"],
    ["netflix", "ŋeŧflix.com"],
    ["facebook", "fәcebooк.com"],
    ["netflix", "nэtflіх.com"],
    ["google", "qooqlє.com"],
    ["paypal", "pаypał.com"],
  ])("find %s in %s within 0 edits, as a homoglyph", (pattern, host) => {
    const [match] = matcherOf(pattern, 0).match(host);
    expect([match?.distance, match?.technique, match?.channel]).toEqual([0, "homoglyph", "confusables"]);
  });

  test("find at least 98 % of look-alikes with one or two replaced letters within 0 edits", () => {
    expect(recallWithin(0, "all")).toBeGreaterThanOrEqual(0.98);
  });

  test("find at least 99 % of them within 1 edit", () => {
    expect(recallWithin(1, "all")).toBeGreaterThanOrEqual(0.99);
  });

  test("find at least 99.9 % within 0 edits whose ASCII replacements are in skeletons", () => {
    expect(recallWithin(0, "accepted")).toBeGreaterThanOrEqual(0.999);
  });

  test("find other replaced letters only where a letter outside of ASCII is in the match", () => {
    expect(matcherOf("discord", 0).match("dlscörd.com")[0]?.distance).toBe(0);
    expect(matcherOf("discord", 0).match("dlscord.com")).toEqual([]);
    expect(matcherOf("discord", 0).match("ö-dlscord.com")).toEqual([]);
  });

  test("find no other replaced letters of patterns of fewer than 5 letters", () => {
    expect(matcherOf("ebay", 0).match("ébay.com")).toHaveLength(1);
    expect(matcherOf("ebay", 0).match("édáy.com")).toEqual([]);
    expect(matcherOf("ebays", 0).match("édáys.com")).toHaveLength(1);
  });

  test("have spans of whole letters, also where one letter has a prototype of two", () => {
    const [match] = matcherOf("downward", 0).match("my-clovvnward.com");
    expect(match?.span).toEqual({ start: 3, end: 13 });
    expect(matcherOf("cloud", 0).match("a-doud.com")[0]?.span).toEqual({ start: 2, end: 6 });
  });
});

describe("a skeleton", () => {
  test("of an ASCII letter is the letter itself, except for 0, 1, m, and d, q, v and w of the supplement", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789-._*"];
    const changed = letters.filter((letter) => skeleton(letter) !== letter);
    expect(changed.map((letter) => [letter, skeleton(letter)])).toEqual([
      ["d", "cl"],
      ["m", "rn"],
      ["q", "g"],
      ["v", "u"],
      ["w", "uu"],
      ["0", "o"],
      ["1", "l"],
    ]);
  });

  test("of a combining mark alone is empty, so that a name of marks does not match", () => {
    expect(letterSkeleton(0x301)).toBe("");
    expect(matcherOf("paypal", 0).match("\u0301\u0300.com")).toEqual([]);
  });
});
