/** Matches by example. */
import { compileQueries, type MatchOptions } from "edgeproof/brand";
import { describe, expect, test } from "vitest";

function matcher(pattern: string, limit: number, options?: MatchOptions) {
  return compileQueries(
    [{ query_id: 7, parameters: { string_matches: [{ pattern, max_edit_distance: limit }] } }],
    options,
  );
}

describe("a match", () => {
  test("has all members", () => {
    expect(matcher("paypal", 1).match(" Secure-PayPa1.Example.com.")).toEqual([
      {
        query_id: 7,
        pattern_index: 0,
        pattern: "paypal",
        distance: 1,
        span: { start: 8, end: 13 },
        host: "secure-paypa1.example.com",
        host_span: { start: 7, end: 12 },
        mode: "contains",
        channel: "plain",
        technique: "homoglyph",
        score: expect.closeTo(0.643, 3),
      },
    ]);
  });

  test.each([
    ["cloudflare", 2, {}, "cloudfalre.com", 2],
    ["cloudflare", 0, {}, "cloudflare-okta.com", 0],
    ["cloudflare", 0, { mode: "label" }, "cloudflare-okta.com", undefined],
    ["cloudflare", 1, {}, "cloudfalre.com", undefined],
    ["cloudflare", 1, { transpositions: true }, "cloudfalre.com", 1],
    // The public suffix is not searched, private ones neither; a pattern with a dot is searched in the whole host.
    ["github", 0, {}, "evil.github.io", undefined],
    ["evil.github", 0, {}, "evil.github.io", 0],
    ["paypal.com", 0, {}, "paypal.com.evil.net", 0],
    ["paypal.com", 1, { mode: "label" }, "login.paypa1.com", 1],
    ["paypal.com", 0, { mode: "label" }, "paypal.com.evil.net", undefined],
    // The registrable label as a whole.
    ["paypal", 1, { mode: "label" }, "www.paypa1.co.uk", 1],
    ["paypal", 1, { mode: "label" }, "paypal.evil.com", undefined],
    ["paypal", 3, { mode: "label" }, "192.0.2.1", undefined],
    // Code points, not units; folded and decoded.
    ["💩💩", 1, {}, "xn--ls8h.la", 1],
    ["STRASSE", 0, {}, "straße.de", 0],
    ["paypal", 0, {}, "paypаl.com", undefined],
    ["paypal", 0, { confusables: true }, "xn--pypal-4ve.com", 0],
    ["modern", 0, { confusables: true }, "rnodem.com", 0],
    ["paypal", 0, { separators: true }, "pay-p.al.com", 0],
    ["coca-cola", 0, { separators: true }, "cocacola.com", 0],
    ["paypal", 0, { confusables: true, separators: true }, "pay-pa1.com", 0],
    // As little as nothing is a part of a name.
    ["ab", 2, {}, "xyz.com", 2],
  ] as const)("of %s within %i, %j, in %s: %s", (pattern, limit, options, host, distance) => {
    expect(matcher(pattern, limit, options).match(host)[0]?.distance).toBe(distance);
  });

  test("has the smallest distance, then the leftmost, then the shortest span", () => {
    const spanIn = (host: string) => matcher("abcd", 2).match(host)[0]?.span;
    expect(spanIn("abxd-abcd.com")).toEqual({ start: 5, end: 9 });
    expect(spanIn("abcd-abcd.com")).toEqual({ start: 0, end: 4 });
    expect(spanIn("abc-abcx.com")).toEqual({ start: 0, end: 3 });
  });

  test("spans the whole of a decoded label in the given string", () => {
    const given = "login.xn--paypl-7ve.com";
    const [match] = matcher("payp", 0).match(given);
    expect(given.slice(match!.span.start, match!.span.end)).toBe("xn--paypl-7ve");
    expect(match!.host_span).toEqual({ start: 6, end: 10 });
  });

  test("names the channel with the smallest distance, `plain` first", () => {
    const both = matcher("paypal", 1, { confusables: true, separators: true });
    expect(both.match("paypal.com")[0]?.channel).toBe("plain");
    expect(both.match("paypa1.com")[0]).toMatchObject({ channel: "confusables", distance: 0 });
    expect(both.match("pay-pal.com")[0]).toMatchObject({ channel: "separators", distance: 0 });
    expect(both.match("pay-pa1.com")[0]).toMatchObject({ channel: "confusables+separators", distance: 0 });
  });

  test("is returned for each pattern of each query in their order, by its own limit", () => {
    const matches = compileQueries([
      {
        query_id: 2,
        parameters: {
          string_matches: [
            { pattern: "pal", max_edit_distance: 0 },
            { pattern: "paypal", max_edit_distance: 0 },
          ],
        },
      },
      { query_id: 1, parameters: { string_matches: [{ pattern: "PayPal", max_edit_distance: 1 }] } },
    ]).match("paypa1-pal.com");
    expect(matches.map((m) => [m.query_id, m.pattern_index, m.pattern, m.distance])).toEqual([
      [2, 0, "pal", 0],
      [1, 0, "PayPal", 1],
    ]);
  });

  test("does not exist for an invalid host, and scores higher for smaller distances and longer patterns", () => {
    const m = matcher("paypal", 3);
    for (const bad of ["", "a b", "https://paypal.com", "..", "\0", 7 as unknown as string]) {
      expect(m.match(bad)).toEqual([]);
    }
    const scores = ["paypal.com", "paypa1.com", "p4ypa1.com"].map((host) => m.match(host)[0]!.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
    expect(matcher("paypals", 1).match("paypal.com")[0]!.score).toBeGreaterThan(
      matcher("paypa", 1).match("payp.com")[0]!.score,
    );
  });
});
