/** Laws of the fixes of wrong expressions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { replaceSpan } from "../../../../src/engine/tokens/expression/notes.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { heldOutExpressions, wrongExpressions } from "./wrong-expressions.ts";

const pieces = [...wrongExpressions, ...heldOutExpressions].flatMap(([text]) =>
  text.split(/(?<=[ ([{])|(?=[)\]},])/),
);

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(" ", "'", '"', "(", ")", "[", "not ")), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
);

test("an error and its fixes are within the text, and a fix leaves less text from the first error on", () => {
  fc.assert(
    fc.property(texts, fc.constantFrom("token", "custom"), (text, rules) => {
      const parsed = parseExpression(text, { rules });
      if (parsed.ok) return;
      const [{ offset, span, fixes = [] }] = parsed.problems;
      expect(0 <= offset && offset === span.start && offset <= text.length).toBe(true);
      expect(fixes.length).toBeLessThanOrEqual(5);
      for (const fix of fixes) {
        expect(0 <= fix.span.start && fix.span.start <= fix.span.end && fix.span.end <= text.length).toBe(
          true,
        );
        const fixed = replaceSpan(text, fix.span, fix.replacement);
        const again = parseExpression(fixed, { rules });
        if (!again.ok) expect(fixed.length - again.problems[0].offset).toBeLessThan(text.length - offset);
      }
    }),
    { numRuns: 1000 },
  );
});

test("a long text is answered in linear time", () => {
  const starts = [
    "(",
    "not ",
    '"',
    "'",
    "a.",
    "http.host ",
    "{",
    "any(",
    "x(",
    "/",
    "[",
    "\\",
    'http.host in {"',
    "1,",
    "“",
  ];
  const timeOf = (text: string) => {
    const start = performance.now();
    parseExpression(text, { rules: "custom" });
    return performance.now() - start;
  };
  for (const start of starts) {
    const text = start.repeat(Math.floor(4096 / start.length));
    timeOf(text);
    expect(timeOf(text), start).toBeLessThan(500);
  }
});
