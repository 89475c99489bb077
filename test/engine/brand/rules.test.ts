/** Mode `token`, lists of rules and mode `recommended`, by example. */
import { compileQueries, type MatchOptions, recommendedRules } from "edgeproof/brand";
import { describe, expect, test } from "vitest";

function matcher(pattern: string, limit: number, mode: MatchOptions["mode"], options: MatchOptions = {}) {
  const string_matches = [{ pattern, max_edit_distance: limit }];
  return compileQueries([{ query_id: 1, parameters: { string_matches } }], { ...options, mode });
}

describe("mode token", () => {
  test.each([
    ["paypal", 1, "secure-paypa1-login.com", 1],
    ["paypal", 1, "securepaypa1.com", undefined],
    ["paypal", 1, "paypa1.evil.com", 1],
    ["paypal", 0, "a.b-paypal.co.uk", 0],
    // Parts of the public suffix are not compared, without a look-up or after it.
    ["com", 0, "example.com", undefined],
    ["amazonaws", 0, "x.s3.amazonaws.com", undefined],
    // A pattern with n separators is compared with n + 1 neighboring parts.
    ["north-wind", 1, "my-north-w1nd-shop.com", 1],
    ["north-wind", 1, "northwind.com", undefined],
    ["north-wind", 0, "north.wind.com", undefined],
    ["north-wind", 1, "north.wind.com", 1],
    ["a--b", 0, "x-a--b.com", 0],
    // A pattern with a dot is compared with parts of the whole host.
    ["paypal.com", 0, "login.paypal.com", 0],
    ["paypal.com", 0, "paypal.com.evil.net", 0],
    // An address has no public suffix; an empty part is not compared.
    ["77", 0, "192.0.2.77", 0],
    ["ab", 2, "--.com", undefined],
    ["ab", 2, "abcdefgh--hijklmno.com", undefined],
  ] as const)("of %s within %i in %s: %s", (pattern, limit, host, distance) => {
    const [match] = matcher(pattern, limit, "token").match(host);
    expect(match?.distance).toBe(distance);
  });

  test("reports the leftmost of parts at the same distance, and its own mode", () => {
    const [match] = matcher("paypal", 2, "token").match("paypa1-paipal.com");
    expect(match).toMatchObject({ mode: "token", distance: 1, span: { start: 0, end: 6 } });
  });

  test("with separators compares runs of parts without them", () => {
    const found = matcher("coca-cola", 0, "token", { separators: true }).match("my-coca.cola.com");
    expect(found[0]).toMatchObject({ distance: 0, channel: "separators", host_span: { start: 3, end: 12 } });
  });
});

describe("a list of rules", () => {
  const rules = [{ mode: "contains", maxEdits: 0 }, { mode: "token" }] as const;

  test("finds what any of its rules finds, within the rule's or the pattern's own edits", () => {
    const found = matcher("paypal", 2, rules);
    expect(found.match("mypaypal.com")[0]).toMatchObject({ mode: "contains", distance: 0 });
    expect(found.match("my-paipai.com")[0]).toMatchObject({ mode: "token", distance: 2 });
    expect(found.match("mypaipal.com")).toEqual([]);
  });

  test("reports the smallest distance, and at equal distance the first rule", () => {
    expect(matcher("paypal", 2, rules).match("my-paypal.com")[0]?.mode).toBe("contains");
    expect(matcher("paypal", 2, [...rules].reverse()).match("my-paypal.com")[0]?.mode).toBe("token");
    const farther = [{ mode: "label" }, { mode: "contains", maxEdits: 0 }] as const;
    expect(matcher("paypal", 2, farther).match("paypalx.com")[0]).toMatchObject({
      mode: "contains",
      distance: 0,
    });
  });

  test.each([3, 14])("reports each of %i patterns once, in their order, whichever rule finds it", (count) => {
    // Longer patterns come first, so that the filter's order, which is by length, is another one.
    const patterns = Array.from({ length: count }, (_, i) => "paypal".padEnd(6 + count - i, "x"));
    const string_matches = patterns.map((pattern) => ({ pattern, max_edit_distance: 1 }));
    const host = `${patterns.join(".")}.com`;
    const query = { query_id: 1, parameters: { string_matches } };
    const found = compileQueries([query], { mode: [{ mode: "token" }, { mode: "contains" }] }).match(host);
    expect(found.map(({ pattern }) => pattern)).toEqual(patterns);
    expect(new Set(found.map(({ mode, distance }) => `${mode} ${distance}`))).toEqual(new Set(["token 0"]));
  });

  test("leaves out patterns that are shorter than a rule's minLength", () => {
    const long = [{ mode: "contains", minLength: 6 }] as const;
    expect(matcher("apple", 0, long).match("apple.com")).toEqual([]);
    expect(matcher("apples", 0, long).match("apples.com")).toHaveLength(1);
  });

  test.each([
    ["paypal.co.jp.example.com", true],
    ["paypal-co-jp.com", true],
    ["my-paypal.de.example.com", true],
    ["paypal.co.jp", false],
    ["co-jp-paypal.com", false],
    ["paypal.com.example.com", false],
    ["paypal.github.io.example.com", true],
    ["paypal.example.com", false],
  ])("with onlyWithEmbeddedSuffix in %s: %s", (host, found) => {
    const only = [{ mode: "contains", onlyWithEmbeddedSuffix: true }] as const;
    expect(matcher("paypal", 0, only).match(host)).toHaveLength(found ? 1 : 0);
  });

  test.each([
    ["amazon.co.jp.example.com", "embedded-suffix"],
    ["amazon-co-jp.com", "embedded-suffix"],
    ["amazno.co.jp.example.com", "transposition"],
    ["myamzaxon-co-jp.com", "embedded-suffix"],
  ])("names the technique of %s: %s", (host, technique) => {
    expect(matcher("amazon", 0, "recommended").match(host)[0]?.technique).toBe(technique);
  });

  test.each([
    ["all", "`mode` must be `contains`, `label`, `token`, `recommended` or a list of 1 to 10 rules"],
    [[], "found 0 rules"],
    [Array.from({ length: 11 }, () => ({ mode: "token" })), "found 11 rules"],
    [["token"], "`mode[0]` must be a rule"],
    [[{}], "`mode[0].mode` must be `contains`, `label`, `token`"],
    [
      [{ mode: "token" }, { mode: "token", maxEdits: 4 }],
      "`mode[1].maxEdits` must be an integer from 0 to 3",
    ],
    [[{ mode: "token", minLength: -1 }], "`mode[0].minLength` must be an integer from 0"],
    [[{ mode: "token", onlyWithEmbeddedSuffix: 1 }], "must be true or false"],
    [[{ mode: "token", edits: 1 }], "`mode[0]` can have only `mode`, `maxEdits`"],
    [[{ mode: "token", constructor: 1 }], "`mode[0]` can have only"],
  ])("that is %j is rejected", (mode, message) => {
    expect(() => matcher("paypal", 0, mode as never)).toThrow(message);
  });
});

describe("mode recommended", () => {
  test("is its list of rules with confusables and transpositions, which false turns off", () => {
    const listed = matcher("paypal", 1, recommendedRules, { confusables: true, transpositions: true });
    for (const host of [
      "mypаypal.com",
      "pаypai-login.com",
      "mypaipal.com",
      "xpaypai-co-jp.com",
      "papyal.com",
    ])
      expect(matcher("paypal", 1, "recommended").match(host)).toEqual(listed.match(host));
    expect(matcher("paypal", 1, "recommended", { confusables: false }).match("mypаypal.com")).toEqual([]);
  });

  test.each([
    ["paypal", "pay-pal.com", "contains"],
    ["paypal", "my.pay-pal-login.example.com", "contains"],
    ["my-ether-wallet", "myetherwallet.top", "contains"],
    ["myetherwallet", "my-ether-wallet-login.com", "contains"],
    ["myetherwallet", "the-my-etherwalet-app.com", "contains"],
    ["apple", "aplpe.com", "token"],
    ["apple", "appie-login.com", "token"],
    ["walletconnect", "walletsconnectsupports.com", "contains"],
    ["binance", "binnacee.io", "token"],
  ])("finds %s in %s by a rule of mode %s", (pattern, host, mode) => {
    expect(matcher(pattern, 0, "recommended").match(host)[0]?.mode).toBe(mode);
  });

  test.each([
    ["ledger", "lever.com"],
    ["ledger", "leader-shop.com"],
    ["apple", "angle-people.com"],
  ])("does not find %s in %s", (pattern, host) => {
    expect(matcher(pattern, 3, "recommended").match(host)).toEqual([]);
  });

  test("does not use the edit distance of a pattern", () => {
    for (const limit of [0, 3])
      expect(matcher("paypal", limit, "recommended").match("my-paipal.com")[0]?.distance).toBe(1);
  });
});

describe("a digit that is read as a letter is a homoglyph", () => {
  const pairs = ["o0", "i1", "l1", "e3", "a4", "s5", "b6", "t7"];

  /** The technique of one letter replaced by another in a pattern of it and letters that are not digits. */
  const techniqueOf = (letter: string, other: string) =>
    matcher(`q${letter}mkwu`, 1, "label").match(`q${other}mkwu.com`)[0]?.technique;

  test.each(pairs)("%s", ([letter, digit]) => {
    for (const mode of ["label", "token", "contains", "recommended"] as const) {
      const pattern = `q${letter}mk${letter}wu`;
      const [match] = matcher(pattern, 2, mode).match(`q${digit}mk${letter}wu.com`);
      const [two] = matcher(pattern, 2, mode).match(`q${digit}mk${digit}wu.com`);
      expect([mode, match?.technique, two?.technique]).toEqual([mode, "homoglyph", "homoglyph"]);
    }
  });

  test("and no other digit is", () => {
    for (const letter of "abceilost")
      for (const digit of "0123456789") {
        const isPair = pairs.includes(letter + digit);
        expect([letter, digit, techniqueOf(letter, digit) === "homoglyph"]).toEqual([letter, digit, isPair]);
      }
  });
});
