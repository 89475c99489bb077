/** The parts of an expression with their values: at their places in its own text, and as a tree. */
import type { RuleKind } from "../../engine/tokens/expression/language/rule-kinds.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { printedTree } from "../../engine/tokens/expression/printer.ts";
import { leavesOf } from "../../engine/tokens/expression/tree-queries.ts";
import {
  type TracedExpression,
  type TraceNode,
  traceLeaves,
} from "../../engine/tokens/verdict/trace-tree.ts";
import type { PartView, RuleVerdict } from "../messages.ts";

/** Reasons that are not outcomes of token checks, in words. */
const reasonWords: Readonly<Record<string, string>> = {
  missing_value: "the request has no such value",
  unknown_value: "unknown",
  short_circuit: "not evaluated: already decided",
};

/** The parts of an expression with their values. */
export type ExpressionView = Pick<RuleVerdict, "leaves" | "tree">;

/** The view of an expression; without leaves when it is not the one that was evaluated. */
export function viewOfExpression(
  rules: RuleKind,
  expression: string,
  trace: TracedExpression | undefined,
): ExpressionView {
  const parsed = parseExpression(expression, { rules });
  const leaves = parsed.ok ? leavesOf(parsed.value) : [];
  const traced = trace && traceLeaves(trace.tree);
  const isSame = leaves.every((leaf, i) => !traced || printedTree(leaf) === traced[i]?.text);
  if (!isSame || (traced && traced.length !== leaves.length)) return { leaves: [] };
  return {
    leaves: leaves.map(({ span: { start, end } }, i) => {
      const text = expression.slice(start, end);
      return { start, end, text, ...(traced?.[i] ? viewOfValue(traced[i]) : { value: null }) };
    }),
    ...(trace && { tree: viewOfPart(trace.tree) }),
  };
}

function viewOfPart(node: TraceNode): PartView {
  if (!("operator" in node)) return { text: node.text, ...viewOfValue(node), operands: [] };
  return { text: node.operator, ...viewOfValue(node), operands: node.operands.map(viewOfPart) };
}

function viewOfValue({ value, reason, ...node }: TraceNode): Omit<PartView, "text" | "operands"> {
  const found = "found" in node && node.found !== undefined ? { found: node.found } : {};
  return { value: value ?? null, ...(reason && { reason: reasonWords[reason] ?? reason }), ...found };
}
