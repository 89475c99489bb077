/** Logic with three values (Kleene): an operand that decides is enough. */

import type { Combinator, Expression, Test } from "./tree.ts";

/** True, false, or undefined when it is unknown. */
export type Truth = boolean | undefined;

/** The combinators of two values. */
export const truthTables: Readonly<Record<Combinator, (a: Truth, b: Truth) => Truth>> = {
  or: (a, b) => (a === true || b === true ? true : a === undefined || b === undefined ? undefined : false),
  and: (a, b) => (a === false || b === false ? false : a === undefined || b === undefined ? undefined : true),
  xor: (a, b) => (a === undefined || b === undefined ? undefined : a !== b),
};

/** The value of an expression by the values of its leaves. */
export function truthOf(expression: Expression, valueAt: (leaf: Test) => Truth): Truth {
  if (expression.kind === "not") {
    const value = truthOf(expression.operand, valueAt);
    return value === undefined ? undefined : !value;
  }
  if (expression.kind !== "combination") return valueAt(expression);
  const { operator, operands } = expression;
  const combine = truthTables[operator];
  let truth: Truth = operator === "and";
  for (const operand of operands) {
    truth = combine(truth, truthOf(operand, valueAt));
    if (operator !== "xor" && truth === (operator === "or")) return truth;
  }
  return truth;
}
