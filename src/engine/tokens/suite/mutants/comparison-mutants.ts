/** Changes of a comparison: its operator, its quantifier, or its operand. */

import type { Comparison, FunctionTest } from "../../expression/ast.ts";
import { fields } from "../../expression/language/fields.ts";
import { resultType } from "../../expression/language/functions.ts";
import { operatorOf, stringOperators } from "../../expression/language/operators.ts";
import type { MutantKind } from "./mutant.ts";
import { operandChanges, type ReplaceString } from "./operand-mutants.ts";

/** A changed comparison. */
export interface ComparisonChange {
  readonly kind: MutantKind;
  readonly changed: Comparison | FunctionTest;
}

/** Every change of a comparison of a field. */
export function comparisonChanges(
  comparison: Comparison,
  hosts: readonly string[],
): readonly ComparisonChange[] {
  const kind = fields[comparison.field.name].mutant;
  const replace: ReplaceString = (value, used) =>
    knownValues[kind](hosts).find((other) => !used.includes(other)) ?? `${value}x`;
  const { operand, mutant } = stringOperators[comparison.operator];
  const operators = mutant === "none" ? [] : [{ ...comparison, operator: mutant } as Comparison];
  const values =
    "values" in comparison
      ? operandChanges("set", comparison.values, replace).map((values) => ({ ...comparison, values }))
      : operandChanges(operand, comparison.value, replace).map(
          (value) => ({ ...comparison, value }) as Comparison,
        );
  return [
    ...operators.map((changed) => ({ kind: "operator" as const, changed })),
    ...values.map((changed) => ({ kind, changed })),
  ];
}

/** The values from which the one in place of another is chosen, by the kind of the mutant. */
const knownValues: {
  readonly [K in (typeof fields)[Comparison["field"]["name"]]["mutant"]]: (
    hosts: readonly string[],
  ) => readonly string[];
} = {
  method: () => ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"],
  host: (hosts) => hosts,
  value: () => [],
};

/** Every change of a comparison with functions. */
export function functionChanges(test: FunctionTest): readonly ComparisonChange[] {
  const { quantifier, functions, operator, operand } = test;
  const { mutant, operand: kind } = operatorOf(resultType(functions), operator);
  const operators = mutant === "none" ? [] : [{ ...test, operator: mutant as FunctionTest["operator"] }];
  const quantifiers: FunctionTest[] =
    quantifier === undefined ? [] : [{ ...test, quantifier: quantifier === "any" ? "all" : "any" }];
  return [
    ...[...operators, ...quantifiers].map((changed) => ({ kind: "operator" as const, changed })),
    ...operandChanges(kind, operand, (value) => `${value}x`).map((other) => {
      return { kind: "value" as const, changed: { ...test, operand: other } };
    }),
  ];
}
