/** Patterns of `matches`: they have the meaning of the service, over bytes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileCustom } from "../../../../src/engine/tokens/expression/compile.ts";
import { createProgram } from "../../../../src/engine/tokens/expression/compile-value.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import {
  compilePattern,
  patternProblem,
  undecidedPart,
} from "../../../../src/engine/tokens/expression/patterns/regular-expression.ts";
import { toBytes } from "../../../../src/engine/tokens/expression/values/bytes.ts";
import { startValues } from "../../../../src/engine/tokens/expression/values/request-values.ts";
import { readRequest } from "../../../../src/engine/tokens/zone/request.ts";
import { runs } from "../../../support/runs.ts";

/** The bytes of which a pattern matches a string of one. */
function bytesOf(pattern: string): string {
  const find = compilePattern(`^${pattern}$`);
  return Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
    .filter(find)
    .join("");
}

// Measured on a build of the provider's open source engine, but for what its version rejects.
describe("one byte of these", () => {
  test.each([
    ["[a-z&&[^b-y]]", "az"],
    ["[a-e--b]", "acde"],
    ["[a-g~~b-h]", "ah"],
    ["[a[bc]]", "abc"],
    ["[a-f&&b-e--c]", "bde"],
    ["[^a-z&&[\\x00-\\x7f]]{0}[xy&&y]", "y"],
    ["(?i)[a-c--B]", "ACac"],
    ["[[:digit:]--[2-9]]", "01"],
    ["[[:foo:]]", ":fo"],
    ["[]-a]", "-]a"],
    ["[--a]", "-a"],
    ["[\\s&&[^ ]]", "\t\n\v\f\r"],
    ["\\xe9", "\xe9"],
    ["(?i)\\xe9", "\xe9"],
    ["(?i)k", "Kk"],
    ["(?i)\\x6b", "Kk"],
    ["\\u{41}|\\u0042|\\U00000043|\\x{44}", "ABCD"],
    ["(?x) a # |c\n | [ b ] ", "ab"],
    ["[a&&b]", ""],
    ["(?u)[\\x00-\\x02]", "\x00\x01\x02"],
    [
      "(?R).(?-R)",
      Array.from({ length: 256 }, (_, c) => String.fromCharCode(c))
        .join("")
        .replace(/[\r\n]/g, ""),
    ],
  ])("%s: %j", (pattern, bytes) => expect(bytesOf(pattern)).toBe(bytes));
});

describe("a part of the string", () => {
  test.each([
    ["^..$", "é", true],
    ["^.$", "é", false],
    ["(?u)^.$", "é", true],
    ["(?u)^[^a]$", "😀", true],
    ["^é{2}$", "éé", true],
    ["^é+$", "ééé", true],
    ["\\x{e9}", "é", true],
    ["(?u)\\xe9", "é", true],
    ["(?i)é", "É", false],
    ["(?iu)é", "É", true],
    ["(?iu)^k$", "\u212a", true],
    ["(?u)^\\p{Hangul}+$", "한글", true],
    ["(?u)^\\p{Hangul}+$", "가a", false],
    ["(?u)^[\\p{Greek}&&\\p{Uppercase_Letter}]$", "Ω", true],
    ["(?u)^[\\p{sc=Greek}--\\p{Lu}]$", "Ω", false],
    ["(?u)^\\w+$", "aé_1٣", true],
    ["(?u)^\\P{L}$", "é", false],
    ["^a{2}{3}$", "a".repeat(6), true],
    ["^a{2}{3}$", "a".repeat(5), false],
    ["^a{ 2 , 3 }$", "aaa", true],
    ["^(?:a{30}){36}$", "a".repeat(1080), true],
    ["^(?:^|a){3}$", "a", true],
    ["(?U)a+?b", "aab", true],
    ["(?<n>a)(?P<m>b)", "ab", true],
    ["a||b", "", true],
    ["(?m)^b$", "a\nb", true],
    ["^b$", "b\n", false],
  ])("%s in %j: %s", (pattern, text, found) => {
    const bytes = toBytes(pattern);
    expect(patternProblem(bytes)).toBeUndefined();
    expect(compilePattern(bytes)(toBytes(text))).toBe(found);
  });
});

describe("undecided, and accepted", () => {
  test.each([
    ["a\\b{start}b", "\\b{start}"],
    ["\\<a", "\\<"],
    ["(?u)\\b", "\\b"],
    ["(?mR)a$", "$"],
    ["(?u)[a\\p{scx:Greek}]", "\\p{scx:Greek}"],
  ])("%s because of %s", (pattern, part) => {
    expect(patternProblem(pattern)).toBeUndefined();
    expect(undecidedPart(pattern)).toContain(`\`${part}\`: `);
    expect(() => compilePattern(pattern)).toThrow(part);
  });

  test("a comparison with one is unknown, and the name of the part is needed", () => {
    const text = String.raw`http.host matches "\b{start}a" or http.host eq "b"`;
    const parsed = parseExpression(text, { rules: "custom" });
    const program = createProgram({ configurations: new Set(), lists: new Map() });
    if (!parsed.ok) throw new Error(parsed.problems[0].message);
    const compiled = compileCustom(program, text, parsed.value);
    if (!compiled.ok) throw new Error(compiled.problems[0].message);
    const valuesOf = (host: string) => {
      const request = { method: "GET", url: `https://${host}/`, headers: [] };
      return startValues(program, readRequest(request), request, 0, { ids: [], valid: () => undefined });
    };
    expect([compiled.value.test(valuesOf("a")), compiled.value.test(valuesOf("b"))]).toEqual([
      undefined,
      true,
    ]);
    expect(compiled.value.needs(valuesOf("a"))).toEqual([
      "a pattern without `\\b{start}`: one side of a word is not computed here; `\\b` is both sides",
    ]);
    expect(compiled.value.notes).toMatchObject([{ kind: "undecided-pattern", offset: 0 }]);
  });

  test("not what has a value here", () => expect(undecidedPart("(?-u)\\b(?R)a$")).toBeUndefined());
});

test("(?i) finds what the pattern without it finds in the letters of one case", () => {
  const unit = fc.constantFrom("a", "k", "s", "\x80", "\xc3", "\xe3", "\xe9", "\xff", "1");
  const piece = fc.constantFrom(
    "a",
    "k",
    "1",
    "\\xc3",
    "[\\xc0-\\xdf]",
    "[^\\xe9]",
    "[a-k\\xe9]",
    ".",
    "\\x{ff}",
  );
  const bytes = fc.string({ unit, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), bytes, (pieces, text) => {
      const pattern = pieces.join("");
      const expected = compilePattern(pattern)(text);
      expect(compilePattern(`(?i)${pattern}`)(text)).toBe(expected);
      const upper = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
      expect(compilePattern(`(?i)${pattern}`)(upper)).toBe(expected);
    }),
    { numRuns: runs(2000) },
  );
});

test("operators of classes are those of sets", () => {
  const item = fc.constantFrom("a-f", "c", "[:digit:]", "\\w", "[^b-z]", "\\x80-\\xff", "\\-", "[x&&[a-z]]");
  const side = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => `[${items.join("")}]`);
  fc.assert(
    fc.property(side, side, fc.boolean(), (left, right, ignoresCase) => {
      const flag = ignoresCase ? "(?i)" : "";
      const [a, b] = [bytesOf(flag + left), bytesOf(flag + right)];
      const of = (operator: string) => bytesOf(`${flag}[${left}${operator}${right}]`);
      const where = (holds: (inA: boolean, inB: boolean) => boolean) =>
        bytesOf("[\\x00-\\xff]").replace(/./gs, (byte) =>
          holds(a.includes(byte), b.includes(byte)) ? byte : "",
        );
      expect(of("&&")).toBe(where((inA, inB) => inA && inB));
      expect(of("--")).toBe(where((inA, inB) => inA && !inB));
      expect(of("~~")).toBe(where((inA, inB) => inA !== inB));
      expect(of("")).toBe(where((inA, inB) => inA || inB));
    }),
    { numRuns: runs(1000) },
  );
});

test("a character under the flag u is found in its UTF-8 alone, for any range of code points", () => {
  const code = fc.integer({ min: 0, max: 0x10ffff }).filter((point) => point < 0xd800 || point > 0xdfff);
  const near = fc.oneof(
    code,
    fc.constantFrom(0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff),
  );
  fc.assert(
    fc.property(near, near, near, (first, other, tried) => {
      const [low, high] = first < other ? [first, other] : [other, first];
      const find = compilePattern(`(?u)^[\\x{${low.toString(16)}}-\\x{${high.toString(16)}}]$`);
      for (const at of [low, high, low - 1, high + 1, tried]) {
        if (at < 0 || at > 0x10ffff || (at >= 0xd800 && at <= 0xdfff)) continue;
        expect(find(toBytes(String.fromCodePoint(at)))).toBe(at >= low && at <= high);
      }
    }),
    { numRuns: runs(2000) },
  );
});
