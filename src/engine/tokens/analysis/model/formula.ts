/** Expressions in terms of what the analysis knows about requests: tests of values at locations, and of tokens. */

import type { TokenTestName } from "../../expression/language/functions.ts";
import type { Combinator } from "../../expression/tree.ts";
import type { BoundConfig } from "../bound-expression.ts";
import type { TextComparison } from "../strings/string-test.ts";

/** A condition on a request. */
export type Formula =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "combination"; readonly operator: Combinator; readonly operands: readonly Formula[] }
  | { readonly kind: "not"; readonly operand: Formula }
  /** A comparison of the method, the URL, a header or a cookie. */
  | { readonly kind: "text"; readonly comparison: TextComparison }
  /** The result of a test at a location of another value. */
  | { readonly kind: "own"; readonly location: string; readonly test: number }
  /** Whether the token of a configuration passes a test, and a condition holds for its claims, by the location of the token. */
  | {
      readonly kind: "token";
      readonly config: BoundConfig;
      readonly test: TokenTestName;
      /** Absent: any claims. */
      readonly claims?: ReadonlyMap<string, Formula>;
    };

/** A formula without operands. */
export type Atom = Exclude<Formula, { readonly kind: "constant" | "combination" | "not" }>;

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

/** The atoms of a formula in order, a token before the tests of its claims. */
export function atomsOf(formula: Formula): Atom[] {
  switch (formula.kind) {
    case "constant":
      return [];
    case "not":
      return atomsOf(formula.operand);
    case "combination":
      return formula.operands.flatMap(atomsOf);
    case "token":
      return [formula, ...[...(formula.claims?.values() ?? [])].flatMap(atomsOf)];
    default:
      return [formula];
  }
}

/** Whether a formula is true, by the values of its atoms. */
export function holds(formula: Formula, isTrue: (atom: Atom) => boolean): boolean {
  switch (formula.kind) {
    case "constant":
      return formula.value;
    case "not":
      return !holds(formula.operand, isTrue);
    case "combination": {
      const { operator, operands } = formula;
      if (operator === "or") return operands.some((operand) => holds(operand, isTrue));
      if (operator === "and") return operands.every((operand) => holds(operand, isTrue));
      return operands.filter((operand) => holds(operand, isTrue)).length % 2 === 1;
    }
    default:
      return isTrue(formula);
  }
}
