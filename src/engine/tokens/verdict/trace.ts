/** The course of an evaluation, derived on demand from what it recorded. */

import { noteMilliseconds } from "../jwt/claims.ts";
import type { Reason } from "../model.ts";
import type { CompiledRule } from "../zone/evaluate-rules.ts";
import type { ConfigResult, Evaluation } from "../zone/evaluation.ts";
import { type TracedExpression, type TraceSource, traceExpression } from "./trace-tree.ts";

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

/** The value of an evaluated rule's expression, the parts that decided it, and all parts. */
export interface ExpressionTrace extends TracedExpression {
  /** Id of the rule. */
  readonly ruleId: string;
  /** The rule's action fires when it is false. */
  readonly value: boolean;
}

/** Everything that was evaluated, in order. */
export interface Trace {
  /** One entry for each configuration that an evaluated expression asked for. */
  readonly tokens: readonly TokenTrace[];
  /** One entry for each evaluated rule. */
  readonly expressions: readonly ExpressionTrace[];
}

/** Traces the tokens of an evaluation. */
export function traceTokens(evaluation: Evaluation): TokenTrace[] {
  return Array.from(evaluation.results.values(), traceToken);
}

/** Traces the expression of a rule that was evaluated. */
export function traceRule({ rule, expression }: CompiledRule, source: TraceSource): ExpressionTrace {
  const traced = traceExpression(expression, source);
  return Object.freeze({ ruleId: rule.id, ...traced, value: traced.value === true });
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
