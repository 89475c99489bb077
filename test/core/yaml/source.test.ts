/** The YAML parser with positions: which values it reads, what it rejects and where, and its bounds. */
import { describe, expect, test } from "vitest";
import { maxYamlLength, parseYamlSource } from "../../../src/core/yaml/source.ts";
import { maxYamlDepth } from "../../../src/core/yaml/values.ts";

function read(text: string) {
  const result = parseYamlSource(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

const readValue = (text: string) => read(text).value;

function faultOf(text: string) {
  const result = parseYamlSource(text);
  if (result.ok) return result.value.value;
  const [{ at, message }] = result.problems;
  return { ...at.start, message };
}

describe("values", () => {
  test("block and flow collections, strings, numbers, booleans and null are those of JSON", () => {
    const text = [
      "# a comment",
      "text: plain text",
      "quoted: 'it''s'",
      'escaped: "a\\tb"',
      "lines: |",
      "  one",
      "  two",
      "number: 12",
      "fraction: -1.5e3",
      "yes: true",
      "no: false",
      "none: null",
      "missing:",
      "flow: { a: [1, 2], b: {} }",
      "list:",
      "  - 1",
      "  - a: 1",
      "    b: 2",
    ].join("\n");
    expect(readValue(text)).toEqual({
      text: "plain text",
      quoted: "it's",
      escaped: "a\tb",
      lines: "one\ntwo\n",
      number: 12,
      fraction: -1500,
      yes: true,
      no: false,
      none: null,
      missing: null,
      flow: { a: [1, 2], b: {} },
      list: [1, { a: 1, b: 2 }],
    });
  });

  test("every JSON text is YAML with the same value", () => {
    const value = { a: [1, -2.5, "x\ny", true, null, {}, []], "b/c~": { "": "\u00e9\u{1f600}" } };
    expect(readValue(JSON.stringify(value))).toEqual(value);
    expect(readValue(JSON.stringify(value, null, 2))).toEqual(value);
  });

  test("dates and the words of YAML 1.1 are text, even where the text names that version", () => {
    const value = { date: "2026-01-31", answer: "yes", time: "12:30:00" };
    const text = "date: 2026-01-31\nanswer: yes\ntime: 12:30:00";
    expect(readValue(text)).toEqual(value);
    expect(readValue(`%YAML 1.1\n---\n${text}`)).toEqual(value);
  });

  test("keys are text, whatever they look like", () => {
    expect(readValue("200: a\nnull: b\ntrue: c\n0x1: d")).toEqual({
      "200": "a",
      null: "b",
      true: "c",
      "0x1": "d",
    });
  });

  test("names of prototypes are ordinary members", () => {
    const value = readValue("__proto__: { polluted: true }\nconstructor: 1") as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("an alias repeats the last value before it with its anchor, also when the anchor is used again", () => {
    expect(readValue("a: &x [1]\nb: &y { c: *x }\nd: &x 2\ne: *y\nf: *x")).toEqual({
      a: [1],
      b: { c: [1] },
      d: 2,
      e: { c: [1] },
      f: 2,
    });
  });
});

describe("positions", () => {
  const text = "# comment\nzones:\n  - id: z1\n    list: &l [a, bb]\n  - list: *l\n    'x/~': 1\n";

  test.each([
    ["", 2, 1],
    ["/zones", 3, 3],
    ["/zones/0", 3, 5],
    ["/zones/0/id", 3, 9],
    ["/zones/0/list/1", 4, 18],
    ["/zones/1/list", 5, 11],
    ["/zones/1/list/1", 4, 18],
    ["/zones/1/x~1~0", 6, 12],
    ["/zones/1/missing/deeper", 5, 5],
    ["/zones/7", 3, 3],
    ["/zones/0/id/deeper", 3, 9],
  ])("%s is found at line %i, column %i, or the innermost value around it", (at, line, column) => {
    expect(read(text).locate(at)).toEqual({ line, column });
  });
});

describe("rejects, with the position", () => {
  test.each([
    ["an empty text", "", 1, 1, "the text is empty"],
    ["a text of comments", "# only\n", 1, 1, "the text is empty"],
    ["several documents", "a: 1\n---\nb: 2", 2, 1, "a second document begins here; the text must have one"],
    ["a repeated key", "a:\n  b: 1\n  b: 2", 3, 3, "the key `b` is repeated"],
    ["a repeated key of different spelling", "{ 'b': 1, b: 2 }", 1, 11, "the key `b` is repeated"],
    ["a collection as a key", "? [a]\n: b", 1, 3, "a key must be text, a number, `true`, `false` or `null`"],
    ["an own tag", "a: !color red", 1, 4, "this tag is not read"],
    ["a binary value", "a: !!binary aGk=", 1, 4, "this tag is not read"],
    ["a tag of a date", "a: !!timestamp 2026-01-31", 1, 4, "this tag is not read"],
    ["a merge key", "a: &a { b: 1 }\nc:\n  <<: *a", 3, 3, "merge keys (`<<`) are not read"],
    ["NaN", "a: .nan", 1, 4, "`.nan` is no number of JSON; put it in quotes when it is text"],
    ["infinity", "a: -.inf", 1, 4, "`-.inf` is no number of JSON"],
    ["a number that overflows", "id: 123e4567", 1, 5, "`123e4567` is no number of JSON"],
    [
      "an integer beyond 2^53",
      "id: 9007199254740993",
      1,
      5,
      "`9007199254740993` is too large for an exact number",
    ],
    ["an alias without an anchor", "a: *b", 1, 4, "no value before this alias has the anchor `b`"],
    ["an alias before its anchor", "a: *b\nb: &b 1", 1, 4, "no value before this alias has the anchor `b`"],
    ["an alias inside its own value", "a: &a [1, [*a]]", 1, 12, "the alias `a` is inside of the value"],
    ["an indentation by tabs", "a:\n\tb: 1", 2, 1, "a tab cannot indent; use spaces"],
    ["text that is not YAML", "a: [1, 2\nb: 3", 2, 1, "flow sequence in block collection"],
    ["a string without an end", 'a: "x', 1, 6, "missing closing"],
    ["an unknown directive", "%FOO x\n---\na: 1", 1, 1, "unknown directive %FOO"],
  ])("%s", (_what, text, line, column, message) => {
    expect(faultOf(text)).toEqual({ line, column, message: expect.stringContaining(message) });
  });

  test("integers up to 2^53 - 1 are accepted, and larger ones in quotes", () => {
    expect(readValue("[9007199254740991, '9007199254740993', 1e20]")).toEqual([
      Number.MAX_SAFE_INTEGER,
      "9007199254740993",
      1e20,
    ]);
  });

  test("control characters of the text are escaped in messages", () => {
    expect(JSON.stringify(faultOf("a: \u001b[31m\n\tb"))).not.toContain("\u001b");
    expect(faultOf('"a\u0007": 1\n"a\u0007": 2')).toMatchObject({
      message: "the key `a\\u0007` is repeated",
    });
  });
});

describe("bounds", () => {
  test("values are nested in at most 100 levels, in flow and in block form, aliases included", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const tooDeep = { message: `the value is nested in more than ${maxYamlDepth} levels` };
    expect(parseYamlSource(nested(maxYamlDepth)).ok).toBe(true);
    expect(faultOf(nested(maxYamlDepth + 2))).toMatchObject(tooDeep);
    expect(faultOf("- ".repeat(5_000))).toMatchObject(tooDeep);
    expect(faultOf("? ".repeat(2_000))).toMatchObject(tooDeep);
    expect(faultOf("[".repeat(20_000))).toMatchObject({ line: 1 });
    const chain = Array.from({ length: 200 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}]`);
    expect(faultOf(["a0: &a0 x", ...chain].join("\n"))).toMatchObject(tooDeep);
  });

  test("aliases that multiply are rejected: the billion laughs, and one long text", () => {
    const laughs = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`);
    const message = "aliases repeat more than 1000000 values and characters";
    expect(faultOf(["a0: &a0 lol", ...laughs].join("\n"))).toMatchObject({ message });
    const long = `a: &a ${"x".repeat(10_000)}\nb: [${"*a,".repeat(101)}]`;
    expect(faultOf(long)).toMatchObject({ message });
  });

  test("thirty thousand keys are compared in linear time", () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `k${i}: 1`).join("\n");
    expect(Object.keys(readValue(text) as object)).toHaveLength(30_000);
  });

  test("a text is read up to its first error, however many follow", () => {
    expect(faultOf(`[${",".repeat(50_000)}]`)).toMatchObject({ line: 1, column: 3 });
  });

  test("a text that is too long is not read", () => {
    expect(faultOf(" ".repeat(maxYamlLength + 1))).toMatchObject({
      message: "the text has 4194305 characters; YAML must have at most 4194304, JSON may have more",
    });
  });
});

describe("range", () => {
  const text =
    "rules:\n  - name: 'a b' # first\n    list: [1, 2]\n  - text: |\n      one\n\nnext: &x plain\nlast: *x\nnone:\n";
  const { range } = read(text);
  const lines = text.split("\n");

  test.each([
    ["/rules/0/name", "'a b'"],
    ["/rules/0/list", "[1, 2]"],
    ["/rules/0/list/1", "2"],
    ["/next", "plain"],
    ["/last", "*x"],
  ])("of a value in one line is its text: %s", (at, own) => {
    const { start, end } = range(at);
    expect(start.line).toBe(end.line);
    expect(lines[start.line - 1]!.slice(start.column - 1, end.column - 1)).toBe(own);
  });

  test("of a block ends after its last character", () => {
    expect(range("/rules/0")).toEqual({ start: { line: 2, column: 5 }, end: { line: 3, column: 17 } });
    expect(range("/rules/1/text")).toEqual({ start: { line: 4, column: 11 }, end: { line: 5, column: 10 } });
    expect(range("/rules/9").start).toEqual(range("/rules").start);
    expect(range("").end).toEqual({ line: 9, column: 6 });
  });
});
