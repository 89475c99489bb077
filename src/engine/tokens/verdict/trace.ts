/** The course of an evaluation, derived on demand from its recorded leaf values. */

import type { Combinator, Leaf } from "../expression/ast.ts";
import { leafValue } from "../expression/compiler.ts";
import { noteMilliseconds } from "../jwt/claims.ts";
import type { Reason } from "../model.ts";
import type { CompiledRule } from "../zone/evaluate-rules.ts";
import type { ConfigResult, Evaluation, LeafTable } from "../zone/evaluation.ts";
import { checkReason, leafText, type TraceNode, traceTree } from "./trace-tree.ts";

/** The token of one configuration: whether it was found, and the result of its check. */
export interface TokenTrace {
  /** Id of the configuration. */
  readonly configId: string;
  /** Title of the configuration. */
  readonly title?: string;
  /** Whether a source yielded a token. */
  readonly present: boolean;
  /** The source that yielded it, in canonical spelling. */
  readonly source?: string;
  /** Outcome of the check; absent when no expression asked whether the token is valid. */
  readonly reason?: Reason;
  /** The defect in one sentence; absent when valid. */
  readonly detail?: string;
  /** Something that is probably a mistake in a valid token: times in milliseconds. */
  readonly note?: string;
  /** From the token's header, as far as it could be read. */
  readonly kid?: string;
  /** From the token's header, as far as it could be read. */
  readonly alg?: string;
}

/** A part of an expression with its value. */
export interface DecidingPart {
  /** In canonical spelling. */
  readonly text: string;
  /** The value for this request. */
  readonly value: boolean;
  /** For `is_jwt_valid` and `is_jwt_present`: the id of the configuration. */
  readonly config?: string;
  /** For `is_jwt_valid`: the outcome of the check. */
  readonly reason?: Reason;
}

/** The value of an evaluated rule's expression, the parts that decided it, and all parts. */
export interface ExpressionTrace {
  /** Id of the rule. */
  readonly ruleId: string;
  /** The rule's action fires when it is false. */
  readonly value: boolean;
  /** The parts that are sufficient for the value. */
  readonly decidedBy: readonly DecidingPart[];
  /** All parts of the expression, also those that were not evaluated. */
  readonly tree: TraceNode;
}

/** Everything that was evaluated, in order. */
export interface Trace {
  /** One entry for each configuration that an evaluated expression asked for. */
  readonly tokens: readonly TokenTrace[];
  /** One entry for each evaluated rule. */
  readonly expressions: readonly ExpressionTrace[];
}

/** A value, and the parts that are sufficient for it; undefined, when some are unknown and the others do not decide. */
export interface DecidedValue<P> {
  readonly value: boolean | undefined;
  readonly by: readonly P[];
}

/** An expression with leaves of some type. */
type Tree<L> = L | OperatorTree<L>;

type OperatorTree<L> =
  | { readonly kind: "not"; readonly operand: Tree<L> }
  | { readonly kind: "combination"; readonly operator: Combinator; readonly operands: readonly Tree<L>[] };

/** Traces the tokens of an evaluation. */
export function traceTokens(evaluation: Evaluation): TokenTrace[] {
  return Array.from(evaluation.results.values(), traceToken);
}

/** Traces the expression of a rule that was evaluated. */
export function traceExpression(
  rule: CompiledRule,
  evaluation: Evaluation,
  table: LeafTable,
): ExpressionTrace {
  const { value, by } = decide<Leaf, DecidingPart>(rule.expression, (leaf) =>
    decideLeaf(leaf, evaluation, table),
  );
  const tree = traceTree(rule.expression, { evaluation, table });
  return Object.freeze({
    ruleId: rule.rule.id,
    value: value === true,
    decidedBy: Object.freeze([...by]),
    tree,
  });
}

function traceToken({ config, found, check }: ConfigResult): TokenTrace {
  const note = check?.claims && noteMilliseconds(check.claims);
  return Object.freeze({
    configId: config.id,
    ...(config.title && { title: config.title }),
    present: found !== undefined,
    ...(found && { source: found.source.text }),
    ...(check && { reason: check.reason }),
    ...(check?.detail !== undefined && { detail: check.detail }),
    ...(note !== undefined && { note }),
    ...(check?.kid !== undefined && { kid: check.kid }),
    ...(check?.alg !== undefined && { alg: check.alg }),
  });
}

/** The value of an expression, and the parts that decided it. */
export function decide<L extends { readonly kind: string }, P>(
  expression: Tree<L>,
  decideLeafOf: (leaf: L) => DecidedValue<P>,
): DecidedValue<P> {
  if (!isOperator(expression)) return decideLeafOf(expression);
  if (expression.kind === "combination") return decideCombination(expression, decideLeafOf);
  const { value, by } = decide(expression.operand, decideLeafOf);
  return { value: value === undefined ? undefined : !value, by };
}

function isOperator<L extends { readonly kind: string }>(tree: Tree<L>): tree is OperatorTree<L> {
  return tree.kind === "combination" || tree.kind === "not";
}

/** `or` is decided by its first true operand or else by all; `and` likewise; `xor` always by all. */
function decideCombination<L extends { readonly kind: string }, P>(
  { operator, operands }: Extract<OperatorTree<L>, { readonly kind: "combination" }>,
  decideLeafOf: (leaf: L) => DecidedValue<P>,
): DecidedValue<P> {
  const by: P[] = [];
  let odd = false;
  let isKnown = true;
  for (const operand of operands) {
    const decided = decide(operand, decideLeafOf);
    if (operator !== "xor" && decided.value === (operator === "or")) return decided;
    by.push(...decided.by);
    odd = odd !== (decided.value === true);
    isKnown &&= decided.value !== undefined;
  }
  return { value: isKnown ? (operator === "xor" ? odd : operator === "and") : undefined, by };
}

function decideLeaf(leaf: Leaf, evaluation: Evaluation, table: LeafTable): DecidedValue<DecidingPart> {
  const text = leafText(leaf);
  const slot = table.slots.get(text);
  const value = slot !== undefined && leafValue(evaluation, slot) === true;
  const reason = checkReason(leaf, evaluation);
  const config = leaf.kind === "token" ? { config: leaf.configId } : {};
  return { value, by: [Object.freeze({ text, value, ...config, ...(reason && { reason }) })] };
}
