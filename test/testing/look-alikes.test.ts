/** The generator makes what it says, and the matcher names each kind as what it is. */
import { compileQueries, normalizeHost } from "edgeproof/brand";
import { describe, expect, test } from "vitest";
import { type LookAlike, lookAlikeKinds, lookAlikes } from "../../src/testing/look-alikes.ts";

const domains = [
  "paypal.com",
  "microsoft.com",
  "example.co.uk",
  "lloydsbank.com",
  "bankofamerica.com",
  "hornet7.io",
];

function queryFor(...patterns: string[]) {
  return [
    {
      query_id: 1,
      parameters: { string_matches: patterns.map((pattern) => ({ pattern, max_edit_distance: 3 })) },
    },
  ];
}

describe("look-alikes", () => {
  test("are made by each technique", () => {
    expect([...lookAlikes("paypal.com", { kinds: ["transposition"] })].map((made) => made.domain)).toEqual([
      "apypal.com",
      "pyapal.com",
      "papyal.com",
      "payapl.com",
      "paypla.com",
    ]);
    expect([...lookAlikes("www.ab.com", { kinds: ["omission", "repetition", "hyphenation"] })]).toEqual([
      { domain: "b.com", technique: "omission", changes: 1 },
      { domain: "a.com", technique: "omission", changes: 1 },
      { domain: "aab.com", technique: "repetition", changes: 1 },
      { domain: "abb.com", technique: "repetition", changes: 1 },
      { domain: "a-b.com", technique: "hyphenation", changes: 1 },
    ]);
  });

  test("come in every kind, each name once, none the original, all of them names", () => {
    for (const domain of domains) {
      const made = [...lookAlikes(domain)];
      expect(new Set(made.map(({ technique }) => technique))).toEqual(new Set(lookAlikeKinds));
      expect(new Set(made.map((lookAlike) => lookAlike.domain)).size).toBe(made.length);
      expect(made.some((lookAlike) => lookAlike.domain === domain)).toBe(false);
      expect(made.filter((lookAlike) => !normalizeHost(lookAlike.domain).ok)).toEqual([]);
    }
  });

  test("include letters of other scripts in A-labels", () => {
    const made = [...lookAlikes("paypal.com", { kinds: ["homoglyph"] })].map((lookAlike) => lookAlike.domain);
    expect(made).toContain("xn--pypal-4ve.com"); // а is Cyrillic
    expect(made).toContain("paypa1.com");
  });

  test("are made lazily", () => {
    const first = lookAlikes("paypal.com").next().value as LookAlike;
    expect(first.technique).toBe("homoglyph");
  });

  test("of several homoglyphs come after those of one change, all of them, each found within 0 edits", () => {
    const made = [...lookAlikes("amd.com", { kinds: ["homoglyph", "omission"], maxChanges: 3 })];
    const changes = made.map((lookAlike) => lookAlike.changes);
    expect(changes).toEqual([...changes].sort());
    expect(
      made.filter(({ technique }) => technique === "omission").every((lookAlike) => lookAlike.changes === 1),
    ).toBe(true);
    const perLetter = [..."amd"].map((letter) => {
      const first = [...lookAlikes(`${letter}.com`, { kinds: ["homoglyph"] })];
      return first.length;
    });
    const [a = 0, m = 0, d = 0] = perLetter;
    const count = (n: number) =>
      made.filter((lookAlike) => lookAlike.technique === "homoglyph" && lookAlike.changes === n).length;
    // Of several changes some names are made twice, and some cannot be encoded.
    expect(count(1)).toBeGreaterThanOrEqual(0.98 * (a + m + d));
    expect(count(2)).toBeGreaterThan(0.9 * (a * m + a * d + m * d));
    expect(count(3)).toBeGreaterThan(0.9 * a * m * d);
    const string_matches = [{ pattern: "amd", max_edit_distance: 0 }];
    const { match } = compileQueries([{ query_id: 1, parameters: { string_matches } }], {
      confusables: true,
    });
    // No skeleton shares a digit such as 4.
    const homoglyphs = made.filter(
      ({ technique, domain }) => technique === "homoglyph" && domain !== "4md.com",
    );
    expect(homoglyphs.filter(({ domain }) => match(domain).length === 0)).toEqual([]);
  });

  test("end at the limit, without making further ones", () => {
    const made = [
      ...lookAlikes("a-long-name-of-a-brand.com", { kinds: ["homoglyph"], maxChanges: 63, limit: 5_000 }),
    ];
    expect(made).toHaveLength(5_000);
    expect(new Set(made.map(({ changes }) => changes))).toEqual(new Set([1, 2]));
    expect([...lookAlikes("ab.com", { limit: 1 })]).toHaveLength(1);
  });

  test.each([
    [{ limit: 0 }, "`limit` must be an integer from 1; found `0`."],
    [{ limit: 1.5 }, "`limit` must be an integer from 1; found `1.5`."],
    [{ limit: Object.create(null) }, "`limit` must be an integer from 1; found an object."],
    [{ maxChanges: 64 }, "`maxChanges` must be an integer from 1 to 63; found `64`."],
  ])("reject %j", (options, message) => {
    expect(() => lookAlikes("paypal.com", options).next()).toThrow(new RangeError(message));
  });

  test("reject a domain without a registrable label and an unknown technique", () => {
    expect(() => lookAlikes("co.uk").next()).toThrow(
      "The domain must have a registrable label, such as paypal.com; found `co.uk`.",
    );
    expect(() => lookAlikes("a b.com").next()).toThrow(TypeError);
    expect(() => lookAlikes("a.com", { kinds: ["toString" as "omission"] }).next()).toThrow(
      /; found `toString`\.$/,
    );
  });
});

describe("a technique", () => {
  test.each(domains)("is named for every look-alike of %s", (domain) => {
    const label = domain.slice(0, domain.indexOf("."));
    const plain = compileQueries(queryFor(label), { transpositions: true });
    const dotted = compileQueries(queryFor(domain));
    const wrong = [...lookAlikes(domain)].flatMap(({ domain: made, technique }) => {
      // Only a pattern with a suffix knows that the suffix is another one.
      const match = (technique === "tld-swap" ? dotted : plain).match(made)[0];
      if (technique === "tld-swap" && match === undefined) return [];
      return match?.technique === technique ? [] : [[made, technique, match?.technique]];
    });
    expect(wrong).toEqual([]);
  });

  test("of the name itself is exact", () => {
    expect(compileQueries(queryFor("paypal")).match("www.paypal.com")[0]?.technique).toBe("exact");
  });

  test.each([
    ["secure-paypal.com", "combosquat"],
    ["paypal.com.evil.net", "subdomain"],
    ["paypa1-login.com", "homoglyph"],
    ["my-pay-pal.com", "hyphenation"],
    ["payapl-login.com", "transposition"],
    ["paypol-login.com", "vowel-swap"],
    ["paupal-login.com", "keyboard-neighbour"],
    ["paytal-login.com", "bitsquat"],
    ["paycal-login.com", "replacement"],
    ["payyypal.com", "repetition"],
  ] as const)("among other letters: %s", (host, technique) => {
    expect(compileQueries(queryFor("paypal")).match(host)[0]?.technique).toBe(technique);
  });

  test("of no other technique is other", () => {
    expect(compileQueries(queryFor("paypal")).match("my-pxayal3.com")[0]?.technique).toBe("other");
  });
});
