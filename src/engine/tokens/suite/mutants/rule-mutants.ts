/** Changes of one rule besides its expression: action, enabled, hosts, exclusions and order. */

import { quote } from "../../../../errors.ts";
import type { TokenRule } from "../../model.ts";
import { nameWithTitle } from "../../name-with-title.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { type DescribedChange, type RuleEdit, withSelector } from "./change.ts";

/** A zone whose rules are changed. */
export interface RuleContext {
  readonly zone: ReadZone;
  /** The hosts of the zone's rules and operations. */
  readonly hosts: readonly string[];
  /** The ids of the operations of the rule's hosts, excluded or not. */
  operationsOf(rule: ReadRule): readonly string[];
  /** The positions of the later rules that apply to some of the same requests, the nearest first. */
  laterRules(index: number): readonly number[];
}

/** Changes of the rule at a position. */
export type RuleChanges = (
  rule: ReadRule,
  index: number,
  context: RuleContext,
) => readonly DescribedChange<RuleEdit>[];

function withMembers(read: ReadRule, members: Partial<TokenRule>): ReadRule {
  return { ...read, rule: { ...read.rule, ...members } };
}

/** `block` becomes `log`, and `log` becomes `block`. */
export const actionChanges: RuleChanges = (read, index) => {
  const { action } = read.rule;
  const other = action === "block" ? "log" : "block";
  const changed = withMembers(read, { action: other });
  const description = `the action \`${action}\` becomes \`${other}\``;
  return [{ change: { edit: "replace", index, changed }, at: "/action", description }];
};

/** The rule is disabled, or enabled. */
export const enabledChanges: RuleChanges = (read, index) => {
  const { enabled } = read.rule;
  const changed = withMembers(read, { enabled: !enabled });
  const description = enabled ? "the rule is disabled" : "the rule is enabled";
  return [{ change: { edit: "replace", index, changed }, at: "/enabled", description }];
};

/** Each host removed, and each other host of the zone added. */
export const hostChanges: RuleChanges = (read, index, { hosts: all }) => {
  const changeTo = (hosts: readonly string[], description: string): DescribedChange<RuleEdit> => ({
    change: { edit: "replace", index, changed: withSelector(read, hosts, read.excluded) },
    at: "/selector/include",
    description,
  });
  return [
    ...read.hosts.map((host) =>
      changeTo(
        read.hosts.filter((other) => other !== host),
        `the host ${quote(host)} is no longer included`,
      ),
    ),
    ...all
      .filter((host) => !read.hosts.includes(host))
      .map((host) => changeTo([...read.hosts, host], `the host ${quote(host)} is included`)),
  ];
};

/** Each operation of the rule's hosts excluded, or no longer excluded. */
export const exclusionChanges: RuleChanges = (read, index, { operationsOf }) => {
  const excluded = new Set(read.excluded);
  return operationsOf(read).map((operation) => {
    const edit = excluded.has(operation) ? "include" : "exclude";
    const description = `the operation ${quote(operation)} is ${edit === "include" ? "no longer " : ""}excluded`;
    return { change: { edit, index, operation }, at: "/selector/exclude", description };
  });
};

/** The rule after each later rule that applies to some of the same requests. */
export const orderChanges: RuleChanges = (_read, index, { zone, laterRules }) =>
  laterRules(index).flatMap((to) => {
    const after = zone.rules[to]?.rule;
    if (after === undefined) return [];
    const description = `the rule comes after ${nameWithTitle(after)}`;
    return [{ change: { edit: "move", index, to }, at: "", description }];
  });

/** The rule first, and last. */
export const positionChanges: RuleChanges = (_read, index, { zone: { rules } }) => {
  const last = rules.length - 1;
  const to = (place: number, description: string): DescribedChange<RuleEdit> => {
    return { change: { edit: "move", index, to: place }, at: "", description };
  };
  return [
    ...(index > 0 ? [to(0, "the rule is first")] : []),
    ...(index < last ? [to(last, "the rule is last")] : []),
  ];
};
