/** Requests that can become part of a suite, evaluated by the compiled expressions of the real engine. */

import { evaluatedRules } from "../analysis/action-diagrams.ts";
import type { BoundConfigs } from "../analysis/bound-expression.ts";
import { type CompiledExpression, compileExpression } from "../expression/leaf-bits.ts";
import type { Expression } from "../expression/tree.ts";
import type { SimulatedRequest, TokenCheck } from "../model.ts";
import type { VerdictAction } from "../verdict/verdict.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import {
  type CompiledConfig,
  createLeafTable,
  type Evaluation,
  leafSlot,
  startEvaluation,
} from "../zone/evaluation.ts";
import { readRequest } from "../zone/request.ts";
import type { ReadConfig, ReadRule, ReadZone } from "../zone/zone-input.ts";
import { checkGenerated, type GeneratedToken } from "./suite-token.ts";
import type { ZoneClass } from "./zone-classes.ts";

/** A request, its class, and the values of expressions for it. */
export interface Candidate {
  readonly request: SimulatedRequest;
  readonly tokens: readonly GeneratedToken[];
  /** Absent when no operation matches the request. */
  readonly zoneClass: ZoneClass | undefined;
  readonly evaluation: Evaluation;
}

/** Evaluates expressions and lists of rules; leaves are computed once for each candidate. */
export interface Evaluator {
  start(
    request: SimulatedRequest,
    tokens: readonly GeneratedToken[],
    zoneClass: ZoneClass | undefined,
    nowMs?: number,
  ): Candidate;
  evaluate(expression: Expression, candidate: Candidate): boolean;
  /** The decision of rules that cover the request. */
  decide(rules: readonly ReadRule[], candidate: Candidate): RuleDecision;
}

/** The rules that are evaluated for a request, and those that fire, in order. */
export interface RuleDecision {
  readonly evaluated: readonly ReadRule[];
  readonly fired: readonly ReadRule[];
  /** The rule that decides also when it passes: the first one, where only that is evaluated. */
  readonly first: ReadRule | undefined;
}

/** Whether two decisions are the same: the action, the rule that decided and the rules that logged. */
export function isSameRuleDecision(left: RuleDecision, right: RuleDecision): boolean {
  return (
    left.fired.length === right.fired.length &&
    left.first?.rule.id === right.first?.rule.id &&
    left.fired.every(({ rule }, i) => {
      const other = right.fired[i]?.rule;
      return other === rule || (other?.id === rule.id && other.action === rule.action);
    })
  );
}

/** The action of a decision, and the rule that decided. */
export function outcomeOf({ fired, first }: RuleDecision): {
  readonly action: VerdictAction;
  readonly decider: ReadRule | undefined;
} {
  const block = fired.find(({ rule }) => rule.action === "block");
  const action = block ? "block" : fired.length > 0 ? "log" : "allow";
  return { action, decider: block ?? fired[0] ?? first };
}

/** Checks the tokens of a configuration; `tokens` are those of the candidate. */
export type CandidateChecker = (
  config: ReadConfig,
) => (token: string, nowMs: number, tokens: TokensByPlaceholder) => TokenCheck;

type TokensByPlaceholder = ReadonlyMap<string, GeneratedToken>;

/** The checker of placeholders. */
export function placeholderChecker(configs: BoundConfigs): CandidateChecker {
  return ({ id, sources }) => {
    const config = configs.get(id) ?? { id, sources, keys: [] };
    return (token, _nowMs, tokens) => checkGenerated(config, token, tokens);
  };
}

/** Creates the evaluator of rules with some configurations. */
export function createEvaluator(
  { configs, normalization }: Pick<ReadZone, "configs" | "normalization">,
  precedence: Precedence,
  checkerOf: CandidateChecker,
): Evaluator {
  let current: TokensByPlaceholder = new Map();
  const compiledConfigs = configs.map((config): CompiledConfig => {
    const check = checkerOf(config);
    const checker: CompiledConfig["checker"] = { check: (token, nowMs) => check(token, nowMs, current) };
    return { id: config.id, sources: config.sources, checker };
  });
  const table = createLeafTable(compiledConfigs);
  const compiled = new Map<Expression, CompiledExpression<Evaluation>>();
  const tokensOf = new WeakMap<Candidate, TokensByPlaceholder>();

  function evaluate(expression: Expression, candidate: Candidate): boolean {
    const test =
      compiled.get(expression) ?? compileExpression<Evaluation>(expression, (test) => leafSlot(table, test));
    compiled.set(expression, test);
    current = tokensOf.get(candidate) ?? new Map();
    return test(candidate.evaluation);
  }

  return {
    start: (request, tokens, zoneClass, nowMs = 0) => {
      const evaluation = startEvaluation(table, readRequest(request, normalization), request, nowMs);
      const candidate = { request, tokens, zoneClass, evaluation };
      tokensOf.set(candidate, new Map(tokens.map((token) => [token.placeholder, token])));
      return candidate;
    },
    evaluate,
    decide: (rules, candidate) =>
      decide(evaluatedRules(rules, precedence), precedence, (rule) => evaluate(rule.expression, candidate)),
  };
}

function decide(
  rules: readonly ReadRule[],
  precedence: Precedence,
  passes: (rule: ReadRule) => boolean,
): RuleDecision {
  const evaluated: ReadRule[] = [];
  const fired: ReadRule[] = [];
  for (const rule of rules) {
    evaluated.push(rule);
    if (passes(rule)) continue;
    fired.push(rule);
    if (rule.rule.action === "block") break;
  }
  return { evaluated, fired, first: precedence === "first" ? rules[0] : undefined };
}
