/** Places of diagnostics: lines and columns of spans in strings with escapes, and edits of fixes below a base. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic, Placed } from "../../src/core/diagnostic.ts";
import { parseJsoncSource } from "../../src/core/json/comments.ts";
import { place } from "../../src/core/place.ts";

/** The diagnostic with its place in a text of one file. */
function placed(text: string, diagnostic: Partial<Diagnostic>, base = ""): Placed {
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  const { range } = parsed.value;
  const source = { json: text, place: (pointer: string) => ({ file: "a.json", pointer, ...range(pointer) }) };
  const [found] = place([{ rule: "r", level: "error", message: "m", ...diagnostic }], source, base);
  return found as Placed;
}

/** The characters of a one-line text between the columns of a place. */
function textAt(text: string, { at }: Placed): string {
  return text.slice(at.start.column - 1, (at.end?.column ?? 0) - 1);
}

describe("spans", () => {
  test.each([
    ['{"e": "abc def"}', { start: 4, end: 7 }, "def"],
    ['{"e": "a\\"b def"}', { start: 4, end: 7 }, "def"],
    ['{"e": "\\\\\\n\\t def"}', { start: 4, end: 7 }, "def"],
    ['{"e": "\\u0041\\u00e9 def"}', { start: 3, end: 6 }, "def"],
    ['{"e": "\\ud83d\\ude00 def"}', { start: 3, end: 6 }, "def"],
    ['{"e": "x\\u0041y"}', { start: 1, end: 2 }, "\\u0041"],
    ['{"e": "abc"}', { start: 3, end: 3 }, ""],
  ])("in %s, %j is %j", (text, span, expected) => {
    expect(textAt(text, placed(text, { pointer: "/e", span }))).toBe(expected);
  });

  test("any part of any string, however it is escaped, is where it is written", () => {
    const written = fc.array(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).chain((unit) => {
        const codes = Array.from({ length: unit.length }, (_, i) =>
          unit.charCodeAt(i).toString(16).padStart(4, "0"),
        );
        const escaped = codes.map((code) => `\\u${code}`).join("");
        return fc.constantFrom(JSON.stringify(unit).slice(1, -1), escaped);
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(written, fc.nat(7), (units, first) => {
        const index = first % units.length;
        const lengthOf = (part: readonly string[]) => JSON.parse(`"${part.join("")}"`).length;
        const start = lengthOf(units.slice(0, index));
        const span = { start, end: start + lengthOf(units.slice(index, index + 1)) };
        const text = `{"a":[{"e":"${units.join("")}"}]}`;
        fc.pre(!/[\n\r]/.test(text));
        expect(textAt(text, placed(text, { pointer: "/e", span }, "/a/0"))).toBe(units[index]);
      }),
    );
  });

  test("a span in a value that is not a string has the place of the value", () => {
    const text = '{"e": 123456}';
    expect(textAt(text, placed(text, { pointer: "/e", span: { start: 1, end: 2 } }))).toBe("123456");
  });
});

describe("fixes", () => {
  test("edits are relative to the base, on the lines of the file", () => {
    const text = '{\n  "apps": [\n    { "tsl": "off", "port": 1 }\n  ]\n}\n';
    const fix = [
      { op: "move", from: "/tsl", path: "/tls" },
      { op: "replace", path: "/port", value: "22" },
    ] as const;
    expect(placed(text, { pointer: "/tsl", fix }, "/apps/0").edits).toEqual([
      { start: { line: 3, column: 7 }, end: { line: 3, column: 12 }, text: '"tls"' },
      { start: { line: 3, column: 29 }, end: { line: 3, column: 30 }, text: '"22"' },
    ]);
  });

  test("a file whose text is not known has no edits", () => {
    const source = { place: () => ({ file: "a.tf", start: { line: 1, column: 1 } }) };
    const fix = [{ op: "replace", path: "/a", value: 1 }] as const;
    const [found] = place([{ rule: "r", level: "error", message: "m", fix }], source);
    expect(found).not.toHaveProperty("edits");
  });
});
