/** Any text of any kind of rules is an expression or has one error with a place in it; nothing is thrown. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { functionNames } from "../../../../src/engine/tokens/expression/language/functions.ts";
import { ruleKinds } from "../../../../src/engine/tokens/expression/language/rule-kinds.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { printTree } from "../../../../src/engine/tokens/expression/printer.ts";
import { runs } from "../../../support/runs.ts";

const pieces = [
  ...functionNames.map((name) => `${name}(`),
  "http.host",
  "http.response.code",
  "http.request.uri.query",
  'http.request.headers["a"]',
  "cf.random_seed",
  "[0]",
  "[*]",
  ", ",
  ")",
  '"a"',
  `"$${"{1}"}"`,
  "1",
  " eq ",
  "any(",
  "not ",
  "(",
];
const text = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join("")),
);

test("a text is a tree or has an error", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ruleKinds), text, (rules, source) => {
      const parsed = parseExpression(source, { rules });
      if (parsed.ok) {
        const printed = printTree(parsed.value);
        const again = parseExpression(printed, { rules });
        expect(again.ok && printTree(again.value)).toBe(printed);
      } else {
        expect(parsed.problems).toHaveLength(1);
        const [{ span, message }] = parsed.problems;
        expect(message).not.toBe("");
        expect(span.start).toBeLessThanOrEqual(Math.max(source.length, span.end));
      }
    }),
    { numRuns: runs(2_000) },
  );
});
