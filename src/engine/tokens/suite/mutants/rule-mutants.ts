/** Changes of one rule: its action, whether it is enabled, its expression and its selector. */

import { pointer, quote } from "../../../../errors.ts";
import { printExpression } from "../../expression/printer.ts";
import type { Selector, TokenRule } from "../../model.ts";
import type { ReadRule } from "../../zone/zone-input.ts";
import { type ExpressionContext, expressionChanges } from "./expression-mutants.ts";
import type { RuleChange } from "./mutant.ts";

/** What a rule can be changed to. */
export interface RuleContext extends ExpressionContext {
  /** The ids of operations that the rule covers: one for each list of rules that cover the same operations. */
  readonly coveredIds: readonly string[];
}

/** Every change of a rule alone. */
export function ruleChanges(rule: ReadRule, context: RuleContext): readonly RuleChange[] {
  return [
    ...actionChanges(rule),
    ...expressionsOf(rule, context),
    ...hostChanges(rule, context.hosts),
    ...exclusionChanges(rule, context.coveredIds),
  ];
}

function withRule(read: ReadRule, members: Partial<TokenRule>): ReadRule {
  return { ...read, rule: { ...read.rule, ...members } };
}

function actionChanges(read: ReadRule): readonly RuleChange[] {
  const { action, enabled } = read.rule;
  const other = action === "block" ? "log" : "block";
  return [
    {
      kind: "action",
      at: "/action",
      description: `the action \`${action}\` becomes \`${other}\``,
      changed: withRule(read, { action: other }),
    },
    {
      kind: "enabled",
      at: "/enabled",
      description: enabled ? "the rule is disabled" : "the rule is enabled",
      changed: withRule(read, { enabled: !enabled }),
    },
  ];
}

function expressionsOf(read: ReadRule, context: ExpressionContext): readonly RuleChange[] {
  return expressionChanges(read.expression, context).map(({ kind, description, expression }) => ({
    kind,
    at: "/expression",
    description,
    changed: { ...withRule(read, { expression: printExpression(expression) }), expression },
  }));
}

/** Each host removed, and the first host of the zone that the rule does not include added. */
function hostChanges(read: ReadRule, all: readonly string[]): readonly RuleChange[] {
  const change = (hosts: readonly string[], description: string): RuleChange => ({
    kind: "host",
    at: "/selector/include",
    description,
    changed: withSelector(read, hosts, read.excluded),
  });
  const removed = read.hosts.map((host) =>
    change(
      read.hosts.filter((other) => other !== host),
      `the host ${quote(host)} is no longer included`,
    ),
  );
  const more = all.find((host) => !read.hosts.includes(host));
  if (more === undefined) return removed;
  return [...removed, change([...read.hosts, more], `the host ${quote(more)} is included`)];
}

function exclusionChanges(read: ReadRule, coveredIds: readonly string[]): readonly RuleChange[] {
  const change = (excluded: readonly string[], description: string): RuleChange => ({
    kind: "exclusion",
    at: "/selector/exclude",
    description,
    changed: withSelector(read, read.hosts, excluded),
  });
  return [
    ...read.excluded.map((id) =>
      change(
        read.excluded.filter((other) => other !== id),
        `the operation ${quote(id)} is no longer excluded`,
      ),
    ),
    ...coveredIds.map((id) => change([...read.excluded, id], `the operation ${quote(id)} is excluded`)),
  ];
}

function withSelector(read: ReadRule, hosts: readonly string[], excluded: readonly string[]): ReadRule {
  const selector: Selector = {
    include: hosts.length === 0 ? [] : [{ host: hosts.map(nameVariables) }],
    ...(excluded.length > 0 && { exclude: [{ operation_ids: [...excluded] }] }),
  };
  return { ...withRule(read, { selector }), hosts, excluded };
}

/** A template of hosts in normal form has variables without names. */
function nameVariables(host: string): string {
  return host.replaceAll("{}", "{any}");
}

/** The pointer of a part of the rule at a position. */
export function pointerOf(index: number, at: string): string {
  return pointer("rules", index) + at;
}
