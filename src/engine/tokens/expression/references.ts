/** The token configurations that an expression refers to: by a test of a token, or by the name of its claims. */

import { aFunction, aString, requireArgument, requireArguments } from "../../../core/arguments.ts";
import { quote } from "../../../errors.ts";
import { isTokenTest } from "./language/functions.ts";
import { type ExpressionError, errorAt, type Span } from "./syntax-error.ts";
import type { Expression } from "./tree.ts";
import { anExpression } from "./tree-kind.ts";
import { configReferences } from "./tree-queries.ts";
import { toText } from "./values/bytes.ts";

/** One reference to a configuration. */
export interface Reference {
  /** The configuration's id. */
  readonly id: string;
  /** Span of the id in the source text, quotes included. */
  readonly span: Span;
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
  requireArgument("expression", expression, anExpression);
  return [
    ...tokenReferences(expression),
    ...configReferences(expression).map(({ id, at }) => ({ id, span: at.keySpan })),
  ].sort((a, b) => a.span.start - b.span.start);
}

/** The references by tests of tokens, which are the only ones in token rules. */
function tokenReferences(expression: Expression, found: Reference[] = []): Reference[] {
  if (expression.kind === "combination")
    for (const operand of expression.operands) tokenReferences(operand, found);
  else if (expression.kind === "not") tokenReferences(expression.operand, found);
  else if (
    expression.kind === "test" &&
    expression.value.kind === "call" &&
    isTokenTest(expression.value.name)
  ) {
    const [id] = expression.value.args;
    if (id?.kind === "literal") found.push({ id: textOf(String(id.value)), span: id.span });
  }
  return found;
}

const textOf = (bytes: string) => toText(bytes) ?? bytes;

/** An error for each test of the token of an unknown configuration; empty when all are known. */
export function checkReferences(
  text: string,
  expression: Expression,
  isKnown: (id: string) => boolean,
): ExpressionError[] {
  requireArguments({
    text: [text, aString],
    expression: [expression, anExpression],
    isKnown: [isKnown, aFunction],
  });
  return unknownReferences(text, expression, isKnown);
}

/** The same for a tree of our own. */
export function unknownReferences(
  text: string,
  expression: Expression,
  isKnown: (id: string) => boolean,
): ExpressionError[] {
  return tokenReferences(expression)
    .filter(({ id }) => !isKnown(id))
    .map(({ id, span }) => {
      const message = `There is no token configuration ${quote(id)}.`;
      return errorAt(text, span, ["the id of a token configuration"], message);
    });
}
