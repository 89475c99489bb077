/**
 * Static analysis of a zone: expressions that are constant, rules that never decide, and the like. Exact for token
 * rules: a finding holds for every request, and a question that is too large is reported as `undecided`.
 */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import { pointer } from "../../../errors.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import { type ReadingOptions, type ReadRule, type ReadZone, readZone } from "../zone/zone-input.ts";
import { type BoundConfigs, bindConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeters, type Meter, requireSteps, withinBudget } from "./budget.ts";
import { customFindings } from "./custom-checks/custom-findings.ts";
import { type AnalysisCheck, finding } from "./findings/checks.ts";
import { configFindings } from "./findings/config-findings.ts";
import { type EarlierRulesTracker, trackEarlierRules } from "./findings/earlier-rules.ts";
import { expressionFindings } from "./findings/expression-findings.ts";
import { invalidFindings } from "./findings/invalid-findings.ts";
import { createRequestGroups, type RequestGroups, testsToken } from "./findings/request-groups.ts";
import { type CoveredOperation, coverageOfRules } from "./findings/rule-coverage.ts";
import {
  groupByEarlierRules,
  orderFindings,
  type RuleQuestion,
  selectorFindings,
} from "./findings/rule-findings.ts";
import { checkOptionNames } from "./option-names.ts";
import { comparesPath } from "./requests/partition.ts";

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
 * found.map(({ rule, message }) => [rule, message]);
 * // => [["always-true", "The expression is true for every request that the rule covers, so the rule never acts."]]
 * ```
 * @throws TypeError for an option that does not exist
 */
export function analyze(input: unknown, options: AnalyzeOptions = {}): Diagnostic<AnalysisCheck>[] {
  checkOptionNames("analyze", options);
  const read = readZone(input, { ...options, restrictions: "note" });
  if (!read.ok) return invalidFindings(input, read.problems, options);
  return withinBudget(
    () => [...analyzeZone(read.value, options), ...customFindings(read.value, options)],
    (reason) => [finding("undecided", { pointer: "" }, `The analysis is not complete: ${reason}.`)],
  );
}

/** The state of an analysis, which visits the rules in order. */
interface ZoneAnalysis {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly earlierRules: EarlierRulesTracker;
  readonly groups: RequestGroups;
  readonly precedence: Precedence;
  readonly nextMeter: () => Meter;
  /** Whether the paths of operations matter. */
  readonly comparesPaths: boolean;
  /** For questions about paths, which can be asked again without them. */
  readonly nextPathMeter: () => Meter;
}

function analyzeZone(zone: ReadZone, options: AnalyzeOptions): Diagnostic<AnalysisCheck>[] {
  const { precedence = "all" } = options;
  const nextMeter = createMeters(options);
  const coverage = coverageOfRules(zone, nextMeter());
  const analysis: ZoneAnalysis = {
    zone,
    configs: bindConfigs(zone.configs),
    earlierRules: trackEarlierRules(precedence),
    groups: createRequestGroups(zone),
    precedence,
    nextMeter,
    comparesPaths: zone.operations !== undefined && zone.rules.some(comparesPath),
    nextPathMeter: createMeters(options),
  };
  const findings = coverage.flatMap(({ rule, covered }, index) => {
    const found = ruleFindings(analysis, { rule, covered, index });
    if (rule.rule.enabled) analysis.earlierRules.add(rule, covered);
    return found;
  });
  return [...findings, ...configFindings(zone), ...remarkFindings(zone)];
}

function remarkFindings({ remarks, rules }: ReadZone): Diagnostic<AnalysisCheck>[] {
  return remarks.map(({ rule: kind, pointer: at = "", message }) => {
    const index = /^\/rules\/(\d+)\//.exec(at)?.[1];
    const rule = index === undefined ? undefined : rules[Number(index)]?.rule.id;
    return finding(kind, { ...(rule !== undefined && { rule }), pointer: at }, message);
  });
}

/** The rule under analysis. */
interface AnalyzedRule {
  readonly rule: ReadRule;
  readonly covered: readonly CoveredOperation[];
  readonly index: number;
}

function ruleFindings(analysis: ZoneAnalysis, analyzed: AnalyzedRule): Diagnostic<AnalysisCheck>[] {
  const { rule, covered, index } = analyzed;
  const { id, enabled } = rule.rule;
  const at = { rule: id, pointer: pointer("rules", index) };
  const disabled = enabled ? [] : [finding("disabled", at, "The rule is disabled, so it never acts.")];
  const inSelector = selectorFindings(analysis.zone, rule, index, covered);
  return uniqueUndecided([...disabled, ...inSelector, ...decidedFindings(analysis, analyzed)]);
}

/** Findings that take the paths of operations into account; when that needs too many steps, those without them, too. */
function decidedFindings(analysis: ZoneAnalysis, analyzed: AnalyzedRule): Diagnostic<AnalysisCheck>[] {
  const { comparesPaths, nextMeter, nextPathMeter } = analysis;
  if (!comparesPaths) return findingsWith(analysis, analyzed, false, nextMeter());
  const exact = findingsWith(analysis, analyzed, true, nextPathMeter());
  const undecided = exact.filter(({ rule: check }) => check === "undecided");
  if (undecided.length === 0) return exact;
  return [...findingsWith(analysis, analyzed, false, nextMeter()), ...undecided];
}

function findingsWith(
  analysis: ZoneAnalysis,
  analyzed: AnalyzedRule,
  withPaths: boolean,
  meter: Meter,
): Diagnostic<AnalysisCheck>[] {
  const { configs, earlierRules, groups, precedence } = analysis;
  const { rule, covered, index } = analyzed;
  const at = { rule: rule.rule.id, pointer: pointer("rules", index) };
  const attempt = (work: () => Diagnostic<AnalysisCheck>[]) =>
    withinBudget(work, (reason) => [finding("undecided", at, `The analysis is not complete: ${reason}.`)]);
  const question = { rule, index, configs, meter, requests: groups, withPaths };
  const inExpression = attempt(() => findingsInExpression(question, covered));
  const neverActs = !rule.rule.enabled || inExpression.some(({ rule: check }) => check === "always-true");
  const inOrder = neverActs
    ? []
    : attempt(() => orderFindings(question, groupByEarlierRules(covered, earlierRules), precedence));
  return [...inExpression, ...inOrder];
}

function findingsInExpression(
  { rule, index, configs, meter, requests, withPaths }: RuleQuestion,
  covered: readonly CoveredOperation[],
): Diagnostic<AnalysisCheck>[] {
  const at = { rule: rule.rule.id, pointer: pointer("rules", index, "expression") };
  // A rule that covers no request is analyzed over all requests.
  if (testsToken(rule.expression)) requireSteps(meter);
  const groups = covered.length === 0 ? [{}] : requests.of(covered, [rule.expression], withPaths);
  return expressionFindings(rule.expression, configs, groups, meter).map(({ rule: check, message }) =>
    finding(check, at, message),
  );
}

function uniqueUndecided(findings: readonly Diagnostic<AnalysisCheck>[]): Diagnostic<AnalysisCheck>[] {
  const first = findings.findIndex(({ rule: check }) => check === "undecided");
  return findings.filter(({ rule: check }, i) => check !== "undecided" || i === first);
}
