/** The tree of an evaluated expression, of a rule of either kind: every part with its value, or why it has none. */

import {
  arrayOf,
  aString,
  type Kind,
  objectWith,
  optional,
  recursive,
  requireArgument,
} from "../../../core/arguments.ts";
import type { Program } from "../expression/compile-value.ts";
import { leafReader } from "../expression/leaf-reader.ts";
import { printedTree } from "../expression/printer.ts";
import type { Span } from "../expression/syntax-error.ts";
import type { Combination, Combinator, Expression, Test } from "../expression/tree.ts";
import { tokenTestOf } from "../expression/tree-queries.ts";
import { truthTables } from "../expression/truth.ts";
import type { RequestValues } from "../expression/values/request-values.ts";
import type { Reason } from "../model.ts";
import type { ConfigResult, Evaluation } from "../zone/evaluation.ts";

/**
 * The reason for the value of a leaf: the outcome of a token check; `missing_value`, when the request has no value to
 * compare; `unknown_value`, when the test did not say it; or `short_circuit`, when the leaf was not evaluated because an
 * earlier operand decided.
 */
export type LeafReason = Reason | "missing_value" | "unknown_value" | "short_circuit";

/** A leaf of an evaluated expression. */
export interface LeafTrace {
  /** In canonical spelling. */
  readonly text: string;
  /** The place in the rule's expression, a half-open range in UTF-16 units. */
  readonly span: Span;
  /** The value for this request; absent when it is unknown, or the leaf was not evaluated. */
  readonly value?: boolean;
  /** Absent when the value needs none. */
  readonly reason?: LeafReason;
  /** For `is_jwt_valid` and `is_jwt_present`: the id of the configuration. */
  readonly config?: string;
  /** The compared value as a literal, shortened, or the reasons that there is none, such as `missing: expired`. */
  readonly found?: string;
}

/** A negation or combination in an evaluated expression. */
export interface OperatorTrace {
  /** The operator; `not` has one operand, the others have at least two. */
  readonly operator: Combinator | "not";
  /** The place in the rule's expression, a half-open range in UTF-16 units. */
  readonly span: Span;
  /** The value for this request; absent when it is unknown, or no operand was evaluated. */
  readonly value?: boolean;
  /** Present when the value is unknown. */
  readonly reason?: "unknown_value";
  /** From left to right. */
  readonly operands: readonly TraceNode[];
}

/** A part of an evaluated expression. */
export type TraceNode = LeafTrace | OperatorTrace;

/** A leaf that decided. */
export interface DecidingPart extends LeafTrace {
  readonly value: boolean;
}

/** The value of an evaluated expression, the parts that decided it, and all parts. */
export interface TracedExpression {
  /** Absent when it is unknown. */
  readonly value?: boolean;
  /** The parts that are sufficient for the value; none when it is unknown. */
  readonly decidedBy: readonly DecidingPart[];
  /** All parts of the expression, also those that were not evaluated. */
  readonly tree: TraceNode;
}

const aTraceNode: Kind = recursive(() =>
  objectWith({ operator: optional(aString), operands: optional(arrayOf(aTraceNode)) }),
);

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
  requireArgument("node", node, aTraceNode);
  return leavesBelow(node);
}

function leavesBelow(node: TraceNode): LeafTrace[] {
  return "operator" in node ? node.operands.flatMap(leavesBelow) : [node];
}

/** The state of an evaluation, from which the traces of its expressions are derived. */
export interface TraceSource {
  readonly program: Program;
  readonly values: RequestValues;
  /** The tokens that were found and checked. */
  readonly results: Evaluation["results"];
}

/** Traces an expression that was evaluated. */
export function traceExpression(expression: Expression, source: TraceSource): TracedExpression {
  const tree = traceTree(expression, (leaf) => traceLeaf(leaf, source));
  const decidedBy = Object.freeze(decidingLeaves(tree));
  return tree.value === undefined ? { decidedBy, tree } : { value: tree.value, decidedBy, tree };
}

/** The tree of an expression: leaves are evaluated as the expression asks for them, from left to right. */
export function traceTree(
  expression: Expression,
  evaluate: (leaf: Test) => LeafTrace,
  asked = true,
): TraceNode {
  switch (expression.kind) {
    case "combination":
      return traceCombination(expression, evaluate, asked);
    case "not": {
      const { operand, span } = expression;
      const node = traceTree(operand, evaluate, asked);
      const value = node.value === undefined ? undefined : !node.value;
      return operatorTrace("not", span, asked, value, [node]);
    }
    default:
      return asked ? evaluate(expression) : unaskedLeaf(expression);
  }
}

/** Operands are evaluated from the left until one decides; `xor` evaluates all. */
function traceCombination(
  { operator, operands, span }: Combination,
  evaluate: (leaf: Test) => LeafTrace,
  asked: boolean,
): OperatorTrace {
  let isOpen = asked;
  let value: boolean | undefined = operator === "and";
  const nodes = operands.map((operand) => {
    const node = traceTree(operand, evaluate, isOpen);
    if (isOpen) value = truthTables[operator](value, node.value);
    if (operator !== "xor" && value === (operator === "or")) isOpen = false;
    return node;
  });
  return operatorTrace(operator, span, asked, value, nodes);
}

function operatorTrace(
  operator: OperatorTrace["operator"],
  span: Span,
  asked: boolean,
  value: boolean | undefined,
  operands: readonly TraceNode[],
): OperatorTrace {
  Object.freeze(operands);
  if (!asked) return Object.freeze({ operator, span, operands });
  if (value !== undefined) return Object.freeze({ operator, span, value, operands });
  return Object.freeze({ operator, span, reason: "unknown_value", operands });
}

function unaskedLeaf(leaf: Test): LeafTrace {
  return leafTrace(leaf, undefined, "short_circuit", tokenTestOf(leaf)?.configId);
}

function traceLeaf(leaf: Test, { program, values, results }: TraceSource): LeafTrace {
  const token = tokenTestOf(leaf);
  if (token !== undefined) {
    const { test, configId } = token;
    const { found, check } = resultOf(results, configId) ?? {};
    if (test === "is_jwt_present") return leafTrace(leaf, found !== undefined, undefined, configId);
    return leafTrace(leaf, check?.reason === "valid", check?.reason, configId);
  }
  const reader = leafReader(program, leaf);
  const value = reader.test(values);
  const isMissing = value === false && reader.isMissing(values);
  const reason = value === undefined ? "unknown_value" : isMissing ? "missing_value" : undefined;
  const found = reader.found(values, (id) => resultOf(results, id)?.check?.reason);
  return leafTrace(leaf, value, reason, undefined, found);
}

function resultOf(results: TraceSource["results"], configId: string): ConfigResult | undefined {
  for (const result of results.values()) if (result.config.id === configId) return result;
  return undefined;
}

/** Members are added one by one, which is several times faster than to spread them. */
function leafTrace(
  leaf: Test,
  value: boolean | undefined,
  reason: LeafReason | undefined,
  config: string | undefined,
  found?: string,
): LeafTrace {
  const trace: { -readonly [K in keyof LeafTrace]: LeafTrace[K] } = {
    text: printedTree(leaf),
    span: leaf.span,
  };
  if (value !== undefined) trace.value = value;
  if (reason !== undefined) trace.reason = reason;
  if (config !== undefined) trace.config = config;
  if (found !== undefined) trace.found = found;
  return Object.freeze(trace);
}

/**
 * The leaves that are sufficient for the value of a tree: of `or` those of its first true operand or else of all; of `and`
 * likewise; of `xor` of all. None when the value is unknown.
 */
export function decidingLeaves(node: TraceNode): DecidingPart[] {
  const leaves: DecidingPart[] = [];
  if (node.value !== undefined) addDecidingLeaves(leaves, node);
  return leaves;
}

function addDecidingLeaves(leaves: DecidingPart[], node: TraceNode): void {
  if (!("operator" in node)) {
    leaves.push(node as DecidingPart);
    return;
  }
  const { operator, operands } = node;
  const decider =
    operator === "or" || operator === "and"
      ? operands.find(({ value }) => value === (operator === "or"))
      : undefined;
  if (decider !== undefined) addDecidingLeaves(leaves, decider);
  else for (const operand of operands) addDecidingLeaves(leaves, operand);
}
