/** JSON with comments: what becomes spaces, and what stays an error. */
import { expect, test } from "vitest";
import { blankComments, parseJsoncSource } from "../../../src/core/json/comments.ts";

test("comments and trailing commas become spaces, and every other character stays at its place", () => {
  const text = '// a "b"\r\n{ /* x\r\n y */ "a": [1, 2,], "//b": "/* c */", // d\r\n}\r\n';
  const blanked = blankComments(text);
  expect(blanked.length).toBe(text.length);
  expect(blanked.match(/\r\n/g)).toHaveLength(4);
  expect(JSON.parse(blanked)).toEqual({ a: [1, 2], "//b": "/* c */" });
  expect(blanked.indexOf('"//b"')).toBe(text.indexOf('"//b"'));
});

test("a text without comments stays the same string", () => {
  const text = '{"a": "// no comment", "b": [12345678901234567890]}';
  expect(blankComments(text)).toBe(text);
});

test("positions are those of the text with comments", () => {
  const source = parseJsoncSource('{\n  // first\n  "a": /* x */ 1,\n}');
  expect(source.ok && [source.value.value, source.value.locate("/a")]).toEqual([
    { a: 1 },
    { line: 3, column: 16 },
  ]);
});

test.each([
  ['{"a": 1 /* no end', 1, 9],
  ["[,]", 1, 2],
  ["[1,,]", 1, 4],
  ["{,}", 1, 2],
  ["{'a': 1}", 1, 2],
  ["[1] x", 1, 5],
  ["", 1, 1],
  ["// only a comment", 1, 18],
  ['["\u00a0",\u00a01]', 1, 6],
])("%j is an error at line %d, column %d", (text, line, column) => {
  expect(parseJsoncSource(text)).toMatchObject({
    ok: false,
    problems: [{ at: { start: { line, column } } }],
  });
});
