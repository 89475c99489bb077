/** Laws of the YAML parser: JSON is YAML, and every text is read or has one error with a position. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseYamlSource } from "../../../src/core/yaml/source.ts";
import { runs } from "../../support/runs.ts";

const json = fc.jsonValue({ maxDepth: 4 });

test("every JSON text of bounded depth is YAML with the same value", () => {
  fc.assert(
    fc.property(json, fc.nat(2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const parsed = parseYamlSource(text);
      // A key of more than 1,024 characters, and an integer beyond 2^53, are faults of their own.
      if (parsed.ok) expect(parsed.value.value).toEqual(JSON.parse(text));
      else expect(parsed.problems[0].message).toMatch(/exact number|1024/);
    }),
  );
});

test("a text of YAML's own characters is read, or has one error inside of the text", () => {
  const words = fc.constantFrom(
    ..."-:?[]{},#&*!|>%@`'\"\n \t~a1",
    "---",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "\u0007",
    "..",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
      const text = parts.join("");
      const parsed = parseYamlSource(text);
      if (parsed.ok) expect(() => JSON.stringify(parsed.value.value)).not.toThrow();
      else {
        const [{ line, column, message }] = parsed.problems;
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(text.split("\n").length + 1);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(message).toMatch(/\S/);
      }
    }),
    { numRuns: runs(1_000) },
  );
});
