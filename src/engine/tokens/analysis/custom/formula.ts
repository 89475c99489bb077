/** Expressions of custom rules in terms of what an analysis knows: comparisons that token rules have, too, and others. */

import type { Combinator, FunctionTest } from "../../expression/ast.ts";
import type { BoundConfig } from "../bound-expression.ts";

/** A condition on a request. */
export type Formula =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "combination"; readonly operator: Combinator; readonly operands: readonly Formula[] }
  | { readonly kind: "not"; readonly operand: Formula }
  /** A comparison at a location that token rules read as well. */
  | { readonly kind: "shared"; readonly leaf: FunctionTest }
  /** The result of a test at a location that only custom rules read. */
  | { readonly kind: "own"; readonly location: string; readonly test: number }
  /** Whether the token of a configuration is valid, and a condition holds for its claims, by the location of the token. */
  | {
      readonly kind: "token";
      readonly config: BoundConfig;
      readonly claims: ReadonlyMap<string, Formula>;
    };

export const always: Formula = { kind: "constant", value: true };
export const never: Formula = { kind: "constant", value: false };

/** The negation. */
export function negate(operand: Formula): Formula {
  if (operand.kind === "constant") return operand.value ? never : always;
  return { kind: "not", operand };
}

/** Whether one of them holds. */
export function some(operands: readonly Formula[]): Formula {
  return combine("or", operands, never);
}

/** Whether each of them holds. */
export function every(operands: readonly Formula[]): Formula {
  return combine("and", operands, always);
}

function combine(operator: Combinator, operands: readonly Formula[], empty: Formula): Formula {
  const [first = empty, ...others] = operands;
  return others.length === 0 ? first : { kind: "combination", operator, operands };
}

/** The shared comparisons of a formula. */
export function sharedLeaves(formula: Formula): FunctionTest[] {
  if (formula.kind === "shared") return [formula.leaf];
  if (formula.kind === "combination") return formula.operands.flatMap(sharedLeaves);
  return formula.kind === "not" ? sharedLeaves(formula.operand) : [];
}
