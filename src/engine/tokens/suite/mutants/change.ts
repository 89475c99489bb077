/** The changes of a zone that mutants make: of one rule, of one custom rule, of one list, of one operation, or of one configuration. */

import { coversOperation } from "../../analysis/requests/host-classes.ts";
import type { ReadConfig, ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import type { ZoneClass } from "../zone-classes.ts";
import { applyCustomChange, applyListChange, type CustomChange } from "./apply-ruleset-change.ts";
import type { ListEdit } from "./list-mutants.ts";

/** A change of one rule. Indexes are positions in the list of rules. */
export type RuleEdit =
  | { readonly edit: "replace"; readonly index: number; readonly changed: ReadRule }
  | { readonly edit: "move"; readonly index: number; readonly to: number }
  | { readonly edit: "exclude" | "include"; readonly index: number; readonly operation: string };

/** A change of a zone. */
export type ZoneChange =
  | ({ readonly part: "rule" } & RuleEdit)
  | { readonly part: "operation"; readonly index: number; readonly changed: ReadOperation | undefined }
  | { readonly part: "config"; readonly index: number; readonly changed: ReadConfig }
  | ({ readonly part: "custom rule" } & CustomChange)
  | ({ readonly part: "list" } & ListEdit);

/** A change before it belongs to a mutant. */
export interface DescribedChange<Change> {
  readonly change: Change;
  /** Pointer into the changed part, such as `/action`. */
  readonly at: string;
  /** In one clause. */
  readonly description: string;
}

/** The zone after a change. */
export function applyChange(zone: ReadZone, change: ZoneChange): ReadZone {
  if (change.part === "custom rule")
    return { ...zone, custom: zone.custom && applyCustomChange(zone.custom, change) };
  if (change.part === "list") return { ...zone, custom: zone.custom && applyListChange(zone.custom, change) };
  if (change.part === "config") return { ...zone, configs: zone.configs.with(change.index, change.changed) };
  if (change.part === "operation") {
    const { index, changed } = change;
    return { ...zone, operations: zone.operations?.toSpliced(index, 1, ...(changed ? [changed] : [])) };
  }
  return { ...zone, rules: applyRuleEdit(zone.rules, change) };
}

function applyRuleEdit(rules: readonly ReadRule[], edit: RuleEdit): readonly ReadRule[] {
  const rule = rules[edit.index];
  if (rule === undefined) return rules;
  if (edit.edit === "move") return rules.toSpliced(edit.index, 1).toSpliced(edit.to, 0, rule);
  return rules.with(edit.index, edit.edit === "replace" ? edit.changed : withExclusion(rule, edit));
}

function withExclusion(
  rule: ReadRule,
  { edit, operation }: Extract<RuleEdit, { edit: "exclude" | "include" }>,
): ReadRule {
  const others = rule.excluded.filter((id) => id !== operation);
  return withSelector(rule, rule.hosts, edit === "exclude" ? [...others, operation] : others);
}

/** The rule with other hosts and exclusions. */
export function withSelector(
  read: ReadRule,
  hosts: readonly string[],
  excluded: readonly string[],
): ReadRule {
  const selector = {
    include: hosts.length === 0 ? [] : [{ host: hosts.map(nameVariables) }],
    ...(excluded.length > 0 && { exclude: [{ operation_ids: [...excluded] }] }),
  };
  return { ...read, rule: { ...read.rule, selector }, hosts, excluded };
}

/** A template of hosts in normal form has variables without names. */
function nameVariables(host: string): string {
  return host.replaceAll("{}", "{any}");
}

/** The rules that cover a class after a change of a rule; undefined when they are the same, in the same order. */
export function rulesAfter(
  { hosts, operation, rules }: ZoneClass,
  edit: RuleEdit,
  all: readonly ReadRule[],
  positionOf: (rule: ReadRule) => number,
): readonly ReadRule[] | undefined {
  const rule = all[edit.index];
  if (rule === undefined) return undefined;
  const at = rules.indexOf(rule);
  if (edit.edit === "move") return at === -1 ? undefined : moved(rules, at, edit, positionOf);
  const next = edit.edit === "replace" ? edit.changed : rule;
  const isCovered =
    edit.edit === "replace"
      ? coversOperation(next, hosts, operation)
      : operation?.operation.operation_id === edit.operation
        ? edit.edit === "include" && coversOperation({ ...rule, excluded: [] }, hosts, operation)
        : at !== -1;
  if (at !== -1)
    return isCovered && next === rule ? undefined : rules.toSpliced(at, 1, ...(isCovered ? [next] : []));
  if (!isCovered) return undefined;
  const before = rules.findIndex((other) => positionOf(other) > edit.index);
  return rules.toSpliced(before === -1 ? rules.length : before, 0, next);
}

function moved(
  rules: readonly ReadRule[],
  at: number,
  { index, to }: Extract<RuleEdit, { edit: "move" }>,
  positionOf: (rule: ReadRule) => number,
): readonly ReadRule[] | undefined {
  const others = rules.toSpliced(at, 1);
  const isBefore = (position: number) => (to > index ? position <= to : position < to);
  const place = others.filter((other) => isBefore(positionOf(other))).length;
  return place === at ? undefined : others.toSpliced(place, 0, rules[at] as ReadRule);
}
