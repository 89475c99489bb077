/** The course of an evaluation, derived on demand from its recorded leaf values. */

import type { Combination, Expression, Leaf } from "../expression/ast.ts";
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

/** A value, and the parts that are sufficient for it. */
export interface DecidedValue {
  readonly value: boolean;
  readonly by: readonly DecidingPart[];
}

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
  const { value, by } = decide(rule.expression, (leaf) => decideLeaf(leaf, evaluation, table));
  const tree = traceTree(rule.expression, { evaluation, table });
  return Object.freeze({ ruleId: rule.rule.id, value, decidedBy: Object.freeze([...by]), tree });
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
export function decide(expression: Expression, decideLeafOf: (leaf: Leaf) => DecidedValue): DecidedValue {
  if (expression.kind === "combination") return decideCombination(expression, decideLeafOf);
  if (expression.kind !== "not") return decideLeafOf(expression);
  const { value, by } = decide(expression.operand, decideLeafOf);
  return { value: !value, by };
}

/** `or` is decided by its first true operand or else by all; `and` likewise; `xor` always by all. */
function decideCombination(
  { operator, operands }: Combination,
  decideLeafOf: (leaf: Leaf) => DecidedValue,
): DecidedValue {
  const by: DecidingPart[] = [];
  let odd = false;
  for (const operand of operands) {
    const decided = decide(operand, decideLeafOf);
    if (operator !== "xor" && decided.value === (operator === "or")) return decided;
    by.push(...decided.by);
    odd = odd !== decided.value;
  }
  return { value: operator === "xor" ? odd : operator === "and", by };
}

function decideLeaf(leaf: Leaf, evaluation: Evaluation, table: LeafTable): DecidedValue {
  const text = leafText(leaf);
  const slot = table.slots.get(text);
  const value = slot !== undefined && leafValue(evaluation, slot) === true;
  const reason = checkReason(leaf, evaluation);
  const config = leaf.kind === "token" ? { config: leaf.configId } : {};
  return { value, by: [Object.freeze({ text, value, ...config, ...(reason && { reason }) })] };
}
