/**
 * The conditions without which an expression is false, as keys on single values. Many rules are found by looking up the
 * values of a request, instead of evaluating each of them.
 */

import { compileValue, type Program, type Read } from "./compile-value.ts";
import type { BoolTest, Comparison, Expression, Value } from "./tree.ts";
import { readsClaims } from "./tree-queries.ts";

/** A condition on one value. Values are held so that equal ones are identical. */
export interface Key {
  /** Reads the value; equal values of a program have one function. */
  readonly read: Read;
  /** `equal`: the value is the operand. The others are about strings of bytes. */
  readonly kind: "equal" | "contains" | "starts";
  readonly operand: unknown;
}

/** A condition; the expression is false without it. */
export type Condition =
  | Key
  /** One of them must hold; with none, the expression is never true. */
  | { readonly kind: "some"; readonly of: readonly Condition[] }
  /** Each must hold, so that any one of them is enough to find the expression. */
  | { readonly kind: "each"; readonly of: readonly Condition[] };

/** The condition of an expression; undefined when it has none. */
export function conditionOf(program: Program, expression: Expression): Condition | undefined {
  switch (expression.kind) {
    case "combination": {
      const { operator, operands } = expression;
      const conditions = operands.map((operand) => conditionOf(program, operand));
      const of = conditions.filter((condition) => condition !== undefined);
      if (operator === "and") return of.length === 0 ? undefined : { kind: "each", of };
      return operator === "or" && of.length === operands.length ? { kind: "some", of } : undefined;
    }
    case "comparison":
      return ofComparison(program, expression);
    case "test":
      return ofCall(program, expression);
    case "constant":
      return expression.value ? undefined : { kind: "some", of: [] };
    default:
      return undefined;
  }
}

function ofComparison(program: Program, comparison: Comparison): Condition | undefined {
  const { left, operator, right } = comparison;
  if (!isLookedUp(left)) return undefined;
  const read = compileValue(program, left);
  if (right.kind === "literal") {
    const { value: operand } = right;
    if (operator === "eq") return { kind: "equal", read, operand };
    return operator === "contains" && operand !== "" ? { kind: "contains", read, operand } : undefined;
  }
  // A comparison of an unknown value with an empty set is unknown.
  if (right.kind !== "set" || right.items.length === 0) return undefined;
  const of: Key[] = [];
  for (const item of right.items) {
    if (item.type !== "String" && item.first !== item.last) return undefined;
    of.push({ kind: "equal", read, operand: item.type === "String" ? item.value : item.first });
  }
  return { kind: "some", of };
}

function ofCall(program: Program, { value }: BoolTest): Condition | undefined {
  if (value.kind !== "call" || value.name !== "starts_with" || value.isEach) return undefined;
  const [subject, prefix] = value.args;
  if (subject === undefined || subject.kind === "literal" || prefix?.kind !== "literal") return undefined;
  if (!isLookedUp(subject) || prefix.value === "") return undefined;
  return { kind: "starts", read: compileValue(program, subject), operand: prefix.value };
}

/** Looking up a value must not verify tokens that no evaluated expression reads. */
function isLookedUp(value: Value): boolean {
  return !value.isEach && !readsClaims(value);
}
