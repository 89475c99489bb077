/** Rules with `skip`: what they skip, and what they do not. */

import type { Diagnostic } from "../../../../../core/diagnostic.ts";
import { quote } from "../../../../../errors.ts";
import { skipEffect } from "../../../rulesets/skip-targets.ts";
import type { AnalysisCheck } from "../checks.ts";
import { type CustomAnalysis, type CustomStep, ruleFinding } from "./analysis.ts";

/** The findings about an enabled rule, by all its places. */
export function skipFindings(
  analysis: CustomAnalysis,
  places: readonly number[],
): Diagnostic<AnalysisCheck>[] {
  const { program, zone } = analysis;
  const [first] = places;
  const step = first === undefined ? undefined : (program.steps[first] as CustomStep);
  if (step?.rule.action !== "skip" || !step.enabled) return [];
  const { ruleset, phase, phases = [], products = [] } = step.rule.action_parameters ?? {};
  const isRecorded = phases.length > 0 || products.length > 0;
  if (!isRecorded && places.every((at) => !skipsRule(analysis, at)))
    return [ruleFinding("skip-without-effect", step, describeEffect(step), { member: "action_parameters" })];
  const keeps = (ruleset ?? phase) !== undefined && zone.rules.some(({ rule }) => rule.enabled);
  if (!keeps) return [];
  const message = "The rule skips custom rules; the token validation rules are evaluated nevertheless.";
  return [ruleFinding("skip-keeps-token-rules", step, message, { member: "action_parameters" })];
}

/** Whether a `skip` leaves out an enabled rule. */
function skipsRule({ program }: CustomAnalysis, at: number): boolean {
  const { to, steps } = skipEffect(program, at);
  const isEnabled = (step: number) => program.steps[step]?.enabled === true;
  return program.steps.slice(at + 1, to).some(({ enabled }) => enabled) || steps.some(isEnabled);
}

function describeEffect({ rule }: CustomStep): string {
  const { ruleset, phase, rulesets = [], rules = {} } = rule.action_parameters ?? {};
  const named = [...rulesets, ...Object.keys(rules)].map(quote).join(", ");
  if (phase !== undefined) return "The rule skips nothing: no enabled rule of this level comes after it.";
  if (ruleset !== undefined) return "The rule skips nothing: no enabled rule of this ruleset comes after it.";
  return `The rule skips nothing: none of the enabled rules after it is in what it names: ${named || "nothing"}.`;
}
