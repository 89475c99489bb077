/**
 * Finds out about a zone what no single request shows: expressions that never change, rules that never decide. Exact:
 * what is said holds for every request, and a question that is too large is said to be `undecided`.
 */

import { pointer } from "../../../errors.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import { type ReadingOptions, type ReadRule, type ReadZone, readZone } from "../zone/zone-input.ts";
import { type BoundConfigs, bindConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeters, type Meter, withinBudget } from "./budget.ts";
import { type AnalysisFinding, finding } from "./findings/checks.ts";
import { configFindings } from "./findings/config-findings.ts";
import { type AheadTracker, trackAhead } from "./findings/earlier-rules.ts";
import { expressionFindings } from "./findings/expression-findings.ts";
import { invalidFindings } from "./findings/invalid-findings.ts";
import { type Covered, surveyRules } from "./findings/rule-coverage.ts";
import { groupByAhead, orderFindings, selectorFindings } from "./findings/rule-findings.ts";
import type { Frame } from "./requests/variables.ts";

/** How a zone is analysed. */
export interface AnalyseOptions extends AnalysisOptions, ReadingOptions {
  /** Which of several covering rules count; `all` by default. */
  readonly precedence?: Precedence;
}

/**
 * Analyses a zone: configurations, rules and operations. Takes anything; what cannot be read is a finding, and then
 * nothing else is looked for.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method ne "get"';
 * const found = analyse({ configs: [], rules: [{ id: "r1", action: "block", enabled: true, expression, selector }] });
 * found.map(({ check, message }) => [check, message]);
 * // => [["always-true", "The expression is true for every request that the rule covers, so it never acts."]]
 * ```
 */
export function analyse(input: unknown, options: AnalyseOptions = {}): AnalysisFinding[] {
  const zone = readZone(input, options);
  if (zone.problems.length > 0) return invalidFindings(input, zone.problems, options);
  const survey: Survey = {
    zone,
    configs: bindConfigs(zone.configs),
    covered: surveyRules(zone),
    ahead: trackAhead(options.precedence ?? "all"),
    precedence: options.precedence ?? "all",
  };
  const takeMeter = createMeters(options);
  const findings = zone.rules.flatMap((rule, index) => {
    const found = ruleFindings(survey, index, takeMeter());
    if (rule.rule.enabled) survey.ahead.pass(rule, survey.covered[index]!);
    return found;
  });
  return [...findings, ...configFindings(zone)];
}

/** What is known of a zone while its rules are gone through in order. */
interface Survey {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  /** By the rules' places. */
  readonly covered: readonly (readonly Covered[])[];
  readonly ahead: AheadTracker;
  readonly precedence: Precedence;
}

function ruleFindings(survey: Survey, index: number, meter: Meter): AnalysisFinding[] {
  const { zone, configs, ahead, precedence } = survey;
  const [self, covered] = [zone.rules[index]!, survey.covered[index]!];
  const at = { rule: self.rule.id, pointer: pointer("rules", index) };
  const ask = (work: () => AnalysisFinding[]) =>
    withinBudget(work, (reason) => [finding("undecided", at, `Not everything was looked at: ${reason}.`)]);
  const disabled = self.rule.enabled
    ? []
    : [finding("disabled", at, "The rule is disabled, so it never acts.")];
  const inside = ask(() => expressionFindingsOf(self, index, covered, configs, meter));
  const neverActs = !self.rule.enabled || inside.some(({ check }) => check === "always-true");
  const order = neverActs
    ? []
    : ask(() => orderFindings(self, index, groupByAhead(covered, ahead), precedence, configs, meter));
  return uniqueUndecided([...disabled, ...selectorFindings(zone, index, covered), ...inside, ...order]);
}

function expressionFindingsOf(
  self: ReadRule,
  index: number,
  covered: readonly Covered[],
  configs: BoundConfigs,
  meter: Meter,
): AnalysisFinding[] {
  const at = { rule: self.rule.id, pointer: pointer("rules", index, "expression") };
  return expressionFindings(self.expression, configs, frameOf(covered), meter).map(({ check, message }) =>
    finding(check, at, message),
  );
}

/** What all requests that a rule covers have in common; nothing when it covers none. */
function frameOf(covered: readonly Covered[]): Frame {
  if (covered.length === 0) return {};
  const hosts = { texts: [...new Set(covered.map(({ host }) => host))] };
  const methods = new Set(covered.flatMap(({ method }) => method ?? []));
  if (methods.size === 0) return { "http.host": hosts };
  return { "http.host": hosts, "http.request.method": { texts: [...methods] } };
}

function uniqueUndecided(findings: readonly AnalysisFinding[]): AnalysisFinding[] {
  const first = findings.findIndex(({ check }) => check === "undecided");
  return findings.filter(({ check }, i) => check !== "undecided" || i === first);
}
