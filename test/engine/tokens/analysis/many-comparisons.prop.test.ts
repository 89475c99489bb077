/** Locations with more comparisons than are enumerated in all combinations: the same laws, against brute force. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { compareExpressions, implies } from "../../../../src/engine/tokens/analysis/compare-expressions.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import type { Expression } from "../../../../src/engine/tokens/expression/tree.ts";
import { runs } from "../../../support/runs.ts";
import { modelField, modelTruth } from "../model.ts";
import { configs, expression, grid, modelValue, parse, realValue, withTokens } from "./grid.ts";

/** Always true, with more comparisons of the path and of a header than are enumerated in all combinations. */
const crowd = [
  ...["b/", "q", "r", "s", "/t"].map((piece) => `http.request.uri.path contains "${piece}"`),
  ...["c", "d", "e", "f", "g"].map((piece) => `http.request.headers["accept"][0] contains "${piece}"`),
  ...["c", "d", "e", "f", "g"].map((piece) => `http.request.headers["accept"][1] wildcard "${piece}*"`),
]
  .map((text) => `(${text} or not ${text})`)
  .join(" and ");

function crowded(tree: Expression): Expression {
  return parse(`(${printExpression(tree)}) and ${crowd}`);
}

test("two expressions with lazy locations are equivalent exactly when they are equal for every request of the grid", async () => {
  await fc.assert(
    fc.asyncProperty(expression, expression, async (left, right) => {
      const compared = compareExpressions(crowded(left), crowded(right), { configs });
      const differ = grid.some((point) => modelValue(left, point) !== modelValue(right, point));
      expect(compared.result).toBe(differ ? "different" : "equivalent");
      if (compared.result !== "different") return;
      const { counterexample } = compared;
      const request = withTokens(counterexample.request, counterexample.placeholderTokens);
      const values = [await realValue(left, request), await realValue(right, request)];
      expect(values).toEqual(counterexample.values);
      expect(values[0]).not.toBe(values[1]);
    }),
    { numRuns: runs(60) },
  );
});

test("a second header implies a first one, and no comparison holds for a missing header", () => {
  const second = 'http.request.headers["accept"][1] contains "b"';
  const onlySecond = parse(`${second} and not http.request.headers["accept"][0] contains ""`);
  const nothing = parse('http.request.method eq "get"');
  expect(compareExpressions(crowded(onlySecond), crowded(nothing))).toEqual({ result: "equivalent" });
});

const path = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "/"), minLength: 1, maxLength: 3 }).map((piece) => {
    return `http.request.uri.path contains "${piece}"`;
  }),
  fc
    .tuple(
      fc.constantFrom("/", "/a", "/b", "*"),
      fc.constantFrom("a", "b", "ab"),
      fc.constantFrom("", "*", "*/"),
    )
    .map(
      ([start, middle, end]) =>
        `http.request.uri.path wildcard "${`${start}*${middle}${end}`.replaceAll("**", "*")}"`,
    ),
  fc.constantFrom("/", "/a", "/ab", "/b/a").map((text) => `http.request.uri.path eq "${text}"`),
);

/** Combinations of many comparisons of the path. */
const paths = fc
  .array(fc.tuple(path, fc.boolean(), fc.constantFrom("or", "and", "xor")), { minLength: 6, maxLength: 12 })
  .map((parts) =>
    parts.reduce((text, [leaf, negated, operator]) => {
      const operand = negated ? `not ${leaf}` : leaf;
      return text === "" ? operand : `(${text}) ${operator} ${operand}`;
    }, ""),
  );

/** Every path of up to six of these characters. */
const shortPaths: readonly string[] = Array.from({ length: 6 }).reduce<string[]>(
  (all) => [...new Set([...all, ...all.flatMap((text) => ["a", "b", "/"].map((unit) => text + unit))])],
  ["/"],
);

function holds(tree: Expression, at: string): boolean {
  const request = { method: "GET", url: `https://h${at}`, headers: [] };
  return modelTruth(tree, {
    value: (field) => modelField(request, field),
    present: () => false,
    valid: () => false,
  });
}

test("results for many comparisons of one path agree with brute force", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [parse(left), parse(right)];
      for (const [x, y] of [
        [a, b],
        [a, parse(`(${left}) and (${right})`)],
      ] as const) {
        const implication = implies(x, y);
        seen.add(implication.result);
        const isRefuted = shortPaths.some((at) => holds(x, at) && !holds(y, at));
        if (implication.result === "implied") expect(isRefuted).toBe(false);
        if (implication.result !== "not_implied") continue;
        const { pathname } = new URL(implication.counterexample.request.url);
        expect([holds(x, pathname), holds(y, pathname)]).toEqual([true, false]);
      }
      const redundant = compareExpressions(a, parse(`not not (${left}) or ((${left}) and (${right}))`));
      expect(redundant.result).toBe("equivalent");
    }),
    { numRuns: runs(80, 80) },
  );
  expect([...seen].sort()).toEqual(["implied", "not_implied"]);
});

test("an analysis of two hundred rules over paths decides every question", () => {
  const selector = { include: [{ host: ["api.example.com"] }] };
  const rulesOf = (expressionOf: (i: number) => string) =>
    Array.from({ length: 200 }, (_, i) => {
      return { id: `r${i}`, action: "block" as const, enabled: true, expression: expressionOf(i), selector };
    });
  const checksOf = (expressionOf: (i: number) => string) => {
    const found = analyze({ configs, rules: rulesOf(expressionOf) });
    return [...new Set(found.map(({ rule }) => rule).filter((id) => id !== "unused-config"))];
  };
  const valid = 'is_jwt_valid("a")';
  // Each rule protects paths of its own.
  expect(checksOf((i) => `not http.request.uri.path wildcard "*/v${1_000 + i}/*" or ${valid}`)).toEqual([]);
  expect(checksOf((i) => `not http.request.uri.path contains "v${1_000 + i}" or ${valid}`)).toEqual([]);
  // Without a token each rule allows only a path of its own, so the first two block every request.
  expect(checksOf((i) => `http.request.uri.path wildcard "/v${1_000 + i}/*" or ${valid}`)).toEqual([
    "behind-block",
  ]);
});
