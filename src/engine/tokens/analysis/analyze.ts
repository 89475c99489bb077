/**
 * Static analysis of a zone: expressions that are constant, rules that never decide, and the like. Exact: a finding
 * holds for every request, and a question that is too large is reported as `undecided`.
 */

import { pointer } from "../../../errors.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import { type ReadingOptions, type ReadRule, type ReadZone, readZone } from "../zone/zone-input.ts";
import { type BoundConfigs, bindConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeters, type Meter, withinBudget } from "./budget.ts";
import { type AnalysisFinding, finding } from "./findings/checks.ts";
import { configFindings } from "./findings/config-findings.ts";
import { type EarlierRulesTracker, trackEarlierRules } from "./findings/earlier-rules.ts";
import { expressionFindings } from "./findings/expression-findings.ts";
import { invalidFindings } from "./findings/invalid-findings.ts";
import { type CoveredOperation, coverageOfRules } from "./findings/rule-coverage.ts";
import { groupByEarlierRules, orderFindings, selectorFindings } from "./findings/rule-findings.ts";
import type { Assumptions } from "./requests/variables.ts";

/** Options of an analysis. */
export interface AnalyzeOptions extends AnalysisOptions, ReadingOptions {
  /** Which of several covering rules are evaluated; `all` by default. */
  readonly precedence?: Precedence;
}

/**
 * Analyzes a zone: configurations, rules and operations. Accepts any value: problems of invalid input are findings,
 * and then there are no others.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method ne "get"';
 * const found = analyze({ configs: [], rules: [{ id: "r1", action: "block", enabled: true, expression, selector }] });
 * found.map(({ check, message }) => [check, message]);
 * // => [["always-true", "The expression is true for every request that the rule covers, so the rule never acts."]]
 * ```
 */
export function analyze(input: unknown, options: AnalyzeOptions = {}): AnalysisFinding[] {
  const read = readZone(input, options);
  if (!read.ok) return invalidFindings(input, read.problems, options);
  const zone = read.value;
  const { precedence = "all" } = options;
  const analysis: ZoneAnalysis = {
    zone,
    configs: bindConfigs(zone.configs),
    earlierRules: trackEarlierRules(precedence),
    precedence,
  };
  const nextMeter = createMeters(options);
  const findings = coverageOfRules(zone).flatMap(({ rule, covered }, index) => {
    const found = ruleFindings(analysis, { rule, covered, index }, nextMeter());
    if (rule.rule.enabled) analysis.earlierRules.add(rule, covered);
    return found;
  });
  return [...findings, ...configFindings(zone)];
}

/** The state of an analysis, which visits the rules in order. */
interface ZoneAnalysis {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly earlierRules: EarlierRulesTracker;
  readonly precedence: Precedence;
}

/** The rule under analysis. */
interface AnalyzedRule {
  readonly rule: ReadRule;
  readonly covered: readonly CoveredOperation[];
  readonly index: number;
}

function ruleFindings(analysis: ZoneAnalysis, analyzed: AnalyzedRule, meter: Meter): AnalysisFinding[] {
  const { zone, configs, earlierRules, precedence } = analysis;
  const { rule, covered, index } = analyzed;
  const { id, enabled } = rule.rule;
  const at = { rule: id, pointer: pointer("rules", index) };
  const attempt = (work: () => AnalysisFinding[]) =>
    withinBudget(work, (reason) => [finding("undecided", at, `The analysis is not complete: ${reason}.`)]);
  const disabled = enabled ? [] : [finding("disabled", at, "The rule is disabled, so it never acts.")];
  const inExpression = attempt(() => findingsInExpression(analyzed, configs, meter));
  const neverActs = !enabled || inExpression.some(({ check }) => check === "always-true");
  const inOrder = neverActs
    ? []
    : attempt(() => {
        const groups = groupByEarlierRules(covered, earlierRules);
        return orderFindings(rule, index, groups, precedence, configs, meter);
      });
  const inSelector = selectorFindings(zone, rule, index, covered);
  return uniqueUndecided([...disabled, ...inSelector, ...inExpression, ...inOrder]);
}

function findingsInExpression(
  { rule, covered, index }: AnalyzedRule,
  configs: BoundConfigs,
  meter: Meter,
): AnalysisFinding[] {
  const at = { rule: rule.rule.id, pointer: pointer("rules", index, "expression") };
  return expressionFindings(rule.expression, configs, assumptionsOf(covered), meter).map(
    ({ check, message }) => finding(check, at, message),
  );
}

/** Restrictions that all requests of a rule meet; none when it covers no request. */
function assumptionsOf(covered: readonly CoveredOperation[]): Assumptions {
  if (covered.length === 0) return {};
  const hosts = { values: [...new Set(covered.map(({ host }) => host))] };
  const methods = new Set(covered.flatMap(({ method }) => method ?? []));
  if (methods.size === 0) return { "http.host": hosts };
  return { "http.host": hosts, "http.request.method": { values: [...methods] } };
}

function uniqueUndecided(findings: readonly AnalysisFinding[]): AnalysisFinding[] {
  const first = findings.findIndex(({ check }) => check === "undecided");
  return findings.filter(({ check }, i) => check !== "undecided" || i === first);
}
