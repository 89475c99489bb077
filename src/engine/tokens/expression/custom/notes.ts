/** Remarks on accepted expressions, with positions (`chosen`). */

import { quote } from "../../../../errors.ts";
import { type ExpressionError, errorAt, type Span } from "../syntax-error.ts";
import type { CustomScope } from "./compile-value.ts";
import type { CustomExpression } from "./tree.ts";
import { configReferences, leavesOf, testsOf, valuesOf } from "./tree-queries.ts";

/** The remarks on an expression, from left to right. */
export function noteExpression(
  { configurations, lists }: CustomScope,
  text: string,
  expression: CustomExpression,
): ExpressionError[] {
  const notes: ExpressionError[] = [];
  const note = (span: Span, message: string) => notes.push(errorAt(text, span, [], message));
  for (const { id, at } of configReferences(expression))
    if (!configurations.has(id))
      note(at.keySpan, `There is no token configuration ${quote(id)}: its claims are always missing.`);
  for (const test of testsOf(expression)) {
    if (test.kind !== "comparison") continue;
    const { left, operator, right } = test;
    if (right.kind === "list" && !lists.has(right.name))
      note(right.span, `There is no list \`$${right.name}\`: whether it has a value is unknown.`);
    if (left.type === "IP" && ["lt", "le", "gt", "ge"].includes(operator))
      note(test.span, "The order of addresses is not documented; addresses of two families have none.");
  }
  for (const leaf of leavesOf(expression))
    if (leaf.kind === "quantified" && leaf.quantifier === "all" && leaf.operand.kind === "test")
      note(
        leaf.span,
        "`all` of the results of a call is false when its array is missing; of comparisons it is true.",
      );
  for (const value of valuesOf(expression))
    if (value.kind === "call" && value.name === "is_timed_hmac_valid_v0")
      note(
        value.span,
        "The samples of the provider's documentation are not valid by `is_timed_hmac_valid_v0`.",
      );
  return notes.sort((a, b) => a.offset - b.offset);
}
