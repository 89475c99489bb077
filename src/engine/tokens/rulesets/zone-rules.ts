/** Custom rules of a zone, over the tokens that its configurations find in a request. */

import type { CompiledCustom } from "../expression/compile.ts";
import type { Program } from "../expression/compile-value.ts";
import { type ClaimSource, startValues } from "../expression/values/request-values.ts";
import type { SimulatedRequest } from "../model.ts";
import { type CompiledConfig, checkConfig, type Evaluation } from "../zone/evaluation.ts";
import type { EvaluationRequest } from "../zone/request.ts";
import type { ReadCustomRules } from "../zone/zone-input.ts";
import {
  type CompiledRulesets,
  type CustomEvaluation,
  type CustomInput,
  compileRulesets,
  evaluateRulesets,
} from "./evaluate-rulesets.ts";

/** The custom rules of a zone, ready to be evaluated. */
export interface CompiledCustomRules {
  readonly program: Program;
  readonly rulesets: CompiledRulesets;
  /** Every configuration of the zone, in order. */
  readonly configs: ReadonlyMap<string, CompiledConfig>;
  /** The configurations whose claims an expression may read. */
  readonly read: readonly CompiledConfig[];
}

/** Compiles the custom rules of a zone. */
export function compileCustomRules(
  { rulesets, program }: ReadCustomRules,
  configs: ReadonlyMap<string, CompiledConfig>,
): CompiledCustomRules {
  const compiled = compileRulesets(rulesets);
  const expressions = compiled.program.steps.flatMap(({ expression }) => expression ?? []);
  return { program, rulesets: compiled, configs, read: readConfigs(expressions, configs) };
}

/** The ids of the custom rules, each with its ruleset's in front and alone. */
export function customRuleIds({ rulesets: { entries, executable } }: ReadCustomRules): string[] {
  const all = [entries.account, entries.zone, ...executable.values()];
  return all.flatMap((ruleset) => ruleset?.rules.map(({ rule }) => rule.id) ?? []);
}

function readConfigs(
  expressions: readonly CompiledCustom[],
  configs: ReadonlyMap<string, CompiledConfig>,
): CompiledConfig[] {
  if (expressions.some(({ allConfigs }) => allConfigs)) return [...configs.values()];
  const ids = new Set(expressions.flatMap((expression) => expression.configs));
  return [...configs.values()].filter(({ id }) => ids.has(id));
}

/** Checks the tokens that expressions may read, for a verifier that is asynchronous. */
export async function checkTokens({ read }: CompiledCustomRules, evaluation: Evaluation): Promise<void> {
  for (const config of read) {
    checkConfig(evaluation, config);
    while (evaluation.pending !== undefined) await evaluation.pending;
  }
}

/** Evaluates the custom rules; the tokens that they read must be checked, or checked at once. */
export function evaluateCustomRules(
  rules: CompiledCustomRules,
  request: EvaluationRequest,
  evaluation: Evaluation,
): CustomEvaluation {
  return evaluateRulesets(rules.rulesets, startCustomRules(rules, request, evaluation));
}

/** The part of a request that custom rules read, of which nothing is read yet. */
export function startCustomRules(
  { program, configs }: CompiledCustomRules,
  request: EvaluationRequest,
  evaluation: Evaluation,
): CustomInput {
  const claims: ClaimSource = {
    ids: [...configs.keys()],
    valid: (id) => {
      const config = configs.get(id);
      const { found, check } = config === undefined ? {} : checkConfig(evaluation, config);
      if (check?.reason !== "valid" || found === undefined) return undefined;
      return { token: found.token, claims: check.claims ?? {} };
    },
  };
  const values = startValues(program, evaluation.request, request, evaluation.nowMs, claims);
  const { challengePassed = false } = request as SimulatedRequest;
  return { values, challengePassed };
}
