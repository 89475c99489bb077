/** The next step in the message of a wrong expression, and its fix. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { replaceSpan } from "../../../../src/engine/tokens/expression/notes.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import type { ExpressionError } from "../../../../src/engine/tokens/expression/syntax-error.ts";
import { heldOutExpressions, wrongExpressions } from "./wrong-expressions.ts";

function errorOf(text: string, rules: "token" | "custom" = "custom"): ExpressionError {
  const parsed = parseExpression(text, { rules });
  if (parsed.ok) throw new Error(`\`${text}\` is valid`);
  return parsed.problems[0];
}

/** The text after the first fix; undefined without one. */
function fixedText(text: string): string | undefined {
  const [fix] = errorOf(text).fixes ?? [];
  return fix && replaceSpan(text, fix.span, fix.replacement);
}

const isValid = (text: string) => parseExpression(text, { rules: "custom" }).ok;

/** The forms behind "write" in a message. */
const formsIn = (message: string) =>
  [...message.matchAll(/write `([^`]+)`\./g)].map(([, form]) => form ?? "");

describe("a wrong expression", () => {
  test.each(wrongExpressions)(
    "%s: the message has the correct form, and the fix makes it valid",
    (text = "", form = "", fixed) => {
      expect(errorOf(text).message).toContain(form);
      const expected = fixed ?? form;
      expect(fixedText(text) ?? "").toBe(expected);
      if (expected !== "") expect(isValid(expected)).toBe(true);
    },
  );

  test("of a public thread is answered with its correct form in most cases", () => {
    const answered = heldOutExpressions.filter(([text, form]) => errorOf(text).message.includes(form));
    expect(answered.length).toBeGreaterThanOrEqual(25);
    for (const [text] of heldOutExpressions) {
      const fixed = fixedText(text);
      if (fixed !== undefined) expect(isValid(fixed), fixed).toBe(true);
    }
  });

  test("of a list that was written without knowledge of the hints is corrected in most cases", () => {
    const url = new URL("../../../../fixtures/custom-rules/held-out.json", import.meta.url);
    const { wrong } = JSON.parse(readFileSync(url, "utf8")) as {
      readonly wrong: readonly { readonly expression: string }[];
    };
    const corrected = wrong.filter(({ expression }) => {
      let text: string | undefined = expression;
      for (let count = 0; count < 4 && text !== undefined && !isValid(text); count++) text = fixedText(text);
      return text !== undefined && text !== expression && isValid(text);
    });
    expect(wrong).toHaveLength(58);
    expect(corrected.length).toBeGreaterThanOrEqual(52);
  });

  test("has a form in its message that is an expression, alone or in `any`", () => {
    for (const [text] of [...wrongExpressions, ...heldOutExpressions])
      for (const form of formsIn(errorOf(text).message))
        expect(
          [
            form,
            `any(${form})`,
            `${form} ssl`,
            `ssl ${form} ssl`,
            `http.host eq ${form}`,
            `${form} in $list`,
            `http.host matches ${form}`,
          ].some(isValid),
          `${text}: ${form}`,
        ).toBe(true);
  });

  test("with several errors is corrected by one fix after the other", () => {
    let text = `http.request.path starts_with '/a' AND (ip.country not in (DE, FR) || http.host = "b"`;
    for (let count = 0; count < 8 && !isValid(text); count++) text = fixedText(text) ?? "";
    expect(text).toBe(
      'starts_with(http.request.uri.path, "/a") and (not ip.src.country in {"DE" "FR"} || http.host eq "b")',
    );
  });
});

test("a token rule has the fields of requests alone in its hints", () => {
  expect(errorOf('http.request.path starts_with "/a"', "token").message).toContain(
    'write `starts_with(http.request.uri.path, "/a")`',
  );
  expect(errorOf('ip.country eq "DE"', "token").fixes).toBeUndefined();
});

test("a message has no form that is longer than a line", () => {
  const values = Array.from({ length: 100 }, (_, i) => `"value-${i}"`).join(", ");
  const error = errorOf(`http.host in {${values}}`);
  expect(error.message.length).toBeLessThan(300);
  expect(fixedText(`http.host in {${values}}`)).toBe(`http.host in {${values.replaceAll(",", "")}}`);
});
