/** The JSON parser with positions, compared with `JSON.parse`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonSource, type TextPosition } from "../../src/core/json-source.ts";
import { pointer } from "../../src/errors.ts";
import { runs } from "../support/runs.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("parseJsonSource", () => {
  test("accepts every text that JSON.parse accepts, with the same value", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (text, indent) => {
        const printed = JSON.stringify(JSON.parse(text), null, indent);
        expect(parseJsonSource(printed)).toMatchObject({ ok: true, value: { value: JSON.parse(printed) } });
      }),
    );
  });

  test("rejects every text that JSON.parse rejects: valid texts with one character changed", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom(...'{}[],:"\\ \n0-.eEtfnx\u0001'),
        (text, at, character) => {
          const offset = at % (text.length + 1);
          const changed = text.slice(0, offset) + character + text.slice(offset + 1);
          expect(parseJsonSource(changed).ok, changed).toBe(parses(changed));
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  test("reports the position of the first syntax error", () => {
    const faultOf = (text: string) => {
      const result = parseJsonSource(text);
      return result.ok ? undefined : result.problems[0];
    };
    expect(faultOf('{"a": 1,\n  "b": oops}')).toEqual({
      line: 2,
      column: 8,
      message: "`oops}` is not allowed here",
    });
    expect(faultOf('{"a": 1')).toEqual({ line: 1, column: 8, message: "the text ends too early" });
    expect(faultOf('{"a": "b\n')).toMatchObject({ line: 1, column: 7 });
    expect(faultOf('{"a": "b')?.message).toBe("the text ends too early, inside a string");
    expect(faultOf(" \n")).toMatchObject({ message: "the text is empty" });
    const tooDeep = { line: 1, message: "objects and arrays are nested in more than 500 levels" };
    expect(faultOf("[".repeat(100_000))).toMatchObject(tooDeep);
    expect(faultOf("[".repeat(501) + "]".repeat(501))).toMatchObject(tooDeep);
  });
});

test("locate returns the line and column of a value, or of the innermost existing value around it", () => {
  const result = parseJsonSource('{\n  "zones": [\n    {"id": "a/b", "x~/y": [1,\n 2]}\n  ]\n}');
  if (!result.ok) throw new Error("not parsed");
  const source = result.value;
  expect(source.locate("")).toEqual({ line: 1, column: 1 });
  expect(source.locate("/zones/0")).toEqual({ line: 3, column: 5 });
  expect(source.locate("/zones/0/x~0~1y/1")).toEqual({ line: 4, column: 2 });
  expect(source.locate("/zones/0/missing")).toEqual({ line: 3, column: 5 });
});

test("the range of a value is its text, for every value of any document", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const result = parseJsonSource(text);
      if (!result.ok) throw new Error("the text is JSON");
      const lines = text.split("\n");
      const offset = (at: TextPosition) =>
        lines.slice(0, at.line - 1).join("\n").length + (at.line > 1 ? 1 : 0);
      for (const [at, part] of partsOf(value, "")) {
        const { start, end } = result.value.range(at);
        expect(start).toEqual(result.value.locate(at));
        const own = text.slice(offset(start) + start.column - 1, offset(end) + end.column - 1);
        expect(JSON.parse(own)).toEqual(JSON.parse(JSON.stringify(part)));
        expect(own).toBe(own.trim());
      }
    }),
  );
});

function partsOf(value: unknown, at: string): [string, unknown][] {
  const parts = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[at, value], ...parts.flatMap(([name, part]) => partsOf(part, at + pointer(name)))];
}

test("the range of a missing member is that of the value around it, in texts with brackets in strings", () => {
  const result = parseJsonSource('{"a": ["]}\\\\\\"[", -1.5e3 ],\n "b": true}');
  if (!result.ok) throw new Error("the text is JSON");
  expect(result.value.range("/a/7")).toEqual({ start: { line: 1, column: 7 }, end: { line: 1, column: 27 } });
  expect(result.value.range("/a/1").end).toEqual({ line: 1, column: 25 });
  expect(result.value.range("/c").end).toEqual({ line: 2, column: 12 });
});
