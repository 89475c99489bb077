/** Which token configurations an expression speaks of. */

import { quote } from "../../../errors.ts";
import type { Expression, Leaf } from "./ast.ts";
import { type ExpressionError, errorAt, type Span } from "./syntax-error.ts";

/** One mention of a configuration. */
export interface Reference {
  /** The configuration's id. */
  readonly id: string;
  /** Where the id stands in the source text, quotes included. */
  readonly span: Span;
}

/** The leaves of an expression, from left to right. */
export function leaves(expression: Expression): Leaf[] {
  if (expression.kind === "combination") return expression.operands.flatMap(leaves);
  return expression.kind === "not" ? leaves(expression.operand) : [expression];
}

/**
 * The configurations that an expression mentions, from left to right, each as often as it does.
 *
 * @example
 * ```ts
 * const parsed = parseExpression('is_jwt_valid("a") or is_jwt_present("b")');
 * if (parsed.ok) references(parsed.expression).map((r) => r.id); // => ["a", "b"]
 * ```
 */
export function references(expression: Expression): Reference[] {
  return leaves(expression).flatMap((leaf) =>
    leaf.kind === "token" ? [{ id: leaf.configId, span: leaf.configSpan }] : [],
  );
}

/** An error with its position for each mention of a configuration that does not exist. */
export function checkReferences(
  text: string,
  expression: Expression,
  isKnown: (id: string) => boolean,
): ExpressionError[] {
  return references(expression)
    .filter(({ id }) => !isKnown(id))
    .map(({ id, span }) => {
      const message = `There is no token configuration ${quote(id)}.`;
      return errorAt(text, span, ["the id of a token configuration"], message);
    });
}
