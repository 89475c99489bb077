/** Forms of version 0.2 in token rules: each is read as before, with a note, and is another thing in custom rules. */
import { compileZone } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";

const forms = [
  [
    'http.request.headers["X-Tag"][0] eq "a"',
    'http.request.headers["x-tag"][0] eq "a"',
    'At line 1, column 22 of the expression: Names of headers are in lower case: "X-Tag" is read as "x-tag" until version 0.3',
  ],
  [
    'any(lower(http.request.headers["x-tag"][*]) eq "a")',
    'any(lower(http.request.headers["x-tag"][*])[*] eq "a")',
    'At line 1, column 5 of the expression: `lower(http.request.headers["x-tag"][*])` is an array',
  ],
  [
    'any(len(upper(http.request.headers["x-tag"][*])) eq 1)',
    'any(len(upper(http.request.headers["x-tag"][*])[*])[*] eq 1)',
    "is an array, and is read as",
  ],
  [
    'all(starts_with(http.request.headers["x-tag"][*], "a"))',
    'all(starts_with(http.request.headers["x-tag"][*], "a"))',
    "`all` of the results of a call is false without a value",
  ],
] as const;

function zoneWith(expression: string) {
  const selector = { include: [{ host: ["a.example"] }] };
  return compileZone({
    configs: [],
    rules: [{ id: "r", action: "block", enabled: true, expression, selector }],
  });
}

describe.each(forms)("%s", (earlier, now, message) => {
  test("is read as the form of today, and has a note", async () => {
    const parsed = parseExpression(earlier);
    expect(parsed.ok && printExpression(parsed.value)).toBe(now);
    const { notes } = await zoneWith(earlier);
    expect(notes.filter(({ rule }) => rule === "earlier-form")[0]).toMatchObject({
      message: expect.stringContaining(message),
      pointer: "/rules/0/expression",
    });
  });

  test("has the verdict of the form of today", async () => {
    const zones = [await zoneWith(earlier), await zoneWith(now)];
    for (const value of ["a", "A", "b", "ab", undefined]) {
      const headers: Record<string, string> = value === undefined ? {} : { "X-tag": value };
      const request = { method: "GET", url: "https://a.example/", headers };
      const [first, second] = zones.map((zone) => zone.evaluateSync(request).action);
      expect(first).toBe(second);
    }
  });
});

test("forms of today have no note", async () => {
  for (const expression of [
    'any(http.request.headers["x"][*] eq "A")',
    'http.request.cookies["Sid"][0] eq "a"',
    'any(lower(http.request.headers["x"][*])[*] eq "a")',
    'any(starts_with(http.request.headers["x"][*], "a"))',
  ])
    expect((await zoneWith(expression)).notes).toEqual([]);
});

test("a custom rule needs the second index, and keeps the case of a name", () => {
  expect(parseExpression('any(lower(http.request.headers["x"][*]) eq "a")', { rules: "custom" }).ok).toBe(
    false,
  );
  const kept = parseExpression('http.request.headers["X"][0] eq "a"', { rules: "custom" });
  expect(kept.ok && printExpression(kept.value)).toBe('http.request.headers["X"][0] eq "a"');
});
