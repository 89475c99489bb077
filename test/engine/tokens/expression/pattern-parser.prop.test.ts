/** The parser of patterns: what it rejects and why, the spans of its nodes, and hostile patterns in linear time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainPattern } from "../../../../src/engine/tokens/analysis/strings/plain-patterns.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import {
  type PatternNode,
  parsePattern,
} from "../../../../src/engine/tokens/expression/patterns/pattern-parser.ts";
import { patternProblem } from "../../../../src/engine/tokens/expression/patterns/regular-expression.ts";
import { toBytes } from "../../../../src/engine/tokens/expression/values/bytes.ts";
import { patternChanges } from "../../../../src/engine/tokens/suite/mutants/pattern-mutants.ts";
import { runs } from "../../../support/runs.ts";

/** Everything that the service reads as one thing, and what looks like it. */
const parts = [
  ...["a", "-", "1", ",", "é", "\u{1f600}", "\ud800", "\udc00", ".", "^", "$", "|", "*", "+", "?", "??"],
  ...["{2}", "{2,}", "{1,3}?", "{01}", "{3,1}", "{1001}", "{2,", "{", "}", "{999999999}"],
  ...[
    "[a&&",
    "--",
    "~~",
    "[[",
    "]]",
    "\\u{41}",
    "\\U0",
    "\\b{start}",
    "\\<",
    "(?x)",
    "(?u)",
    "(?iu:",
    "(?R)",
    " ",
    "#",
    "\n",
  ],
  ...["(", ")", "(?:", "(?i)", "(?i:", "(?s-m:", "(?-", "(?)", "(?P<n>", "(?<m>", "(?<", "(?=", "(?"],
  ...["[", "]", "[^", "[]", "[a-c", "c-a", "[:alpha:]", "[:", ":]", "[[:foo:]]", "[a-\\d]"],
  ...["\\", "\\\\", "\\d", "\\W", "\\pL", "\\p{Greek}", "\\p{", "\\P", "\\x41", "\\x{1F600}", "\\x{", "\\x4"],
  ...[
    "\\0",
    "\\101",
    "\\1",
    "\\8",
    "\\n",
    "\\v",
    "\\e",
    "\\E",
    "\\Q",
    "\\b",
    "\\A",
    "\\z",
    "\\Z",
    "\\C",
    "\\]",
  ],
];
const anyPattern = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((some) => some.join(""));

test("the parts of a node are within it, from left to right", () => {
  let accepted = 0;
  const check = (node: PatternNode, start: number, end: number) => {
    expect(node.from).toBeGreaterThanOrEqual(start);
    expect(node.to).toBeGreaterThanOrEqual(node.from);
    expect(node.to).toBeLessThanOrEqual(end);
    const items = node.kind === "repeat" ? [node.item] : "items" in node ? node.items : [];
    for (const [i, item] of items.entries()) check(item, items[i - 1]?.to ?? node.from, node.to);
  };
  fc.assert(
    fc.property(anyPattern, (pattern) => {
      const parsed = parsePattern(pattern);
      if (!parsed.ok) {
        const { start, end } = parsed.problems[0];
        expect(0 <= start && start <= end && end <= pattern.length).toBe(true);
        return;
      }
      accepted++;
      check(parsed.value.node, 0, pattern.length);
    }),
    { numRuns: runs(20_000, 2_000) },
  );
  expect(accepted).toBeGreaterThan(100);
});

test.each([
  [
    "^/users/{id}$",
    "`{` begins no repetition such as `{2}`, `{2,}` or `{2,5}`; write `\\{` for the character",
    "{",
  ],
  ["a{,3}", "`{` begins no repetition", "{"],
  ["{a", "`{` begins no repetition, as nothing is before it; write `\\{`", "{"],
  ["a{3,1}", "the repetition `{3,1}` has a maximum below its minimum", "{3,1}"],
  ["a{99999999999}", "a repetition is of more than 4294967295", "{99999999999"],
  ["a|*", "`*` repeats nothing; write `\\*` for the character", "*"],
  ["(?i)+", "`+` repeats nothing", "+"],
  ["(?)", "`?` repeats nothing", "(?)"],
  ["\\Qa\\E", "`\\Q` is not an escape; write `\\\\` for a backslash, or the character alone", "\\Q"],
  ["a\\Z", "`\\Z` is not an escape", "\\Z"],
  ["\\é", "is not an escape", "\\é"],
  [
    "x\\12",
    "`\\1` is a backreference or an octal code, which the service does not have; write a character by its code as `\\x0a`",
    "\\1",
  ],
  ["a(?=b)", "`(?=` is look-around, which the service does not have", "(?="],
  ["(?<!b)", "`(?<!` is look-around", "(?<!"],
  ["(?y)", "`y` is not a flag; write `i`, `m`, `s`, `R`, `U`, `u` or `x`", "y"],
  ["(?ii)", "`i` is twice in the flags of one group", "i"],
  ["(?i-)", "no flag is after `-`", "-"],
  ["(?i", "the flags are not closed", ""],
  ["(?<a b>c)", "` ` is not allowed here in the name of a group", " "],
  ["(?<1>c)", "`1` is not allowed here in the name", "1"],
  ["(?<a", "the name of the group is not closed", ""],
  ["(?<a>)(?P<a>)", "the name `a` is of two groups", "a"],
  ["(a", "the group that starts with `(` is not closed", "("],
  ["a)", "`)` closes no group; write `\\)` for the character", ")"],
  ["[ab", "the class that starts with `[` is not closed", "[ab"],
  ["[a[b]", "the class that starts with `[` is not closed", "[a[b]"],
  ["[]", "the class that starts with `[` is not closed", "[]"],
  ["[z-a]", "the range `z-a` ends before it starts", "z-a"],
  ["[a-\\d]", "`a-\\d` is not a range, as one end is a class", "a-\\d"],
  ["[\\b]", "`\\b` is not a character and not allowed in a class", "\\b"],
  ["[é]", "in a class is several bytes, and classes are of bytes; write the class as `(?u:[...])`", "é"],
  ["[\\x{e9}]", "`\\x{e9}` in a class is several bytes", "\\x{e9}"],
  ["\\pL", "`\\pL` is of code points, and patterns are of bytes; write `(?u:\\pL)`", "\\pL"],
  ["(?u)\\p{Greek", "no name is after `\\p`", "\\p{Greek"],
  ["\\b{begin}", "the name after `\\b` is not known; write `\\b{start}`", "{begin}"],
  ["\\x4g", "`\\x` is not before the code of a character; write `\\x41` or `\\x{41}`", "\\x4g"],
  ["\\u{d800}", "`\\u` is not before the code of a character", "\\u{d800}"],
  ["\\x{110000}", "`\\x` is not before the code", "\\x{110000}"],
  ["a\\", "nothing is after the last backslash", "\\"],
])("%s is rejected: %s", (pattern, message, part) => {
  const problem = patternProblem(toBytes(pattern));
  expect(problem?.message).toContain(message);
  expect(pattern.slice(problem?.start, problem?.end)).toBe(part);
});

test.each([
  ['http.host matches "a{b"', 20],
  ['http.host matches r##"a{b"##', 23],
  [String.raw`http.host matches "\"\"{b"`, 23],
  [String.raw`http.host matches "[\"\"]{b"`, 25],
])("the error of %s is at the part of the pattern", (expression, offset) => {
  const parsed = parseExpression(expression);
  expect(!parsed.ok && parsed.problems[0].offset).toBe(offset);
});

test("what nests 250 levels deep is accepted, and no more", () => {
  const nested = (open: string, close: string, depth: number) =>
    `${open.repeat(depth)}a${close.repeat(depth)}`;
  for (const [open, close] of [
    ["(?:", ")"],
    ["[", "]"],
    ["", "*"],
  ] as const) {
    expect(patternProblem(nested(open, close, 250))).toBeUndefined();
    expect(patternProblem(nested(open, close, 251))?.message).toContain("nests more than 250 levels deep");
  }
  // A sequence and alternatives are a level each, as the service counts.
  expect(patternProblem(`${"(?:".repeat(250)}ab${")".repeat(250)}`)?.message).toContain("nests more than");
  expect(patternProblem(`[${Array.from({ length: 300 }, () => "a").join("&&")}]`)?.message).toContain(
    "nests more",
  );
});

test("repetitions that are too large together are rejected before they are written out", () => {
  for (const pattern of ["a{1000}{1000}", "(?:a{4294967295}){4294967295}", `a${"{9}".repeat(240)}`])
    expect(patternProblem(pattern)?.message).toContain("the search would take too long: its repetition");
  expect(patternProblem("(?:^){1000}{1000}(?:){4294967295}")).toBeUndefined();
});

/** Each of them made a regular expression that read patterns backtrack, or could make such a loop slow. */
const size = 100_000;
const hostile = [
  "[\\^",
  "[[:",
  "[a]",
  "\\Q",
  "{1",
  "{1,",
  "(",
  "(?:",
  "()",
  "(?<",
  "\\x{0",
  "\\p{",
  "a*",
  "a|",
  "(?i)",
  "[a&&",
  "a--",
  "[[:a",
  "(?x)#",
  " ",
  "\\b{",
];
const long = (text: string) => text.repeat(Math.ceil(size / text.length));

/** Every function that reads a pattern. */
const readers: Readonly<Record<string, (pattern: string) => unknown>> = {
  parsePattern,
  patternProblem: (pattern) => patternProblem(toBytes(pattern)),
  "patternProblem with u": (pattern) => patternProblem(toBytes(`(?u)${pattern}`)),
  plainPattern,
};

function readAll(pattern: string): void {
  for (const [name, read] of Object.entries(readers)) expect(() => read(pattern), name).not.toThrow();
}

describe(`every reader of a hostile pattern of ${size} characters ends`, () => {
  test.each(hostile)("%s, repeated outside and inside of a class", (part) => {
    readAll(long(part));
    readAll(`[${long("\\^")}${long(part)}`);
  });

  test("random parts", () => {
    const repeated = fc
      .array(fc.tuple(fc.constantFrom(...parts), fc.constantFrom(1, 40, size / 10)), { maxLength: 10 })
      .map((some) => some.map(([part, times]) => part.repeat(times)).join(""));
    fc.assert(fc.property(repeated, readAll), { numRuns: runs(200) });
  });
});

describe.each([40, 10_000])("an unclosed class with %i escapes is rejected", (escapes) => {
  const expression = (field: string) => `${field} matches r"[${"\\^".repeat(escapes)}"`;
  const limits = { maxLength: 3 * 10_000 };

  test.each([
    ["a token rule", () => parseExpression(expression("http.host"), limits)],
    ["a custom rule", () => parseExpression(expression("http.host"), { ...limits, rules: "custom" })],
  ])("in %s", (_, parse) => {
    const parsed = parse();
    expect(parsed.ok).toBe(false);
    if (!parsed.ok)
      expect(parsed.problems[0].message).toContain("the class that starts with `[` is not closed");
  });
});

test("a repetition after a repetition is not among the changes of a pattern, and a star in a class is not one", () => {
  const { quantifier } = patternChanges("[*?]+a{2}");
  expect(quantifier).toContain("[*?]*a{2}");
  expect(quantifier.filter((changed) => /[*+?}][*+?{]/.test(changed.replace("[*?]", "")))).toEqual([]);
});
