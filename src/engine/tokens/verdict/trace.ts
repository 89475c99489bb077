/** What happened in an evaluation, part by part, made from its recorded answers when somebody asks. */

import type { Combination, Expression, Leaf } from "../expression/ast.ts";
import { recordedLeaf } from "../expression/compiler.ts";
import { printExpression } from "../expression/printer.ts";
import type { Reason } from "../model.ts";
import type { CompiledRule, Progress } from "../zone/evaluate-rules.ts";
import type { ConfigResult, LeafTable, Run } from "../zone/evaluation.ts";

/** What became of one configuration's token. */
export interface TokenTrace {
  readonly configId: string;
  /** Whether a source yielded a token. */
  readonly present: boolean;
  /** The source that yielded it, in canonical spelling. */
  readonly source?: string;
  /** Absent when no expression asked whether the token is valid. */
  readonly reason?: Reason;
  /** What exactly was wrong. */
  readonly detail?: string;
  /** From the token's header. */
  readonly kid?: string;
  /** From the token's header. */
  readonly alg?: string;
}

/** A part of an expression with its answer. */
export interface DecidingPart {
  /** In canonical spelling. */
  readonly text: string;
  readonly value: boolean;
  /** For `is_jwt_valid`: the outcome of the check. */
  readonly reason?: Reason;
}

/** What an evaluated rule's expression gave, and because of which of its parts. */
export interface ExpressionTrace {
  readonly ruleId: string;
  /** The action fires when it is false. */
  readonly value: boolean;
  /** The parts that alone make the value what it is. */
  readonly decidedBy: readonly DecidingPart[];
}

/** Everything that was looked at, in the order in which it was. */
export interface Trace {
  readonly tokens: readonly TokenTrace[];
  readonly expressions: readonly ExpressionTrace[];
}

interface Decided {
  readonly value: boolean;
  readonly by: readonly DecidingPart[];
}

/** Traces the tokens of an evaluation. */
export function traceTokens(run: Run): TokenTrace[] {
  return Array.from(run.results.values(), traceToken);
}

/** Traces the expression of a rule that was evaluated. */
export function traceExpression(rule: CompiledRule, progress: Progress, table: LeafTable): ExpressionTrace {
  const { value, by } = decide(rule.expression, (leaf) => decideLeaf(leaf, progress.run, table));
  return Object.freeze({ ruleId: rule.rule.id, value, decidedBy: Object.freeze([...by]) });
}

function traceToken({ config, found, check }: ConfigResult): TokenTrace {
  return Object.freeze({
    configId: config.id,
    present: found !== undefined,
    ...(found && { source: found.source.text }),
    ...(check && { reason: check.reason }),
    ...(check?.detail !== undefined && { detail: check.detail }),
    ...(check?.kid !== undefined && { kid: check.kid }),
    ...(check?.alg !== undefined && { alg: check.alg }),
  });
}

function decide(expression: Expression, decideLeafOf: (leaf: Leaf) => Decided): Decided {
  if (expression.kind === "combination") return decideCombination(expression, decideLeafOf);
  if (expression.kind !== "not") return decideLeafOf(expression);
  const { value, by } = decide(expression.operand, decideLeafOf);
  return { value: !value, by };
}

/** `or` is decided by its first true operand or else by all; `and` likewise; `xor` always by all. */
function decideCombination(
  { operator, operands }: Combination,
  decideLeafOf: (leaf: Leaf) => Decided,
): Decided {
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

function decideLeaf(leaf: Leaf, run: Run, table: LeafTable): Decided {
  const text = printExpression(leaf);
  const value = recordedLeaf(run, table.slots.get(text) as number) ?? false;
  const reason =
    leaf.kind === "token" && leaf.test === "is_jwt_valid" ? reasonOf(leaf.configId, run) : undefined;
  return { value, by: [Object.freeze({ text, value, ...(reason && { reason }) })] };
}

function reasonOf(configId: string, run: Run): Reason | undefined {
  for (const { config, check } of run.results.values()) if (config.id === configId) return check?.reason;
  return undefined;
}
