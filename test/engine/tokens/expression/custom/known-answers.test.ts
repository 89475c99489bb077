/** The known answers of custom rules, and expressions that users wrote. */
import { expect, test } from "vitest";
import { parseExpression } from "../../../../../src/engine/tokens/expression/parser.ts";
import { evaluateCustom } from "./evaluate-custom.ts";
import { knownAnswers, knownErrors, userExpressions } from "./known-answers.ts";

test.each(knownAnswers)("$expression is $value for $path $headers $body $tokens", (answer) => {
  expect(evaluateCustom(answer.expression, answer)).toBe(answer.value);
});

test.each([
  ['any(http.request.uri.args[*][*] eq "2")', "/?a=1&b=3&a=2", true],
  ['all(http.request.uri.args[*][*] eq "1")', "/?a=1&b=1&a=1", true],
  ['all(http.request.uri.args[*][*] eq "1")', "/?a=1&b=1&a=2", false],
  ['any(http.request.uri.args[*][*] eq "1")', "/", false],
  ['any(upper(http.request.uri.args[*][*])[*] eq "B")', "/?a=1&a=b", true],
  ['any(starts_with(http.request.uri.args[*][*], "b"))', "/?a=1&c=bc", true],
])("%s, of all elements of a map, for %s: %s", (expression, path, value) => {
  expect(evaluateCustom(expression, { path })).toBe(value);
});

test.each(Object.entries(knownErrors))("%s is an error at column %i", (text, column) => {
  const parsed = parseExpression(text, { rules: "custom" });
  expect(parsed.ok ? undefined : parsed.problems[0].column).toBe(column);
});

test.each(userExpressions)("the expression of a user: $expression", (user) => {
  const parsed = parseExpression(user.expression, { rules: "custom" });
  if ("column" in user) {
    expect(parsed.ok ? undefined : parsed.problems[0].column).toBe(user.column);
    return;
  }
  for (const sample of user.passes) expect(evaluateCustom(user.expression, sample)).toBe(true);
  for (const sample of user.fails) expect(evaluateCustom(user.expression, sample)).toBe(false);
});

test("an IP that is not given is unknown, and named", () => {
  expect(evaluateCustom("ip.src eq 10.0.0.1 or ssl")).toBe(true);
  expect(evaluateCustom("not ip.src in {10.0.0.1} and (not ssl or cf.client.bot)")).toEqual({
    needs: ["ip.src", "cf.client.bot"],
  });
});
