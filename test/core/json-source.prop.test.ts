/** The JSON reader of the command line against node's own. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../src/core/json-source.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("reading", () => {
  test("takes what node takes, with the same value", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (text, indent) => {
        const printed = JSON.stringify(JSON.parse(text), null, indent);
        expect(readJson(printed)).toMatchObject({ value: JSON.parse(printed) });
      }),
    );
  });

  test("refuses what node refuses: valid texts with one character changed", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom(...'{}[],:"\\ \n0-.eEtfnx\u0001'),
        (text, at, character) => {
          const offset = at % (text.length + 1);
          const changed = text.slice(0, offset) + character + text.slice(offset + 1);
          expect("value" in readJson(changed), changed).toBe(parses(changed));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("says where it goes wrong", () => {
    expect(readJson('{"a": 1,\n  "b": oops}')).toEqual({
      line: 2,
      column: 8,
      found: "`oops}` cannot stand here",
    });
    expect(readJson('{"a": 1')).toEqual({ line: 1, column: 8, found: "the text ends too early" });
    expect(readJson(" \n")).toMatchObject({ found: "it is empty" });
    expect(readJson("[".repeat(100_000))).toMatchObject({ line: 1 });
  });
});

test("locate gives the line and column of a value, or of the nearest one around it", () => {
  const source = readJson('{\n  "zones": [\n    {"id": "a/b", "x~/y": [1,\n 2]}\n  ]\n}');
  if (!("value" in source)) throw new Error("not read");
  expect(source.locate("")).toEqual({ line: 1, column: 1 });
  expect(source.locate("/zones/0")).toEqual({ line: 3, column: 5 });
  expect(source.locate("/zones/0/x~0~1y/1")).toEqual({ line: 4, column: 2 });
  expect(source.locate("/zones/0/missing")).toEqual({ line: 3, column: 5 });
});
