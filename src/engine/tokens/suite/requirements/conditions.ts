/**
 * The conditions of an expression, and whether each of them matters: whether the value of the expression changes with
 * it. This is masking MC/DC (modified condition and decision coverage): the other operands of the combinations that
 * contain the condition do not mask it.
 */

import type { Expression, Test } from "../../expression/tree.ts";

/** The operations on values of expressions: booleans for one request, or decision diagrams for all of them. */
export interface TruthAlgebra<T> {
  readonly always: T;
  evaluate(expression: Expression): T;
  and(left: T, right: T): T;
  not(value: T): T;
}

/** One occurrence of a condition in an expression. */
export interface Condition<T> {
  readonly leaf: Test;
  readonly value: T;
  readonly matters: T;
}

/** The conditions of an expression, from left to right. */
export function conditionsOf<T>(expression: Expression, algebra: TruthAlgebra<T>): Condition<T>[] {
  return visit(expression, algebra.always, algebra);
}

function visit<T>(expression: Expression, matters: T, algebra: TruthAlgebra<T>): Condition<T>[] {
  if (expression.kind === "not") return visit(expression.operand, matters, algebra);
  if (expression.kind !== "combination")
    return [{ leaf: expression, value: algebra.evaluate(expression), matters }];
  const { operator, operands } = expression;
  if (operator === "xor") return operands.flatMap((operand) => visit(operand, matters, algebra));
  const neutral = operands.map((operand) => {
    const value = algebra.evaluate(operand);
    return operator === "and" ? value : algebra.not(value);
  });
  return operands.flatMap((operand, i) => {
    const unmasked = neutral.reduce((all, value, j) => (i === j ? all : algebra.and(all, value)), matters);
    return visit(operand, unmasked, algebra);
  });
}
