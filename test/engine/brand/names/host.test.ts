/** Normalization of hosts: examples, invalid hosts, and the public suffix of tldts. */
import { normalizeHost } from "edgeproof/brand";
import fc from "fast-check";
import { parse } from "tldts";
import { describe, expect, test } from "vitest";
import { foldText } from "../../../../src/engine/brand/names/fold.ts";
import { runs } from "../../../support/runs.ts";

function partsOf(source: string) {
  const result = normalizeHost(source);
  if (!result.ok) throw new Error(result.problems[0].message);
  const { host, suffix, text, label, subdomain } = result.value;
  return [host, suffix, text, label, subdomain];
}

describe("a host", () => {
  test.each([
    ["Login.XN--PAYPL-7VE.co.uk.", "login.paypаl.co.uk", "co.uk", "login.paypаl", "paypаl", "login"],
    ["  PayPal.COM ", "paypal.com", "com", "paypal", "paypal", ""],
    ["a.b.github.io", "a.b.github.io", "github.io", "a.b", "b", "a"],
    ["github.io", "github.io", "github.io", "", undefined, ""],
    ["x.foo.ck", "x.foo.ck", "foo.ck", "x", "x", ""],
    ["www.ck", "www.ck", "ck", "www", "www", ""],
    ["食狮.公司.cn", "食狮.公司.cn", "公司.cn", "食狮", "食狮", ""],
    ["ＰａｙＰａｌ。com", "paypal.com", "com", "paypal", "paypal", ""],
    ["Straße.de", "strasse.de", "de", "strasse", "strasse", ""],
    ["ΟΔΟΣ.gr", "οδοσ.gr", "gr", "οδοσ", "οδοσ", ""],
    ["xn--ls8h.la", "💩.la", "la", "💩", "💩", ""],
    ["xn--zzzzzzzz99999.com", "xn--zzzzzzzz99999.com", "com", "xn--zzzzzzzz99999", "xn--zzzzzzzz99999", ""],
    ["_dmarc.Example.com", "_dmarc.example.com", "com", "_dmarc.example", "example", "_dmarc"],
    ["*.example.com", "*.example.com", "com", "*.example", "example", "*"],
    ["192.0.2.1", "192.0.2.1", "", "192.0.2.1", undefined, ""],
    ["paypal", "paypal", "", "paypal", "paypal", ""],
    ["com", "com", "com", "", undefined, ""],
    ["paypal.unlisted", "paypal.unlisted", "unlisted", "paypal", "paypal", ""],
  ])("%s is split at its public suffix", (source, ...parts) => {
    expect(partsOf(source)).toEqual(parts);
  });

  test.each([
    [undefined, "not_string", "A host name must be a string; found nothing."],
    [" . ", "empty", "A host name must not be empty."],
    ["a b.com", "invalid_character", "A host name cannot contain ` `; found `a b.com`."],
    ["https://a.com/", "invalid_character", "A host name cannot contain `:`; found `https://a.com/`."],
    ["a@b.com", "invalid_character", "A host name cannot contain `@`; found `a@b.com`."],
    ["\ud800.com", "invalid_character", "A host name cannot contain `\\ud800`; found `\\ud800.com`."],
    ["a..com", "empty_label", "A host name cannot have an empty label; found `a..com`."],
    [".com", "empty_label", "A host name cannot have an empty label; found `.com`."],
    [
      `${"a".repeat(64)}.com`,
      "label_too_long",
      `A label must be at most 63 characters; found 64 in \`${"a".repeat(64)}\`.`,
    ],
  ])("%s is rejected", (source, reason, message) => {
    expect(normalizeHost(source)).toEqual({ ok: false, problems: [{ reason, message }] });
  });

  test("can have at most 253 characters", () => {
    const host = `${"a.".repeat(125)}com`;
    expect(normalizeHost(host).ok).toBe(true);
    expect(normalizeHost(`a.${host}`)).toMatchObject({ ok: false, problems: [{ reason: "too_long" }] });
    expect(normalizeHost("x".repeat(1e6))).toMatchObject({ ok: false, problems: [{ reason: "too_long" }] });
  });

  test("never throws, and normalization is idempotent", () => {
    const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.domain(), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(texts, (source) => {
        const result = normalizeHost(source);
        if (result.ok) expect(normalizeHost(result.value.host)).toEqual(result);
      }),
      { numRuns: runs(300) },
    );
  });

  test("has the public suffix of tldts", () => {
    const suffixes = [
      "com",
      "co.uk",
      "foo.ck",
      "github.io",
      "s3.amazonaws.com",
      "kawasaki.jp",
      "city.kawasaki.jp",
      "zz",
    ];
    const host = fc
      .tuple(fc.domain(), fc.constantFrom(...suffixes))
      .map(([d, s]) => `${d.toLowerCase()}.${s}`);
    fc.assert(
      fc.property(fc.oneof(host, fc.domain()), (name) => {
        const result = normalizeHost(name);
        if (!result.ok || name.includes("xn--")) return;
        const expected = parse(name.toLowerCase(), { allowPrivateDomains: true });
        expect([result.value.suffix, result.value.label ?? null]).toEqual([
          expected.publicSuffix,
          expected.domainWithoutSuffix,
        ]);
      }),
    );
  });
});

describe("folding", () => {
  test("maps letters that the Unicode Standard folds to the same letter", () => {
    expect(foldText("PayPaｌ")).toBe("paypal");
    expect(foldText("ı")).toBe("ı");
    expect(foldText("ſK")).toBe("sk");
  });

  test("is idempotent for every string", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});
