/** The literals of the nodes of an expression. */

import { isTokenTest } from "../../expression/language/functions.ts";
import type { Comparison, Expression, Literal, Value } from "../../expression/tree.ts";
import { isLookup, isValue } from "../../expression/tree-queries.ts";

/** The literals of an expression besides names. */
export type Changeable = Exclude<Comparison["right"], Value | { kind: "list" }>;

/** A literal of a node. */
interface LiteralPlace {
  readonly literal: Changeable;
  /** The value that it is compared with, if any. */
  readonly of: Value | undefined;
  readonly replace: (other: Changeable) => Expression;
}

/** The literals of a node, also the arguments of functions; the ids of configurations and the names of claims are no such. */
export function literalsOf(node: Expression): readonly LiteralPlace[] {
  if (node.kind === "test") return argumentsOf(node.value, (value) => ({ ...node, value }));
  if (node.kind !== "comparison") return [];
  const { left, right } = node;
  const own: readonly LiteralPlace[] = isValue(right)
    ? argumentsOf(right, (changed) => ({ ...node, right: changed }))
    : right.kind === "list"
      ? []
      : [{ literal: right, of: left, replace: (other) => ({ ...node, right: other }) }];
  return [...own, ...argumentsOf(left, (changed) => ({ ...node, left: changed }))];
}

function argumentsOf(value: Value, rebuild: (value: Value) => Expression): readonly LiteralPlace[] {
  if (value.kind === "field") return [];
  if (value.kind !== "call") return argumentsOf(value.of, (of) => rebuild({ ...value, of }));
  if (isTokenTest(value.name)) return [];
  const [first] = value.args;
  return value.args.flatMap((arg, i) => {
    const withArgument = (other: Value | Literal) => rebuild({ ...value, args: value.args.with(i, other) });
    if (arg.kind !== "literal") return argumentsOf(arg, withArgument);
    if (isLookup(value) && typeof arg.value === "string") return [];
    const of = i === 0 || first === undefined || first.kind === "literal" ? undefined : first;
    return [{ literal: arg, of, replace: (other) => withArgument(other as Literal) }];
  });
}
