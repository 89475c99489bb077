/** Comparisons of expressions against brute force, and counterexamples against the engine with real tokens. */

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareExpressions,
  type ExpressionCounterexample,
  implies,
} from "../../../../src/engine/tokens/analysis/compare-expressions.ts";
import type { Expression } from "../../../../src/engine/tokens/expression/tree.ts";
import { runs } from "../../../support/runs.ts";
import { expression as anyExpression, request as anyRequest, configIds } from "../arbitraries.ts";
import { modelField, modelTruth } from "../model.ts";
import {
  configs,
  expression,
  expressionWithFunctions,
  grid,
  modelValue,
  realValue,
  withTokens,
} from "./grid.ts";

async function realValues(shown: ExpressionCounterexample, ...trees: readonly Expression[]) {
  const request = withTokens(shown.request, shown.placeholderTokens);
  return Promise.all(trees.map((tree) => realValue(tree, request)));
}

test("two expressions are equivalent exactly when they are equal for every request of the grid", async () => {
  await fc.assert(
    fc.asyncProperty(expression, expression, async (left, right) => {
      const compared = compareExpressions(left, right, { configs });
      const differ = grid.some((point) => modelValue(left, point) !== modelValue(right, point));
      expect(compared.result).toBe(differ ? "different" : "equivalent");
      if (compared.result !== "different") return;
      const values = await realValues(compared.counterexample, left, right);
      expect(values).toEqual(compared.counterexample.values);
      expect(values[0]).not.toBe(values[1]);
    }),
    { numRuns: runs(60) },
  );
});

test("an implication holds exactly when it holds for every request of the grid", async () => {
  await fc.assert(
    fc.asyncProperty(expression, expression, async (left, right) => {
      const answer = implies(left, right, { configs });
      const denied = grid.some((point) => modelValue(left, point) && !modelValue(right, point));
      expect(answer.result).toBe(denied ? "not_implied" : "implied");
      if (answer.result !== "not_implied") return;
      expect(await realValues(answer.counterexample, left, right)).toEqual([true, false]);
    }),
    { numRuns: runs(60) },
  );
});

test("with functions an answer is never wrong, and equal expressions stay equivalent", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(expressionWithFunctions, expressionWithFunctions, async (left, right) => {
      const compared = compareExpressions(left, right, { configs });
      const answer = implies(left, right, { configs });
      for (const { result } of [compared, answer]) seen.set(result, (seen.get(result) ?? 0) + 1);
      const values = grid.map((point) => [modelValue(left, point), modelValue(right, point)] as const);
      if (compared.result === "equivalent") expect(values.some(([a, b]) => a !== b)).toBe(false);
      if (answer.result === "implied") expect(values.some(([a, b]) => a && !b)).toBe(false);
      if (compared.result === "different") {
        const real = await realValues(compared.counterexample, left, right);
        expect(real).toEqual(compared.counterexample.values);
        expect(real[0]).not.toBe(real[1]);
      }
      if (answer.result === "not_implied")
        expect(await realValues(answer.counterexample, left, right)).toEqual([true, false]);
      const both: Expression = {
        kind: "combination",
        operator: "and",
        operands: [left, right],
        isArray: false,
        span: left.span,
      };
      expect(implies(both, left, { configs }).result).toBe("implied");
    }),
    { numRuns: runs(60, 20) },
  );
  expect(seen.get("different") ?? 0).toBeGreaterThan(0);
});

test("an expression is equivalent to itself in another notation", () => {
  fc.assert(
    fc.property(expression, expression, (a, b) => {
      const span = a.span;
      const not = (operand: Expression): Expression => ({ kind: "not", operand, isArray: false, span });
      const join = (operator: "or" | "and" | "xor", ...operands: Expression[]): Expression => {
        return { kind: "combination", operator, operands, isArray: false, span };
      };
      const pairs = [
        [not(join("or", a, b)), join("and", not(a), not(b))],
        [join("xor", a, b), join("and", join("or", a, b), not(join("and", a, b)))],
      ] as const;
      for (const [left, right] of pairs) {
        expect(compareExpressions(left, right, { configs })).toEqual({ result: "equivalent" });
      }
    }),
    { numRuns: runs(60) },
  );
});

test("equivalent expressions have equal values for every request, and different ones differ for the counterexample", () => {
  fc.assert(
    fc.property(
      anyExpression,
      anyExpression,
      fc.array(anyRequest, { minLength: 20, maxLength: 20 }),
      (a, b, requests) => {
        const compared = compareExpressions(a, b, { maxSteps: 200_000 });
        if (compared.result === "different")
          expect(compared.counterexample.values[0]).not.toBe(compared.counterexample.values[1]);
        if (compared.result !== "equivalent") return;
        for (const request of requests) {
          for (const given of ["missing", "invalid", "valid"]) {
            const value = (tree: Expression) =>
              modelTruth(tree, {
                value: (field) => modelField(request, field),
                present: (id) => given !== "missing" && id !== configIds[0],
                valid: (id) => given === "valid" && id !== configIds[0],
              });
            expect(value(a)).toBe(value(b));
          }
        }
      },
    ),
    { numRuns: runs(200) },
  );
});
