/** Changes of a comparison with functions: its operator, its quantifier, its operand. */

import type { FunctionTest } from "../../expression/ast.ts";
import type { MutantKind } from "./mutant.ts";

/** The operator that takes the place of another one. */
const otherOperators: Partial<Record<FunctionTest["operator"], FunctionTest["operator"]>> = {
  eq: "ne",
  ne: "eq",
  lt: "le",
  le: "lt",
  gt: "ge",
  ge: "gt",
  starts_with: "ends_with",
  ends_with: "starts_with",
};

/** A changed test. */
export interface FunctionChange {
  readonly kind: MutantKind;
  readonly changed: FunctionTest;
}

/** Every change of a comparison with functions; patterns of `matches` are not changed. */
export function functionChanges(test: FunctionTest): readonly FunctionChange[] {
  const { operator, quantifier, operand } = test;
  const other = otherOperators[operator];
  const operators = other === undefined ? [] : [{ ...test, operator: other }];
  const quantifiers: FunctionTest[] =
    quantifier === undefined ? [] : [{ ...test, quantifier: quantifier === "any" ? "all" : "any" }];
  return [
    ...[...operators, ...quantifiers].map((changed) => ({ kind: "operator" as const, changed })),
    ...(operator === "matches" ? [] : otherOperands(operand)).map((one) => {
      return { kind: "value" as const, changed: { ...test, operand: one } };
    }),
  ];
}

function otherOperands(operand: FunctionTest["operand"]): readonly FunctionTest["operand"][] {
  if (typeof operand === "number") return [operand + 1];
  if (typeof operand === "string") return operand.endsWith("*") ? [] : [`${operand}x`];
  return operand.length < 2 ? [] : operand.map((_, i) => operand.toSpliced(i, 1));
}
