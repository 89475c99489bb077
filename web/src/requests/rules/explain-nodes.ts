/** Values of the combinations of an expression, from the values of its parts. */
import type { Expression } from "../../../../src/engine/tokens/expression/ast.ts";
import type { LeafView } from "../../../../src/workbench/messages.ts";

/** A node of the tree with its value; null when the values of its parts do not decide it. */
export interface ExplainNode {
  /** `and`, `or`, `xor`, `not`, or the text of a part. */
  readonly text: string;
  readonly value: boolean | null;
  readonly reason?: string;
  readonly children: readonly ExplainNode[];
}

/** The tree of an expression. Parts that were not evaluated have no value, and decide nothing. */
export function explainNodes(expression: Expression, leaves: readonly LeafView[]): ExplainNode {
  if (expression.kind === "combination") {
    const { operator, operands } = expression;
    const children = operands.map((operand) => explainNodes(operand, leaves));
    return {
      text: operator,
      value: combine(
        operator,
        children.map(({ value }) => value),
      ),
      children,
    };
  }
  if (expression.kind === "not") {
    const child = explainNodes(expression.operand, leaves);
    return { text: "not", value: child.value === null ? null : !child.value, children: [child] };
  }
  const leaf = leaves.find(({ start }) => start === expression.span.start);
  const reason = leaf?.reason === undefined ? {} : { reason: leaf.reason };
  return { text: leaf?.text ?? "", value: leaf?.value ?? null, ...reason, children: [] };
}

function combine(operator: "and" | "or" | "xor", values: readonly (boolean | null)[]): boolean | null {
  if (operator === "xor") {
    if (values.includes(null)) return null;
    return values.filter((value) => value === true).length % 2 === 1;
  }
  const deciding = operator === "or";
  if (values.includes(deciding)) return deciding;
  return values.includes(null) ? null : !deciding;
}
