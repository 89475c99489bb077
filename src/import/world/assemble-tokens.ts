/** Makes the token validation of a zone from its resources; what is undecided is left out and reported. */

import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { references } from "../../engine/tokens/expression/references.ts";
import { pointer, quote } from "../../errors.ts";
import type { Resource, ResourceOf } from "../reading.ts";
import type { Effect, Undecided } from "../undecided.ts";
import { type Assembly, accept, derive, leaveOut, leaveUndecided, ofKind } from "./assembly.ts";
import type { MergedOwner } from "./merge-resources.ts";
import { orderRules } from "./rule-order.ts";
import { excludedOperations, hostsOf } from "./selected-hosts.ts";
import { describeUnknown, splitUnknown } from "./split-unknown.ts";

type Rule = ResourceOf<"token_rule">;

/** @param at RFC 6901 pointer of the token validation in the world */
export function assembleTokens(assembly: Assembly, owner: MergedOwner, at: string): object {
  const { id: zone, resources } = owner;
  const configs = ofKind(resources, "token_config");
  const rules = orderRules(ofKind(resources, "token_rule"));
  const known = {
    operations: keepKnown(assembly, ofKind(resources, "operation"), `${at}/operations`, {
      zone,
      about: "host",
      effect: effectOfOperation,
    }),
    configs: keepKnown(assembly, configs, `${at}/configs`, { zone, about: "key", effect: () => undefined }),
    rules: keepRules(
      assembly,
      rules.rules.map((rule) => renameExcluded(rule, owner)),
      configs,
      `${at}/rules`,
      zone,
    ),
  };
  if (rules.isDerived) noteOrder(assembly, rules, zone);
  return Object.fromEntries(Object.entries(known).filter(([, list]) => list.length > 0));
}

type ZoneKind = "operation" | "token_config" | "token_rule";

interface Deciding<K extends ZoneKind> {
  readonly zone: string;
  readonly about: Undecided["about"];
  readonly effect: (resource: ResourceOf<K>) => Effect | undefined;
}

const nouns = {
  operation: "An operation",
  token_config: "A token configuration",
  token_rule: "A rule",
} as const;

/** The values of the resources in which nothing decisive is unknown. */
function keepKnown<K extends ZoneKind>(
  assembly: Assembly,
  resources: readonly ResourceOf<K>[],
  at: string,
  { zone, about, effect }: Deciding<K>,
): ResourceOf<K>["value"][] {
  const values: ResourceOf<K>["value"][] = [];
  for (const resource of resources) {
    const { decisive, others } = splitUnknown(resource);
    if (decisive.length > 0) {
      const message = `${nouns[resource.kind]} is left out: ${describeUnknown(decisive)}.`;
      leaveOut(assembly, resource as unknown as Resource, { about, zone, message, effect: effect(resource) });
      continue;
    }
    if (others.length > 0)
      derive(assembly, resource.origin, `${describeUnknown(others)}; the world has the default.`);
    accept(assembly, resource as unknown as Resource, at + pointer(values.push(resource.value) - 1));
  }
  return values;
}

/** Requests to its host; all when the host is unknown. */
function effectOfOperation({ value }: ResourceOf<"operation">): Effect {
  return typeof value.host === "string" ? { hosts: [value.host.toLowerCase()] } : {};
}

/** A rule that uses a configuration that is left out is left out, too. */
function keepRules(
  assembly: Assembly,
  rules: readonly Rule[],
  configs: readonly ResourceOf<"token_config">[],
  at: string,
  zone: string,
): Rule["value"][] {
  const missing = new Set(
    configs.flatMap((config) => (splitUnknown(config).decisive.length > 0 ? [config.value.id] : [])),
  );
  const usable = rules.filter((rule) => {
    const used = missing.size === 0 ? undefined : usedConfigs(rule).find((id) => missing.has(id));
    if (used === undefined || isUndecided(rule)) return true;
    const message = `A rule is left out: it uses the token configuration ${quote(used)}, which is left out.`;
    leaveOut(assembly, rule as unknown as Resource, {
      about: "rule",
      zone,
      message,
      effect: effectOfRule(rule),
    });
    return false;
  });
  return keepKnown(assembly, usable, at, { zone, about: "rule", effect: effectOfRule });
}

function isUndecided(rule: Rule): boolean {
  return splitUnknown(rule).decisive.length > 0;
}

function usedConfigs({ value: { expression } }: Rule): readonly string[] {
  const parsed = typeof expression === "string" ? parseExpression(expression) : undefined;
  return parsed?.ok ? references(parsed.value).map(({ id }) => id.toLowerCase()) : [];
}

/** None for a disabled rule; else the requests to its hosts. */
function effectOfRule(rule: Rule): Effect | undefined {
  const { enabled } = rule.value;
  const unknown = (rule.unknown ?? []).map(({ pointer }) => pointer);
  if (enabled === false && !unknown.includes("/enabled")) return undefined;
  const excluded = excludedOperations(rule);
  const exceptOperations = excluded.length > 0 ? { exceptOperations: excluded } : {};
  const isOpen = unknown.some((part) => part === "/selector" || part.startsWith("/selector/include"));
  return isOpen ? exceptOperations : { hosts: hostsOf(rule), ...exceptOperations };
}

/** The rule with the ids that the operations that it excludes have in the world. */
function renameExcluded(rule: Rule, { idOf }: MergedOwner): Rule {
  const { selector } = rule.value;
  const excluded = excludedOperations(rule);
  const renamed = excluded.map((id) => idOf("operation", id));
  if (renamed.every((id, i) => id === excluded[i])) return rule;
  return {
    ...rule,
    value: { ...rule.value, selector: { ...selector, exclude: [{ operation_ids: renamed }] } },
  };
}

/** Terraform stores wishes about positions, not the order. */
function noteOrder(
  assembly: Assembly,
  { rules, unfixedAgainst }: ReturnType<typeof orderRules>,
  zone: string,
): void {
  const [first] = rules;
  if (!first) return;
  derive(
    assembly,
    first.origin,
    "Terraform does not store the order of rules; the world has them by the times of their creation and by `position`.",
  );
  // A rule that is left out is reported as such.
  const deciding = rules
    .filter((rule) => rule.value.enabled !== false && !isUndecided(rule))
    .map((rule) => ({ rule, hosts: new Set(hostsOf(rule)) }));
  for (const [i, earlier] of deciding.entries()) {
    const isUnfixed = unfixedAgainst(earlier.rule);
    const isOpen = (other: SelectingRule) => conflicts(earlier, other) && isUnfixed(other.rule);
    const other = deciding.find((candidate, j) => j > i && isOpen(candidate));
    if (other) leaveOrder(assembly, earlier.rule, other.rule, zone);
  }
}

interface SelectingRule {
  readonly rule: Rule;
  readonly hosts: ReadonlySet<string>;
}

/** Whether the order of two rules can decide an answer. */
function conflicts({ rule, hosts }: SelectingRule, other: SelectingRule): boolean {
  const [left, right] = [rule.value, other.rule.value];
  if (left.action === right.action && left.expression === right.expression) return false;
  for (const host of other.hosts) if (hosts.has(host)) return true;
  return false;
}

function leaveOrder(assembly: Assembly, rule: Rule, other: Rule, zone: string): void {
  const names = [rule, other]
    .map(({ value, origin }) => quote(value.title ?? origin.address ?? ""))
    .join(" and ");
  const hosts = hostsOf(rule).filter((host) => hostsOf(other).includes(host));
  const message = `The order of the rules ${names} is not known: both select ${hosts.slice(0, 3).map(quote).join(", ")}, and the first decides.`;
  const run = `set \`position\` of ${quote(other.origin.address ?? "the second rule")}, or give the saved list of rules`;
  leaveUndecided(assembly, other.origin, { about: "rule", zone, message, run, effect: { hosts } });
}
