/** All mutants of the rules of a zone. */

import { quote } from "../../../../errors.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { hostsOf, type ZoneClass } from "../zone-classes.ts";
import type { Mutant } from "./mutant.ts";
import { pointerOf, ruleChanges } from "./rule-mutants.ts";

/** The mutants of a zone, rule by rule. `classes` are those of the zone. */
export function mutantsOf(zone: ReadZone, classes: readonly ZoneClass[]): Mutant[] {
  const hosts = hostsOf(zone);
  const configIds = zone.configs.map(({ id }) => id);
  const coveredIds = createCoveredIds(classes);
  return zone.rules.flatMap((rule, i) => {
    const context = { hosts, configIds, coveredIds: coveredIds(rule) };
    const changed = ruleChanges(rule, context).map(
      ({ kind, at, description, changed }): Mutant => ({
        kind,
        rule: rule.rule.id,
        pointer: pointerOf(i, at),
        description,
        rules: zone.rules.with(i, changed),
        touched: [rule.rule.id],
      }),
    );
    return [...changed, ...moves(zone.rules, i)];
  });
}

/** For each rule, an operation of each list of rules that cover the same operations. */
function createCoveredIds(classes: readonly ZoneClass[]): (rule: ReadRule) => readonly string[] {
  const groups = new Map<string, ZoneClass>();
  for (const one of classes) {
    const key = JSON.stringify(one.rules.map(({ rule }) => rule.id));
    if (one.operation !== undefined && !groups.has(key)) groups.set(key, one);
  }
  return (rule) => [
    ...new Set(
      [...groups.values()].flatMap(({ rules, operation }) =>
        operation !== undefined && rules.includes(rule) ? [operation.operation.operation_id] : [],
      ),
    ),
  ];
}

/** The rule after the next one (`order`), and at the start and the end of the list (`position`). */
function moves(rules: readonly ReadRule[], index: number): readonly Mutant[] {
  const rule = rules[index];
  const next = rules[index + 1];
  if (rule === undefined) return [];
  const others = rules.toSpliced(index, 1);
  const id = rule.rule.id;
  const at = pointerOf(index, "");
  const isLast = next === undefined;
  const swapped: readonly Mutant[] = isLast
    ? []
    : [
        {
          kind: "order",
          rule: id,
          pointer: at,
          description: `the rule comes after ${quote(next.rule.id)}`,
          rules: others.toSpliced(index + 1, 0, rule),
          touched: [id, next.rule.id],
        },
      ];
  const moved = (description: string, list: readonly ReadRule[], passed: readonly ReadRule[]): Mutant => ({
    kind: "position",
    rule: id,
    pointer: at,
    description,
    rules: list,
    touched: [id, ...passed.map((one) => one.rule.id)],
  });
  return [
    ...swapped,
    ...(index > 1 ? [moved("the rule is first", [rule, ...others], rules.slice(0, index))] : []),
    ...(index < rules.length - 2
      ? [moved("the rule is last", [...others, rule], rules.slice(index + 1))]
      : []),
  ];
}
