/** The parts of a name in which patterns are searched, and public suffixes inside of it. */
import { describe, expect, test } from "vitest";
import type { MatchMode, Span } from "../../../../src/engine/brand/model.ts";
import { codePoints } from "../../../../src/engine/brand/names/alphabet.ts";
import { namePartsOf, searchedParts } from "../../../../src/engine/brand/names/name-parts.ts";

function cut(host: string, spans: readonly (Span | undefined)[]): (string | undefined)[] {
  const points = codePoints(host);
  return spans.map((span) => span && String.fromCodePoint(...points.slice(span.start, span.end)));
}

describe("the parts of a name", () => {
  test.each([
    ["login.paypal.co.uk", "login.paypal", "paypal", "paypal.co.uk"],
    ["paypal.com", "paypal", "paypal", "paypal.com"],
    ["com", "", undefined, undefined],
    ["192.0.2.1", "192.0.2.1", undefined, undefined],
    ["食狮.公司.cn", "食狮", "食狮", "食狮.公司.cn"],
    ["💩.💩x.la", "💩.💩x", "💩x", "💩x.la"],
  ])("%s: text `%s`, label `%s`, domain `%s`", (host, text, label, domain) => {
    const parts = namePartsOf(host);
    expect(cut(host, [parts.text, parts.label, parts.domain])).toEqual([text, label, domain]);
  });

  test("are split at dots and hyphens, empty parts too", () => {
    const host = "-a--b.c-";
    expect(cut(host, namePartsOf(host).tokens())).toEqual(["", "a", "", "b", "c", ""]);
  });

  test("convert offsets in code points to UTF-16 units", () => {
    const parts = namePartsOf("💩a💩.la");
    expect([0, 1, 2, 3, 6].map((point) => parts.unitAt(point))).toEqual([0, 2, 3, 5, 8]);
    expect([0, 3, 6].map((point) => namePartsOf("abc.la").unitAt(point))).toEqual([0, 3, 6]);
  });
});

describe("a pattern is searched", () => {
  const host = "a-b.paypal.com";
  const search = (mode: MatchMode, dotted: boolean, runLength = 1, name = host) =>
    cut(name, searchedParts(namePartsOf(name), { mode, dotted, runLength }));

  test("in mode contains in the text, or in the host when it has a dot", () => {
    expect(search("contains", false)).toEqual(["a-b.paypal"]);
    expect(search("contains", true)).toEqual([host]);
  });

  test("in mode label in the label, or in the registrable domain when it has a dot", () => {
    expect(search("label", false)).toEqual(["paypal"]);
    expect(search("label", true)).toEqual(["paypal.com"]);
    expect(search("label", false, 1, "com")).toEqual([]);
    expect(search("label", true, 1, "192.0.2.1")).toEqual([]);
  });

  test("in mode token in each part of the text, or of the host when it has a dot", () => {
    expect(search("token", false)).toEqual(["a", "b", "paypal"]);
    expect(search("token", true)).toEqual(["a", "b", "paypal", "com"]);
    expect(search("token", false, 2)).toEqual(["a-b", "b.paypal"]);
    expect(search("token", true, 3)).toEqual(["a-b.paypal", "b.paypal.com"]);
    expect(search("token", true, 5)).toEqual([]);
  });

  test("not in an empty part alone", () => {
    expect(search("token", false, 1, "a--b.com")).toEqual(["a", "b"]);
    expect(search("token", false, 2, "a--b.com")).toEqual(["a-", "-b"]);
  });
});

describe("an embedded public suffix", () => {
  test.each([
    ["paypal.co.jp.example.com", ["co", "co.jp"]],
    ["paypal-co-jp.com", ["co", "co-jp"]],
    ["paypal.jp.example.com", ["jp"]],
    ["paypal-de.com", ["de"]],
    ["paypal--co-jp.com", ["co", "co-jp"]],
    ["x-github-io-login.com", ["github-io"]],
    ["x.s3.amazonaws.com.b.net", ["s3.amazonaws.com"]],
    ["x.y.execute-api.us-east-1.amazonaws.com.b.net", ["us"]],
    // A generic suffix of one label is a word, the name's own suffix is at its end, and a suffix needs a part before it.
    ["paypal-com.net", []],
    ["paypal.co.jp", []],
    ["co.jp.com", []],
    ["de.example.com", []],
    ["-de.com", ["de"]],
    ["paypal", []],
    ["x.de-", []],
    ["paypal-de", []],
    ["x-de--y.com", ["de"]],
    ["xn--p1ai.de1.com", []],
  ])("of %s is one of %j", (host, suffixes) => {
    expect(cut(host, namePartsOf(host).embeddedSuffixes())).toEqual(suffixes);
  });
});
