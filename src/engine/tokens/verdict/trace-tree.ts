/** The tree of an evaluated expression: every part with its value, or with the mark that it was not evaluated. */

import type { Combination, Combinator, Expression, Leaf } from "../expression/ast.ts";
import { hasSlot, leafValue } from "../expression/compiler.ts";
import { printExpression } from "../expression/printer.ts";
import type { Span } from "../expression/syntax-error.ts";
import type { Reason } from "../model.ts";
import type { Evaluation, LeafTable } from "../zone/evaluation.ts";

/**
 * The reason for the value of a leaf: the outcome of a token check; `missing_value`, when the request has no value to
 * compare; or `short_circuit`, when the leaf was not evaluated because an earlier operand decided.
 */
export type LeafReason = Reason | "missing_value" | "short_circuit";

/** A leaf of an evaluated expression. */
export interface LeafTrace {
  /** In canonical spelling. */
  readonly text: string;
  /** The place in the rule's expression, a half-open range in UTF-16 units. */
  readonly span: Span;
  /** The value for this request; absent when the leaf was not evaluated. */
  readonly value?: boolean;
  /** Absent when the value needs none. */
  readonly reason?: LeafReason;
  /** For `is_jwt_valid` and `is_jwt_present`: the id of the configuration. */
  readonly config?: string;
}

/** A negation or combination in an evaluated expression. */
export interface OperatorTrace {
  /** The operator; `not` has one operand, the others have at least two. */
  readonly operator: Combinator | "not";
  /** The place in the rule's expression, a half-open range in UTF-16 units. */
  readonly span: Span;
  /** The value for this request; absent when no operand was evaluated. */
  readonly value?: boolean;
  /** From left to right. */
  readonly operands: readonly TraceNode[];
}

/** A part of an evaluated expression. */
export type TraceNode = LeafTrace | OperatorTrace;

/**
 * The leaves of a tree, from left to right.
 *
 * @example
 * ```ts
 * const expression = 'http.request.method eq "GET" or http.host eq "a.example"';
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const zone = await compileZone({ configs: [], rules: [{ id: "r", action: "block", enabled: true, expression, selector }] });
 * const { trace } = await zone.evaluate({ method: "GET", url: "https://api.example.com/" });
 * trace.expressions.flatMap(({ tree }) => traceLeaves(tree)).map(({ value, reason }) => [value, reason]);
 * // => [[true, undefined], [undefined, "short_circuit"]]
 * ```
 */
export function traceLeaves(node: TraceNode): LeafTrace[] {
  return "operator" in node ? node.operands.flatMap(traceLeaves) : [node];
}

/** The recorded values of an evaluation. */
export interface TraceValues {
  readonly evaluation: Evaluation;
  readonly table: LeafTable;
}

/** Canonical spellings, which are the same in every evaluation. */
const spellings = new WeakMap<Leaf, string>();

/** The canonical spelling of a leaf. */
export function leafText(leaf: Leaf): string {
  const known = spellings.get(leaf);
  if (known !== undefined) return known;
  const text = printExpression(leaf);
  spellings.set(leaf, text);
  return text;
}

/** The tree of an expression that was evaluated, or with `asked` false of one that was not. */
export function traceTree(expression: Expression, values: TraceValues, asked = true): TraceNode {
  if (expression.kind === "combination") return traceCombination(expression, values, asked);
  if (expression.kind !== "not") return traceLeaf(expression, values, asked);
  const operand = traceTree(expression.operand, values, asked);
  const value = operand.value === undefined ? {} : { value: !operand.value };
  const operands = Object.freeze([operand]);
  return Object.freeze({ operator: "not", span: expression.span, ...value, operands });
}

/** Operands are evaluated from the left until one decides; `xor` evaluates all. */
function traceCombination(
  { operator, operands, span }: Combination,
  values: TraceValues,
  asked: boolean,
): OperatorTrace {
  let undecided = asked;
  let value = operator === "and";
  const nodes: TraceNode[] = [];
  for (const operand of operands) {
    const node = traceTree(operand, values, undecided);
    nodes.push(node);
    if (!undecided) continue;
    value = operator === "xor" ? value !== node.value : node.value === true;
    if (operator !== "xor" && value === (operator === "or")) undecided = false;
  }
  return Object.freeze({ operator, span, ...(asked && { value }), operands: Object.freeze(nodes) });
}

function traceLeaf(leaf: Leaf, { evaluation, table }: TraceValues, asked: boolean): LeafTrace {
  const text = leafText(leaf);
  const { span } = leaf;
  const config = leaf.kind === "token" ? leaf.configId : undefined;
  if (!asked) {
    return Object.freeze({ text, span, reason: "short_circuit", ...(config !== undefined && { config }) });
  }
  const slot = table.slots.get(text);
  const value = slot !== undefined && leafValue(evaluation, slot) === true;
  const isMissing = slot !== undefined && evaluation.missing && hasSlot(evaluation.missing, slot);
  const reason = isMissing ? "missing_value" : checkReason(leaf, evaluation);
  return Object.freeze({
    text,
    span,
    value,
    ...(reason && { reason }),
    ...(config !== undefined && { config }),
  });
}

/** For `is_jwt_valid`: the outcome of the check. */
export function checkReason(leaf: Leaf, { results }: Evaluation): Reason | undefined {
  if (leaf.kind !== "token" || leaf.test !== "is_jwt_valid") return undefined;
  for (const { config, check } of results.values()) if (config.id === leaf.configId) return check?.reason;
  return undefined;
}
