/** Findings about rules that never decide, because of their selectors or of earlier rules. */

import { pointer, quote } from "../../../../errors.ts";
import { printExpression } from "../../expression/printer.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { alwaysTrue } from "../requests/decision-diagram.ts";
import { createRequestVariables } from "../requests/variables.ts";
import { type AnalysisFinding, finding } from "./checks.ts";
import { type EarlierRulesTracker, rulesOf } from "./earlier-rules.ts";
import type { CoveredOperation } from "./rule-coverage.ts";

/** All findings about a rule's selector. */
export function selectorFindings(
  { operations }: ReadZone,
  { rule, hosts, excluded }: ReadRule,
  index: number,
  covered: readonly CoveredOperation[],
): AnalysisFinding[] {
  const at = { rule: rule.id, pointer: pointer("rules", index, "selector") };
  if (hosts.length === 0)
    return [finding("empty-selector", at, "The rule includes no host, so it covers no request.")];
  if (operations === undefined) return [];
  const known = new Set(operations.map(({ host }) => host));
  const ids = new Set(operations.map(({ operation }) => operation.operation_id));
  const knownHosts = hosts.filter((host) => known.has(host));
  const isAllExcluded = knownHosts.length > 0 && covered.length === 0;
  return [
    ...hosts
      .filter((host) => !known.has(host))
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

/** Operations with the same earlier rules, represented by one of them. */
interface OperationGroup {
  readonly covered: CoveredOperation;
  readonly earlier: readonly ReadRule[];
}

/** Whether an enabled rule never decides because of the rules before it. */
export function orderFindings(
  rule: ReadRule,
  index: number,
  groups: readonly OperationGroup[],
  precedence: Precedence,
  configs: BoundConfigs,
  meter: Meter,
): AnalysisFinding[] {
  if (groups.length === 0 || groups.some(({ earlier }) => earlier.length === 0)) return [];
  const at = { rule: rule.rule.id, pointer: pointer("rules", index) };
  if (precedence === "first") {
    const message = `Earlier rules decide about every request that the rule covers: ${namesOf(groups)}.`;
    return [finding("shadowed", at, message)];
  }
  if (!groups.every((group) => isBehindBlock(rule, group, configs, meter))) return [];
  const message = `Whenever the rule would act, an earlier rule has already blocked: ${namesOf(groups)}.`;
  return [finding("behind-block", at, message)];
}

/** The operations that a rule covers, grouped by the rules before it. */
export function groupByEarlierRules(
  covered: readonly CoveredOperation[],
  earlierRules: EarlierRulesTracker,
): OperationGroup[] {
  const groups = new Map<string, OperationGroup>();
  for (const operation of covered) {
    const earlier = earlierRules.before(operation);
    const key = JSON.stringify([earlier.id, operation.host, operation.method]);
    if (!groups.has(key)) groups.set(key, { covered: operation, earlier: rulesOf(earlier) });
  }
  return [...groups.values()];
}

/** Whether the conjunction of the earlier rules' expressions implies the rule's own. */
function isBehindBlock(
  rule: ReadRule,
  { covered, earlier }: OperationGroup,
  configs: BoundConfigs,
  meter: Meter,
): boolean {
  const printed = printExpression(rule.expression);
  if (earlier.some(({ expression }) => printExpression(expression) === printed)) return true;
  const bound = [...earlier, rule].map(({ expression }) => ({ expression, configs }));
  const method = covered.method === undefined ? {} : { "http.request.method": { values: [covered.method] } };
  const assumptions = { "http.host": { values: [covered.host] }, ...method };
  const { diagrams, diagramOf, isUnsatisfiable } = createRequestVariables(bound, assumptions, meter);
  const notBlocked = earlier
    .map(({ expression }) => diagramOf(expression, configs))
    .reduceRight((rest, passed) => diagrams.combine("and", passed, rest), alwaysTrue);
  const acts = diagrams.not(diagramOf(rule.expression, configs));
  return isUnsatisfiable(diagrams.combine("and", notBlocked, acts));
}

/** The maximum number of rules that a message names. */
const maxNamed = 5;

function namesOf(groups: readonly OperationGroup[]): string {
  const ids = [...new Set(groups.flatMap(({ earlier }) => earlier.map(({ rule }) => rule.id)))];
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
  return ids.slice(0, maxNamed).map(quote).join(", ") + more;
}
