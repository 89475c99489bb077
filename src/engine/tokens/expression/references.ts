/** The token configurations that an expression refers to. */

import { quote } from "../../../errors.ts";
import type { Expression, Leaf } from "./ast.ts";
import { type ExpressionError, errorAt, type Span } from "./syntax-error.ts";

/** One reference to a configuration. */
export interface Reference {
  /** The configuration's id. */
  readonly id: string;
  /** Span of the id in the source text, quotes included. */
  readonly span: Span;
}

/** The leaves of an expression, from left to right. */
export function leaves(expression: Expression): Leaf[] {
  if (expression.kind === "combination") return expression.operands.flatMap(leaves);
  return expression.kind === "not" ? leaves(expression.operand) : [expression];
}

/**
 * The references of an expression to configurations, from left to right, with repetitions.
 *
 * @example
 * ```ts
 * const parsed = parseExpression('is_jwt_valid("a") or is_jwt_present("b")');
 * if (parsed.ok) references(parsed.value).map((r) => r.id); // => ["a", "b"]
 * ```
 */
export function references(expression: Expression): Reference[] {
  return leaves(expression).flatMap((leaf) =>
    leaf.kind === "token" ? [{ id: leaf.configId, span: leaf.configSpan }] : [],
  );
}

/** An error for each reference to an unknown configuration; empty when all are known. */
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
