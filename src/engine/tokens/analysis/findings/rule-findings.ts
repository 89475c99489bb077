/** Rules that can never govern anything: by their selectors, or because of the rules before them. */

import { pointer, quote } from "../../../../errors.ts";
import { printExpression } from "../../expression/printer.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { always } from "../requests/decision-diagram.ts";
import { createSpace } from "../requests/variables.ts";
import { type AnalysisFinding, finding } from "./checks.ts";
import { type AheadTracker, rulesOf } from "./earlier-rules.ts";
import type { Covered } from "./rule-coverage.ts";

/** Everything about a rule's selector. */
export function selectorFindings(
  zone: ReadZone,
  index: number,
  covered: readonly Covered[],
): AnalysisFinding[] {
  const { rule, hosts, excluded } = zone.rules[index]!;
  const at = { rule: rule.id, pointer: pointer("rules", index, "selector") };
  if (hosts.length === 0)
    return [finding("empty-selector", at, "The rule includes no host, so it covers nothing.")];
  const { operations } = zone;
  if (operations === undefined) return [];
  const known = new Set(operations.map(({ host }) => host));
  const ids = new Set(operations.map(({ operation }) => operation.operation_id));
  const there = hosts.filter((host) => known.has(host));
  const isAllExcluded = there.length > 0 && covered.length === 0;
  return [
    ...hosts
      .filter((host) => !known.has(host))
      .map((host) => finding("unknown-host", at, `There is no operation on the host ${quote(host)}.`)),
    ...excluded
      .filter((id) => !ids.has(id))
      .map((id) => finding("unknown-operation", at, `There is no operation ${quote(id)} to exclude.`)),
    ...(isAllExcluded ? [finding("all-excluded", at, allExcluded(there))] : []),
  ];
}

function allExcluded(hosts: readonly string[]): string {
  return `The rule excludes every operation of ${hosts.map(quote).join(", ")}.`;
}

/** Operations before which the same rules stand. */
interface Group {
  readonly covered: Covered;
  readonly earlier: readonly ReadRule[];
}

/** Whether the rules before an enabled rule leave it anything to decide. */
export function orderFindings(
  self: ReadRule,
  index: number,
  groups: readonly Group[],
  precedence: Precedence,
  configs: BoundConfigs,
  meter: Meter,
): AnalysisFinding[] {
  if (groups.length === 0 || groups.some(({ earlier }) => earlier.length === 0)) return [];
  const at = { rule: self.rule.id, pointer: pointer("rules", index) };
  if (precedence === "first")
    return [finding("shadowed", at, `Earlier rules decide about all it covers: ${names(groups)}.`)];
  if (!groups.every((group) => isBehind(self, group, configs, meter))) return [];
  return [
    finding("behind-block", at, `Whenever it would act, an earlier rule blocks already: ${names(groups)}.`),
  ];
}

/** What a rule covers, by the rules before it. */
export function groupByAhead(covered: readonly Covered[], ahead: AheadTracker): Group[] {
  const groups = new Map<string, Group>();
  for (const one of covered) {
    const before = ahead.ofOperation(one);
    const key = JSON.stringify([before.number, one.host, one.method]);
    if (!groups.has(key)) groups.set(key, { covered: one, earlier: rulesOf(before) });
  }
  return [...groups.values()];
}

/** The earlier rules' expressions together imply the rule's own. */
function isBehind(self: ReadRule, { covered, earlier }: Group, configs: BoundConfigs, meter: Meter): boolean {
  const own = printExpression(self.expression);
  if (earlier.some(({ expression }) => printExpression(expression) === own)) return true;
  const bound = [...earlier, self].map(({ expression }) => ({ expression, configs }));
  const method = covered.method === undefined ? {} : { "http.request.method": { texts: [covered.method] } };
  const space = createSpace(bound, { "http.host": { texts: [covered.host] }, ...method }, meter);
  const { diagrams } = space;
  const passed = earlier
    .map(({ expression }) => space.truth(expression, configs))
    .reduceRight((later, earlier) => diagrams.combine("and", earlier, later), always);
  return space.isNever(diagrams.combine("and", passed, diagrams.not(space.truth(self.expression, configs))));
}

/** Most rules that a message names. */
const maxNamed = 5;

function names(groups: readonly Group[]): string {
  const ids = [...new Set(groups.flatMap(({ earlier }) => earlier.map(({ rule }) => rule.id)))];
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
  return ids.slice(0, maxNamed).map(quote).join(", ") + more;
}
