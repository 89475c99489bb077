/**
 * Static analysis of a zone: expressions that are constant, rules that never decide, and the like. Exact for token
 * rules: a finding holds for every request, and a question that is too large is reported as `search-limit`.
 */

import { optionsOf, requireArgument } from "../../../core/arguments.ts";
import { type Diagnostic, diagnostic } from "../../../core/diagnostic.ts";
import { pointer } from "../../../errors.ts";
import { isRejected } from "../remarks/remark.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import { type ReadingOptions, type ReadRule, type ReadZone, readZone } from "../zone/zone-input.ts";
import { type BoundConfigs, bindConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeters, type Meter, requireSteps, withinBudget } from "./budget.ts";
import { type AnalysisCheck, analysisChecks, finding } from "./findings/checks.ts";
import { configFindings } from "./findings/config-findings.ts";
import { type EarlierRulesTracker, trackEarlierRules } from "./findings/earlier-rules.ts";
import { type ExpressionGroup, expressionFindings } from "./findings/expression-findings.ts";
import { invalidFindings } from "./findings/invalid-findings.ts";
import { findMistakes } from "./findings/mistakes/mistakes.ts";
import { createRequestGroups, type RequestGroups, testsToken } from "./findings/request-groups.ts";
import { type CoveredOperation, coverageOfRules } from "./findings/rule-coverage.ts";
import {
  groupByEarlierRules,
  orderFindings,
  type RuleQuestion,
  selectorFindings,
} from "./findings/rule-findings.ts";
import { customFindings } from "./findings/rulesets/ruleset-findings.ts";
import { analysisMembers } from "./option-names.ts";
import { comparesPath } from "./requests/partition.ts";
import { createRequestVariables } from "./requests/variables.ts";

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
 * const expression = 'http.host ne "b.example.com"';
 * const found = analyze({ configs: [], rules: [{ id: "r1", action: "block", enabled: true, expression, selector }] });
 * found.map(({ rule, message }) => [rule, message]);
 * // => [["always-true", "The expression is true for every request that the rule covers, so the rule never acts."]]
 * ```
 * @throws TypeError for an option that does not exist
 */
export function analyze(input: unknown, options: AnalyzeOptions = {}): Diagnostic<AnalysisCheck>[] {
  requireArgument("options", options, optionsOf<AnalyzeOptions>("analyze", analysisMembers));
  const read = readZone(input, { ...options, restrictions: "note" });
  if (!read.ok) return invalidFindings(input, read.problems, options);
  return withinBudget(
    () => [...analyzeZone(read.value, options), ...customFindings(read.value, options)],
    (reason) => [finding("search-limit", { pointer: "" }, `The analysis is not complete: ${reason}.`)],
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
  return [...findings, ...configFindings(zone), ...remarkFindings(zone, options)];
}

/** Remarks on values that the provider rejects are errors where its restrictions are enforced. */
function remarkFindings(
  { remarks, rules }: ReadZone,
  { restrictions }: AnalyzeOptions,
): Diagnostic<AnalysisCheck>[] {
  return remarks.map(({ rule: kind, pointer: at = "", message, span, subject }) => {
    const index = /^\/rules\/(\d+)\//.exec(at)?.[1];
    const rule = index === undefined ? undefined : rules[Number(index)]?.rule.id;
    return {
      ...finding(kind, { ...(rule !== undefined && { rule }), pointer: at }, message),
      ...(restrictions === "enforce" && isRejected(kind) && { level: "error" as const }),
      ...(span && { span }),
      ...(subject && { subject }),
    };
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
  const decided = decidedFindings(analysis, analyzed);
  return uniqueUndecided([...disabled, ...inSelector, ...decided, ...mistakeFindings(analyzed)]);
}

/** The mistakes in an expression. Only where the rule covers an operation with OPTIONS can it reject preflights. */
function mistakeFindings({
  rule: { rule, expression },
  covered,
  index,
}: AnalyzedRule): Diagnostic<AnalysisCheck>[] {
  const at = pointer("rules", index, "expression");
  const rejects = rule.action === "block" && covered.some(({ operation }) => operation?.method === "OPTIONS");
  const mistakes = findMistakes({
    text: rule.expression,
    tree: expression,
    ...(rejects && { rejects: false }),
  });
  return mistakes.map(({ kind, message, span, corrected }) =>
    diagnostic(analysisChecks, kind, message, {
      pointer: at,
      subject: { rule: rule.id },
      span,
      ...(corrected !== undefined && { fix: [{ op: "replace" as const, path: at, value: corrected }] }),
    }),
  );
}

/** Findings that take the paths of operations into account; when that needs too many steps, those without them, too. */
function decidedFindings(analysis: ZoneAnalysis, analyzed: AnalyzedRule): Diagnostic<AnalysisCheck>[] {
  const { comparesPaths, nextMeter, nextPathMeter } = analysis;
  if (!comparesPaths) return findingsWith(analysis, analyzed, false, nextMeter());
  const exact = findingsWith(analysis, analyzed, true, nextPathMeter());
  const undecided = exact.filter(({ rule: check }) => check === "search-limit");
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
    withinBudget(work, (reason) => [
      finding("search-limit", at, `The analysis of the rule is not complete: ${reason}.`),
    ]);
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
  const { expression } = rule;
  const assumptions = covered.length === 0 ? [requests.all] : requests.of(covered, [expression], withPaths);
  const groups = assumptions.map((assumption): ExpressionGroup => {
    const variables = createRequestVariables([{ expression, configs }], assumption, meter);
    return {
      where: (part) => variables.diagramOf(part, configs),
      diagrams: variables.diagrams,
      isNever: variables.isUnsatisfiable,
      undecided: variables.undecidedTests,
    };
  });
  return expressionFindings(expression, groups, "token").map(({ rule: check, message }) =>
    finding(check, at, message),
  );
}

function uniqueUndecided(findings: readonly Diagnostic<AnalysisCheck>[]): Diagnostic<AnalysisCheck>[] {
  const first = findings.findIndex(({ rule: check }) => check === "search-limit");
  return findings.filter(({ rule: check }, i) => check !== "search-limit" || i === first);
}
