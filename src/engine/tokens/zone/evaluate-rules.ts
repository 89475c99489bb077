/**
 * Evaluates the rules that cover an operation, in order (`spec` for `all`, `observed` for `first`).
 *
 * A rule's action fires when its expression is false. With precedence `all` a failing `log` is recorded and evaluation
 * goes on, and the first failing `block` ends it. With `first` the first enabled rule decides alone.
 */

import type { Expression } from "../expression/ast.ts";
import type { Test } from "../expression/compiler.ts";
import type { Operation, TokenRule } from "../model.ts";
import type { Run } from "./evaluation.ts";
import type { Covering } from "./matching-rules.ts";

/** Which of several covering rules count. */
export type Precedence = "all" | "first";

/** A rule, ready to be evaluated. */
export interface CompiledRule {
  readonly rule: TokenRule;
  readonly enabled: boolean;
  readonly blocks: boolean;
  readonly expression: Expression;
  readonly test: Test<Run>;
}

/** An operation with the rules that cover it. */
export interface BoundOperation {
  /** Absent when the request matches none. */
  readonly operation: Operation | undefined;
  readonly covering: Covering<CompiledRule>;
}

/** How far the evaluation of a request has come. */
export interface Progress {
  readonly operation: Operation | undefined;
  readonly covering: Covering<CompiledRule>;
  readonly run: Run;
  /** Positions in the covering's list of the rules that fired, ascending. */
  readonly fired: number[];
  /** The position to evaluate next. */
  at: number;
  /** Enabled rules at this position and behind it are not evaluated. */
  end: number;
}

/** Starts the evaluation of the rules of an operation. */
export function startProgress(
  { operation, covering }: BoundOperation,
  run: Run,
  precedence: Precedence,
): Progress {
  const count = covering.list.length;
  const at = covering.first === -1 ? count : covering.first;
  const end = precedence === "all" ? count : Math.min(at + 1, count);
  return { operation, covering, run, fired: [], at, end };
}

/** Evaluates on; gives false when a check is pending, after which it is to be called again. */
export function proceed(progress: Progress): boolean {
  const { run, fired } = progress;
  const { list, skipped } = progress.covering;
  for (; progress.at < progress.end; progress.at++) {
    const rule = list[progress.at] as CompiledRule;
    if (!rule.enabled || skipped?.has(progress.at)) continue;
    const holds = rule.test(run);
    if (run.pending !== undefined) return false;
    if (holds) continue;
    fired.push(progress.at);
    if (rule.blocks) progress.end = progress.at + 1;
  }
  return true;
}

/** The rule that decided; undefined when all were evaluated and all passed. */
export function decidingRule(progress: Progress, precedence: Precedence): CompiledRule | undefined {
  const { covering, fired } = progress;
  const [first] = fired;
  if (first === undefined) return precedence === "first" ? covering.list[covering.first] : undefined;
  const last = covering.list[fired[fired.length - 1] as number];
  return last?.blocks ? last : covering.list[first];
}
