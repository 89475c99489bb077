/** The tree of a rule's expression with the value of every part; loaded with the parser when it is first opened. */
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import type { RuleVerdict } from "../../../../src/workbench/messages.ts";
import { type ExplainNode, explainNodes } from "./explain-nodes.ts";

/** Undefined for an expression that is not valid, which has no values. */
export function explainRule({ expression, leaves }: RuleVerdict): ExplainNode | undefined {
  const parsed = parseExpression(expression);
  return parsed.ok ? explainNodes(parsed.value, leaves) : undefined;
}
