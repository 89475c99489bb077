/** Findings about rules that never decide, because of their selectors or of earlier rules. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { pointer, quote } from "../../../../errors.ts";
import { printedTree } from "../../expression/printer.ts";
import { nameWithTitle } from "../../name-with-title.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { isHostTemplate, matchesHost } from "../../zone/host-template.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import { type Meter, requireSteps } from "../budget.ts";
import { alwaysTrue, type DecisionDiagram } from "../requests/decision-diagram.ts";
import { createRequestVariables, type RequestVariables } from "../requests/variables.ts";
import { type AnalysisCheck, finding } from "./checks.ts";
import { type EarlierRulesTracker, rulesOf } from "./earlier-rules.ts";
import { type RequestGroups, testsToken } from "./request-groups.ts";
import type { CoveredOperation } from "./rule-coverage.ts";

/** All findings about a rule's selector. */
export function selectorFindings(
  { operations }: ReadZone,
  { rule, hosts, excluded }: ReadRule,
  index: number,
  covered: readonly CoveredOperation[],
): Diagnostic<AnalysisCheck>[] {
  const at = { rule: rule.id, pointer: pointer("rules", index, "selector") };
  if (hosts.length === 0)
    return [finding("empty-selector", at, "The rule includes no host, so it covers no request.")];
  if (operations === undefined) return [];
  const known = [...new Set(operations.map(({ host }) => host))];
  const templates = known.filter(isHostTemplate);
  // Unknown templates are remarks on the zone.
  const isKnown = (host: string) =>
    known.includes(host) || isHostTemplate(host) || templates.some((template) => matchesHost(template, host));
  const ids = new Set(operations.map(({ operation }) => operation.operation_id));
  const knownHosts = hosts.filter(isKnown);
  const isAllExcluded = knownHosts.length > 0 && covered.length === 0;
  return [
    ...hosts
      // That a host cannot be empty is a remark of its own.
      .filter((host) => host !== "" && !isKnown(host))
      .map((host) => finding("unknown-host", at, `The host ${quote(host)} has no operations.`)),
    ...excluded
      .filter((id) => !ids.has(id))
      .map((id) => finding("unknown-operation", at, `The excluded operation ${quote(id)} does not exist.`)),
    ...(isAllExcluded ? [finding("all-excluded", at, allExcluded(knownHosts))] : []),
  ];
}

function allExcluded(hosts: readonly string[]): string {
  return `The rule excludes every operation of ${hosts.map(quote).join(", ")}.`;
}

/** A question about a rule, and the means to answer it. */
export interface RuleQuestion {
  readonly rule: ReadRule;
  readonly index: number;
  readonly configs: BoundConfigs;
  readonly meter: Meter;
  readonly requests: RequestGroups;
  /** Whether the paths of operations are taken into account. */
  readonly withPaths: boolean;
}

/** Operations with the same earlier rules. */
interface OperationGroup {
  readonly covered: CoveredOperation[];
  readonly earlier: readonly ReadRule[];
}

/** Whether an enabled rule never decides because of the rules before it. */
export function orderFindings(
  question: RuleQuestion,
  groups: readonly OperationGroup[],
  precedence: Precedence,
): Diagnostic<AnalysisCheck>[] {
  if (groups.length === 0 || groups.some(({ earlier }) => earlier.length === 0)) return [];
  const at = { rule: question.rule.rule.id, pointer: pointer("rules", question.index) };
  if (precedence === "first") {
    const rules = nameRules(groups.flatMap(({ earlier }) => earlier));
    const message = `Earlier rules decide about every request that the rule covers: ${rules}.`;
    return [finding("shadowed", at, message)];
  }
  const sufficient: ReadRule[] = [];
  for (const group of groups) {
    const blocking = sufficientRules(question, group);
    if (blocking === undefined) return [];
    sufficient.push(...blocking);
  }
  const message = `Whenever the rule would act, an earlier rule has already blocked: ${nameRules(sufficient)}.`;
  return [finding("behind-block", at, message)];
}

/** The operations that a rule covers, grouped by the rules before it. */
export function groupByEarlierRules(
  covered: readonly CoveredOperation[],
  earlierRules: EarlierRulesTracker,
): OperationGroup[] {
  const groups = new Map<number, OperationGroup>();
  for (const operation of covered) {
    const earlier = earlierRules.before(operation);
    const group = groups.get(earlier.id) ?? { covered: [], earlier: rulesOf(earlier) };
    groups.set(earlier.id, group);
    group.covered.push(operation);
  }
  return [...groups.values()];
}

/** Earlier rules that together block whenever the rule would act; undefined when not even all of them do. */
function sufficientRules(
  { rule, configs, meter, requests, withPaths }: RuleQuestion,
  { covered, earlier }: OperationGroup,
): readonly ReadRule[] | undefined {
  const printed = printedTree(rule.expression);
  const same = earlier.find((other) => printedTree(other.expression) === printed);
  if (same !== undefined) return [same];
  if (testsToken(rule.expression)) requireSteps(meter);
  const expressions = [...earlier, rule].map(({ expression }) => expression);
  const bound = expressions.map((expression) => ({ expression, configs }));
  const sufficient = new Set<ReadRule>();
  for (const group of requests.of(covered, expressions, withPaths)) {
    const blocking = blockingRules(createRequestVariables(bound, group, meter), rule, earlier, configs);
    if (blocking === undefined) return undefined;
    for (const blocker of blocking) sufficient.add(blocker);
  }
  return earlier.filter((candidate) => sufficient.has(candidate));
}

/** The maximum number of rules that are tried to be left out. */
const maxMinimized = 16;

/** The first earlier rules whose expressions together imply the rule's own, without those that are not needed for that. */
function blockingRules(
  { diagrams, diagramOf, isUnsatisfiable }: RequestVariables,
  rule: ReadRule,
  earlier: readonly ReadRule[],
  configs: BoundConfigs,
): readonly ReadRule[] | undefined {
  const acts = diagrams.not(diagramOf(rule.expression, configs));
  const passAnd = (rest: DecisionDiagram, { expression }: ReadRule) =>
    diagrams.combine("and", diagramOf(expression, configs), rest);
  // From the last rule to the first, whose variables come first: the diagrams stay small.
  const isBehind = (rules: readonly ReadRule[]) =>
    isUnsatisfiable(diagrams.combine("and", rules.reduceRight(passAnd, alwaysTrue), acts));
  if (!isBehind(earlier)) return undefined;
  const count = shortestPrefix(earlier, isBehind);
  const first = earlier.slice(0, count);
  if (count > maxMinimized) return first;
  return first.reduceRight<readonly ReadRule[]>((kept, candidate) => {
    const others = kept.filter((other) => other !== candidate);
    return isBehind(others) ? others : kept;
  }, first);
}

/** The length of the shortest prefix for which a condition holds that holds for all longer ones, too. */
function shortestPrefix<Item>(items: readonly Item[], holds: (prefix: readonly Item[]) => boolean): number {
  let [failing, holding] = [-1, items.length];
  while (holding - failing > 1) {
    const middle = Math.trunc((failing + holding) / 2);
    if (holds(items.slice(0, middle))) holding = middle;
    else failing = middle;
  }
  return holding;
}

/** The maximum number of rules that a message names. */
const maxNamed = 5;

/** The ids of rules with their titles. */
function nameRules(rules: readonly ReadRule[]): string {
  const names = [...new Set(rules)].map(({ rule }) => nameWithTitle(rule));
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return names.slice(0, maxNamed).join(", ") + more;
}
