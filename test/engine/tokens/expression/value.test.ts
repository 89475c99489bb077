/** Comparisons with functions, on the value of a field and on a request. */
import { compileZone } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";
import { compileValueTest } from "../../../../src/engine/tokens/analysis/strings/text-test.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import type { Test } from "../../../../src/engine/tokens/expression/tree.ts";
import { toBytes } from "../../../../src/engine/tokens/expression/values/bytes.ts";
import { type FieldComparison, leafOf } from "../leaves.ts";

function testOf(text: string) {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  return compileValueTest(leafOf(parsed.value as Test) as FieldComparison);
}

describe("of a value", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['lower(http.host) eq "a"', ["a", "A"], ["b", "\u00e1", ""]],
    ['lower(http.host) ne "a"', ["b", ""], ["a", "A"]],
    ['lower(http.host) in {"a" "b"}', ["A", "b"], ["c", "ab"]],
    ['lower(http.host) contains "ab"', ["xABx", "ab"], ["ba"]],
    ['lower(http.host) wildcard "A*"', ["a", "AB"], ["ba"]],
    ['lower(http.host) strict wildcard "a*"', ["a", "AB"], ["ba"]],
    ['lower(http.host) strict wildcard "A*"', [], ["a", "A"]],
    ['upper(http.host) eq "\u00e4B"', ["\u00e4b", "\u00e4B"], ["\u00c4B"]],
    ['upper(lower(http.host)) eq "AB"', ["ab", "aB"], ["a"]],
    ['lower(upper(http.host)) eq "ab"', ["AB", "ab"], ["a"]],
    ['starts_with(http.host, "ab")', ["ab", "abc"], ["a", "cab", "AB"]],
    ['ends_with(http.host, "ab")', ["ab", "cab"], ["b", "abc", "AB"]],
    ['starts_with(lower(http.host), "ab")', ["AB", "aBc"], ["b"]],
    ['ends_with(upper(http.host), "AB")', ["ab", "cAb"], ["b"]],
    ["len(http.host) eq 2", ["ab", "\u00e4"], ["a", "abc", ""]],
    ["len(http.host) ne 2", ["a", ""], ["ab", "\u00e4"]],
    ["len(http.host) lt 2", ["", "a"], ["ab", "abc"]],
    ["len(http.host) le 2", ["", "ab"], ["abc"]],
    ["len(http.host) gt 2", ["abc", "\u{1f600}"], ["ab", ""]],
    ["len(http.host) ge 2", ["ab", "abc"], ["a", ""]],
    ["len(lower(http.host)) eq 1", ["A"], ["", "AB"]],
    ['http.host matches "^a+$"', ["a", "aa"], ["", "ba", "A"]],
    ['lower(http.host) matches "^a+$"', ["A", "aA"], ["", "ba"]],
  ])("%s", (text, matching, others) => {
    const holds = testOf(text);
    for (const value of matching) expect([value, holds(value)]).toEqual([value, true]);
    for (const value of others) expect([value, holds(value)]).toEqual([value, false]);
  });
});

test.each([
  ["", 0],
  ["a", 1],
  ["\u007f", 1],
  ["\u0080", 2],
  ["\u07ff", 2],
  ["\u0800", 3],
  ["\uffff", 3],
  ["\u{10000}", 4],
  ["a\u{10ffff}\u00e4", 7],
  ["\ud800", 3],
])("the length of %j is %i bytes", (value, bytes) => {
  expect(toBytes(value).length).toBe(bytes);
});

describe("of a request", () => {
  test.each<[string, Record<string, string> | [string, string][], string, boolean]>([
    [
      'any(http.request.headers["x"][*] eq "b")',
      [
        ["x", "a"],
        ["X", "b"],
      ],
      "/",
      true,
    ],
    [
      'any(http.request.headers["x"][*] eq "c")',
      [
        ["x", "a"],
        ["X", "b"],
      ],
      "/",
      false,
    ],
    ['any(http.request.headers["x"][*] ne "c")', {}, "/", false],
    ['all(http.request.headers["x"][*] ne "c")', {}, "/", true],
    [
      'all(http.request.headers["x"][*] eq "a")',
      [
        ["x", "a"],
        ["X", "b"],
      ],
      "/",
      false,
    ],
    [
      'all(lower(http.request.headers["x"][*]) eq "a")',
      [
        ["x", "a"],
        ["X", "A"],
      ],
      "/",
      true,
    ],
    ['any(http.request.cookies["c"][*] eq "2")', { cookie: "c=1; c=2" }, "/", true],
    [
      'lower(http.request.headers["x"][1]) eq "b"',
      [
        ["x", "a"],
        ["X", "B"],
      ],
      "/",
      true,
    ],
    [
      'lower(http.request.headers["x"][2]) ne "b"',
      [
        ["x", "a"],
        ["X", "B"],
      ],
      "/",
      false,
    ],
    ['not lower(http.request.headers["y"][0]) eq "b"', {}, "/", true],
    ['http.request.uri eq "/p?q=1"', {}, "/p?q=1", true],
    ['http.request.uri eq "/p"', {}, "/p", true],
    ['http.request.uri.query eq "q=1"', {}, "/p?q=1", true],
    ['http.request.uri.query eq ""', {}, "/p", true],
    ["len(http.request.uri.query) eq 0", {}, "/p?", true],
    ['starts_with(http.request.uri.path, "/p")', {}, "/p?q", true],
    ['upper(http.request.method) eq "GET"', {}, "/", true],
  ])("%s with %j at %s is %s", async (expression, headers, path, holds) => {
    const selector = { include: [{ host: ["a.example"] }] };
    const rule = { id: "r", action: "block" as const, enabled: true, expression, selector };
    const zone = await compileZone({ configs: [], rules: [rule] }, { clock: () => 0 });
    const { action } = zone.evaluateSync({ method: "GET", url: `https://a.example${path}`, headers });
    expect(action).toBe(holds ? "allow" : "block");
  });
});
