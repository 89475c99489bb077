/** Host names between Unicode and A-labels: the URL standard, by tables of our own. `tables.packages.test.ts` compares them with tr46. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { domainToAscii, domainToUnicode } from "../../../src/core/idna/host.ts";
import { isUrl, readUrl } from "../../../src/core/idna/url.ts";
import { runs } from "../../support/runs.ts";

const label = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });

describe("a host", () => {
  test("that is valid is decoded to a host with the same A-labels", () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
        const ascii = domainToAscii(labels.join("."));
        if (ascii === "") return;
        valid += 1;
        expect(domainToAscii(ascii)).toBe(ascii);
        expect(domainToAscii(domainToUnicode(ascii))).toBe(ascii);
      }),
      { numRuns: runs(20_000) },
    );
    expect(valid).toBeGreaterThan(0);
  });

  test.each([
    ["a character that is not allowed", "xn--a.example"],
    ["no character outside of ASCII", "xn--a-.example"],
    ["an empty A-label", "xn--.example"],
    ["an A-label that is not Punycode", "xn--a b"],
    ["an A-label of a capital letter", "xn--nchen-1pa"],
    ["an A-label of a label that is not normalized", "xn--u-ccb"],
    ["an A-label in an A-label", "xn--xn---epa"],
    ["a character of a later Unicode", "\u{1c8b}.example"],
    ["a mark at the start of a label", "\u0301a.example"],
    ["a forbidden character after mapping", "a\u2100.example"],
    ["a joiner after no virama", "a\u200db.example"],
    ["letters of both directions in one label", "a\u05d0.example"],
    ["a letter from left to right in a host from right to left, at the end of a digit", "1a.\u05d0"],
    ["European and Arabic digits in one label", "\u05d01\u0661.example"],
    ["a number at its end", "\u00fc.1"],
    ["a space", "a b"],
    ["more characters than any host", `\u00fc${"a".repeat(1024)}`],
  ])("with %s is not valid", (_, host) => {
    expect([domainToAscii(host), domainToUnicode(host)]).toEqual(["", ""]);
  });

  test.each([
    ["Mün.Example", "xn--mn-xka.example"],
    ["xn--mnchen-3ya.DE", "xn--mnchen-3ya.de"],
    ["faß.example", "xn--fa-hia.example"],
    ["ａ。ｂ", "a.b"],
    ["\u13f8.example", "xn--gce.example"],
    ["क्\u200dष", "xn--11b2ezcw70k"],
    ["ب\u200cب", "xn--ngba799q"],
    ["\u05d01.example", "xn--1-zhc.example"],
    ["a\u00adb", "ab"],
    ["a..b.", "a..b."],
    ["1.2", "1.0.0.2"],
  ])("%s has the A-labels %s", (host, ascii) => {
    expect(domainToAscii(host)).toBe(ascii);
  });
});

describe("a URL", () => {
  const parts = fc.record({
    before: fc.constantFrom("http://", "https:", "HTTPS:\\\\", " http:///", "https://u:p@", "https://a@b@"),
    host: fc.oneof(
      fc.constantFrom("example.com", "EXAMPLE.com.", "[::1]", "0x7f.1", "a%62c", "1.2.3.999", "a b", "a..b"),
      fc.domain(),
    ),
    after: fc.constantFrom("", "/", ":8443/x", ":443", "?q=1", "#f", "/%2e/b\\c", ":99999/", "\t/a\nb"),
  });

  test("with a host of ASCII is read as by the runtime", () => {
    fc.assert(
      fc.property(parts, ({ before, host, after }) => {
        const text = `${before}${host}${after}`;
        const url = URL.canParse(text) ? new URL(text) : undefined;
        const read = readUrl(text);
        expect(isUrl(text)).toBe(url !== undefined);
        for (const name of ["protocol", "host", "hostname", "pathname", "search"] as const)
          expect(read?.[name]).toBe(url?.[name]);
      }),
      { numRuns: runs(4_000) },
    );
  });

  test("with another host differs from one of ASCII in its host only", () => {
    fc.assert(
      fc.property(parts, ({ before, after }) => {
        const [plain, other] = [readUrl(`${before}h${after}`), readUrl(`${before}M%C3%BCn${after}`)];
        const host = plain?.host.replace("h", "xn--mn-xka");
        expect(other).toEqual(
          plain && {
            protocol: plain.protocol,
            hostname: "xn--mn-xka",
            host,
            pathname: plain.pathname,
            search: plain.search,
          },
        );
      }),
      { numRuns: runs(1_000) },
    );
    expect(isUrl("https://xn--a.example/")).toBe(false);
    expect(isUrl("https://%ff%C3/")).toBe(false);
  });
});
