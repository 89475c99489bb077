/** The JSON parser with positions, compared with `JSON.parse`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonSource } from "../../src/core/json-source.ts";

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
      { numRuns: 2_000 },
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
    expect(faultOf(" \n")).toMatchObject({ message: "the text is empty" });
    expect(faultOf("[".repeat(100_000))).toMatchObject({ line: 1 });
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
