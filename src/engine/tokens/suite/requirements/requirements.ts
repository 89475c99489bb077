/** Requirements of a suite: rules, conditions, tokens, operations and near misses. */

import { quote } from "../../../../errors.ts";
import { evaluatedRules } from "../../analysis/action-diagrams.ts";
import type { BoundConfigs } from "../../analysis/bound-expression.ts";
import { printTree } from "../../expression/printer.ts";
import { leavesOf, tokenTestOf } from "../../expression/tree-queries.ts";
import type { TokenRule } from "../../model.ts";
import { nameWithTitle } from "../../name-with-title.ts";
import type { VerdictAction } from "../../verdict/verdict.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { type SuiteTokenState, suiteTokenStates } from "../suite-token.ts";
import type { ZoneClass } from "../zone-classes.ts";

/** Something that some request of a suite should do. */
export interface Requirement {
  /** Unique in its zone. */
  readonly id: string;
  /** In one clause, for people. */
  readonly description: string;
  /** The rule that must be evaluated; absent when any may. */
  readonly rule?: string;
  /** The part of the rule's expression, in canonical spelling, that must matter. */
  readonly part?: string;
}

/** The state of a configuration's token: absent, or one of the states of tokens. */
export type CheckedState = "missing" | SuiteTokenState;

const checkedStates: readonly CheckedState[] = ["missing", ...suiteTokenStates];

/** The ids of requirements. */
export const requirementIds = {
  fires: (rule: string) => JSON.stringify(["fires", rule]),
  passes: (rule: string) => JSON.stringify(["passes", rule]),
  condition: (rule: string, index: number, value: boolean) =>
    JSON.stringify(["condition", rule, index, value]),
  state: (config: string, state: CheckedState) => JSON.stringify(["state", config, state]),
  source: (config: string, index: number) => JSON.stringify(["source", config, index]),
  operations: (rules: readonly string[]) => JSON.stringify(["operations", rules]),
  outcome: (operation: string, action: VerdictAction, rule: string | undefined) =>
    JSON.stringify(["outcome", operation, action, rule ?? null]),
  nearMiss: (operation: string) => JSON.stringify(["near-miss", operation]),
} as const;

/** The requirements of rules alone: each fires and passes, and each condition decides as true and as false. */
export function ruleRequirements({ rule, expression }: ReadRule): Requirement[] {
  const { id } = rule;
  const named = `rule ${nameWithTitle(rule)}`;
  return [
    { id: requirementIds.fires(id), rule: id, description: `${named} fires` },
    { id: requirementIds.passes(id), rule: id, description: `${named} passes` },
    ...leavesOf(expression).flatMap((leaf, i) =>
      [true, false].map((value) => {
        const part = printTree(leaf);
        const description = `${named}: ${quote(part)} decides as ${value}`;
        return { id: requirementIds.condition(id, i, value), rule: id, part, description };
      }),
    ),
  ];
}

/** The requirements of configurations: each state of a token that is checked, and each source. */
export function tokenRequirements(zone: ReadZone, configs: BoundConfigs): Requirement[] {
  const used = zone.rules
    .filter(({ rule }) => rule.enabled)
    .flatMap(({ expression }) => leavesOf(expression).flatMap((leaf) => tokenTestOf(leaf) ?? []));
  const checked = new Set(used.filter(({ test }) => test === "is_jwt_valid").map(({ configId }) => configId));
  const read = new Set(used.map(({ configId }) => configId));
  return zone.configs.flatMap((config) => {
    const { id, sources } = config;
    const named = `configuration ${nameWithTitle(config)}`;
    const states = checked.has(id) ? checkedStates.filter((state) => isPossible(id, state, configs)) : [];
    return [
      ...states.map((state): Requirement => {
        const description = `${named}: a token that is ${describeState(state)} decides`;
        return { id: requirementIds.state(id, state), description };
      }),
      ...(read.has(id) ? sources : []).map((source, i) => {
        const description = `${named}: a token from \`${source.text}\` decides`;
        return { id: requirementIds.source(id, i), description };
      }),
    ];
  });
}

/** Without keys nothing but a missing or malformed token can be distinguished. */
function isPossible(id: string, state: CheckedState, configs: BoundConfigs): boolean {
  return state === "missing" || state === "malformed" || (configs.get(id)?.keys.length ?? 0) > 0;
}

/** A state in words. */
export function describeState(state: CheckedState): string {
  return state.replaceAll("_", " ");
}

/** The rules that are evaluated in a class identify the operations that are treated alike. */
export function operationsId({ rules }: ZoneClass, precedence: Precedence): string {
  return requirementIds.operations(evaluatedRules(rules, precedence).map(({ rule }) => rule.id));
}

/** One requirement for each list of rules that covers operations. */
export function operationRequirements(classes: readonly ZoneClass[], precedence: Precedence): Requirement[] {
  const found = new Map<string, Requirement>();
  for (const zoneClass of classes) {
    const id = operationsId(zoneClass, precedence);
    const rules = evaluatedRules(zoneClass.rules, precedence).map(({ rule }) => nameWithTitle(rule));
    const description = `an operation that ${rules.length === 0 ? "no enabled rule covers" : `the rules ${rules.join(", ")} cover`}`;
    if (!found.has(id)) found.set(id, { id, description });
  }
  return [...found.values()];
}

/** A request for each operation that just misses it. */
export function nearMissRequirements({ operations = [] }: ReadZone): Requirement[] {
  return operations.map(({ operation: { operation_id: id } }) => {
    const description = `a request that just misses the operation ${quote(id)}`;
    return { id: requirementIds.nearMiss(id), description };
  });
}

/** An action that a rule, or none, takes for some request to an operation. */
export function outcomeRequirement(
  { operation }: ReadOperation,
  action: VerdictAction,
  rule: TokenRule | undefined,
): Requirement {
  const { operation_id: id, method, endpoint } = operation;
  const by = rule === undefined ? "" : ` by rule ${nameWithTitle(rule)}`;
  return {
    id: requirementIds.outcome(id, action, rule?.id),
    description: `the operation ${quote(id)} (${method} ${endpoint}): ${action}${by}`,
  };
}
