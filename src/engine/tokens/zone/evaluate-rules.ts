/**
 * Evaluates the rules that match an operation, in order (`spec` for `all`, `observed` for `first`).
 *
 * A rule's action fires when its expression is false. With precedence `all` a failing `log` is recorded and evaluation
 * continues, and the first failing `block` ends it. With `first` only the first enabled rule decides.
 */

import type { CompiledExpression } from "../expression/leaf-bits.ts";
import type { Expression } from "../expression/tree.ts";
import type { Operation, TokenRule } from "../model.ts";
import type { Evaluation } from "./evaluation.ts";
import type { MatchingRules } from "./matching-rules.ts";

/**
 * Which of several rules that match an operation count: `all` enabled ones until a `block` fires, or only the `first`
 * enabled one.
 */
export type Precedence = "all" | "first";

/** A rule, ready to be evaluated. */
export interface CompiledRule {
  readonly rule: TokenRule;
  readonly enabled: boolean;
  readonly blocks: boolean;
  readonly expression: Expression;
  readonly test: CompiledExpression<Evaluation>;
}

/** An operation with the rules that match it. */
export interface BoundOperation {
  /** Absent when the request matches no operation. */
  readonly operation: Operation | undefined;
  readonly matching: MatchingRules<CompiledRule>;
}

/** The state of evaluating the rules for one request. */
export interface RuleEvaluation extends BoundOperation {
  readonly evaluation: Evaluation;
  /** Ascending positions in `matching.list` of the rules that fired. */
  readonly fired: number[];
  /** The position to evaluate next. */
  next: number;
  /** Enabled rules from this position on are not evaluated. */
  end: number;
}

/** Starts the evaluation of the rules of an operation. */
export function startRuleEvaluation(
  { operation, matching }: BoundOperation,
  evaluation: Evaluation,
  precedence: Precedence,
): RuleEvaluation {
  const count = matching.list.length;
  const next = matching.first === -1 ? count : matching.first;
  const end = precedence === "all" ? count : Math.min(next + 1, count);
  return { operation, matching, evaluation, fired: [], next, end };
}

/** Evaluates until done and returns true, or until a token check is pending and returns false: call again after it. */
export function evaluateRules(state: RuleEvaluation): boolean {
  const { evaluation, fired } = state;
  const { list, skipped } = state.matching;
  for (; state.next < state.end; state.next++) {
    const rule = list[state.next] as CompiledRule;
    if (!rule.enabled || skipped?.has(state.next)) continue;
    const passed = rule.test(evaluation);
    if (evaluation.pending !== undefined) return false;
    if (passed) continue;
    fired.push(state.next);
    if (rule.blocks) state.end = state.next + 1;
  }
  return true;
}

/** The rule that decided; undefined when all were evaluated and all passed. */
export function decidingRule(
  { matching, fired }: RuleEvaluation,
  precedence: Precedence,
): CompiledRule | undefined {
  const [first] = fired;
  if (first === undefined) return precedence === "first" ? matching.list[matching.first] : undefined;
  const last = matching.list[fired.at(-1) ?? first];
  return last?.blocks ? last : matching.list[first];
}
