/** The search of long substrings, which reads each unit once, finds what the built-in search finds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFinder } from "../../../../src/engine/tokens/expression/substring.ts";
import { runs } from "../../../support/runs.ts";

/** Texts of few letters and much repetition, so that prefixes recur. */
const repetitive = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "ab", "aab"), { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom("", "a", "b", "é"),
  )
  .map(([parts, times, end]) => parts.join("").repeat(times) + end);

test("every position is that of the built-in search", () => {
  let [long, found] = [0, 0];
  fc.assert(
    fc.property(
      repetitive,
      repetitive,
      repetitive,
      fc.nat({ max: 200 }),
      fc.nat(),
      (text, more, other, from, cut) => {
        // Either a part of the text, or a text of its own.
        const start = cut % text.length;
        for (const substring of [text.slice(start, start + 33 + (cut % 30)), other]) {
          const at = createFinder(substring)(text + more, from);
          expect(at).toBe((text + more).indexOf(substring, from));
          if (substring.length > 32) [long, found] = [long + 1, found + (at >= 0 ? 1 : 0)];
        }
      },
    ),
    { numRuns: runs(500, 500) },
  );
  expect(long).toBeGreaterThan(20);
  expect(found).toBeGreaterThan(5);
});
