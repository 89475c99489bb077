/** The rules of a ruleset after a change: all of them, or one that is added, edited or removed (`observed`). */

import { isJsonObject } from "../../../core/json-value.ts";
import { movePosition } from "../../../engine/tokens/zone/rule-order.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";
import type { GivenRule, RuleEdit } from "../../../schemas/rulesets.ts";
import type { CustomRuleRecord } from "../../../store/records/rulesets.ts";
import { genericCodes, type Notes, notFound, prefixPointers } from "../../context.ts";
import { nextVersion } from "./stored-rulesets.ts";

/** A rule after the change. */
export interface ChangedRule {
  readonly rule: CustomRuleRecord;
  /** RFC 6901 pointer of the rule in the body; absent for a rule that the body does not have. */
  readonly at?: string;
}

/** The surroundings of a change besides the body: time, new ids, and the lists that collect its reports. */
export interface RuleChanges {
  /** The time of the change. */
  readonly last_updated: string;
  readonly newId: () => string;
  readonly problems: CodedDiagnostic[];
  readonly notes: Notes;
}

const area = "tokens";

/** All rules: each has the id, version and time of the one with its id, else of the one with its `ref`. */
export function replaceRules(
  given: readonly GivenRule[],
  before: readonly CustomRuleRecord[],
  changes: RuleChanges,
): readonly ChangedRule[] {
  const byId = new Map(before.map((rule) => [rule.id, rule]));
  const byRef = new Map(before.map((rule) => [rule.ref, rule]));
  const rules = given.map((rule, i): ChangedRule => {
    const { id, ref } = rule;
    const old = id ? byId.get(id) : ref ? byRef.get(ref) : undefined;
    const at = pointer("rules", i);
    if (id && !old) reject(changes, `${at}/id`, unknownId(id));
    return { rule: changedRule(rule, old, changes), at };
  });
  return withUniqueRefs(rules, changes);
}

/** The rules with a new one at its position, or else after the others. */
export function addRule(
  { position, ...given }: GivenRule & { readonly position?: unknown },
  before: readonly CustomRuleRecord[],
  changes: RuleChanges,
): readonly ChangedRule[] {
  if (given.id) reject(changes, "/id", unknownId(given.id));
  const added = { rule: changedRule(given, undefined, changes), at: "" };
  return withUniqueRefs(placed([...others(before), added], added, position, changes), changes);
}

/**
 * The rules with one of them edited: absent members stay, null removes one. The action and its parameters are one
 * member, which the action begins (`observed`).
 *
 * @throws {ApiError} when there is no such rule
 */
export function editRule(
  id: string,
  { position, ...given }: RuleEdit,
  before: readonly CustomRuleRecord[],
  changes: RuleChanges,
): readonly ChangedRule[] {
  const old = requireRule(id, before);
  if (given.id && given.id !== id)
    reject(changes, "/id", `\`id\` cannot be changed: it is ${quote(id)}; found ${quote(given.id)}.`);
  if (given.action === undefined && (given.action_parameters ?? undefined) !== undefined)
    reject(changes, "/action_parameters", "`action_parameters` need the `action` in the same body.");
  const { version: _, last_updated: __, action_parameters, logging, undecided, ...kept } = old;
  const isSameAction = given.action === undefined || given.action === old.action;
  const isRead = given.action !== undefined || given.expression !== undefined;
  const content: GivenRule = {
    ...kept,
    ...(given.action === undefined && action_parameters && { action_parameters }),
    ...(isSameAction && logging && { logging }),
    ...(!isRead && undecided !== undefined && { undecided }),
    ...given,
    id,
    action: given.action ?? old.action,
    expression: given.expression ?? old.expression,
    ref: given.ref ?? old.ref,
  };
  const edited = { rule: changedRule(content, old, changes), at: "" };
  const rules = others(before).map((changed) => (changed.rule === old ? edited : changed));
  return withUniqueRefs(placed(rules, edited, position, changes), changes);
}

/** The rules without one of them. @throws {ApiError} when there is no such rule */
export function removeRule(id: string, before: readonly CustomRuleRecord[]): readonly ChangedRule[] {
  const removed = requireRule(id, before);
  return others(before.filter((rule) => rule !== removed));
}

/** Rules that the body does not have. */
export function others(rules: readonly CustomRuleRecord[]): ChangedRule[] {
  return rules.map((rule) => ({ rule }));
}

function requireRule(id: string, rules: readonly CustomRuleRecord[]): CustomRuleRecord {
  const found = rules.find((rule) => rule.id === id);
  if (found === undefined) throw notFound(area, "rule", id);
  return found;
}

function unknownId(id: string): string {
  return `The ruleset has no rule ${quote(id)}; a new rule has no \`id\`.`;
}

function reject({ problems }: RuleChanges, at: string, message: string): void {
  problems.push(problem(genericCodes.tokens.invalid, message, at));
}

/** A rule as it is stored; null is read as absent. The version and the time are those before while it is equal. */
function changedRule(
  { version: _, last_updated: __, categories, id: ___, ref, description, enabled, ...rest }: GivenRule,
  old: CustomRuleRecord | undefined,
  { last_updated, newId }: RuleChanges,
): CustomRuleRecord {
  const id = old?.id ?? newId();
  const members = Object.fromEntries(Object.entries(rest).filter(([, value]) => (value ?? null) !== null));
  const texts = { description: description ?? "", enabled: enabled ?? true };
  const content = { id, ref: ref ?? old?.ref ?? id, ...members, ...texts };
  const isSame = old !== undefined && contentOf(old) === contentOf(content);
  const changed = isSame ? old : { version: nextVersion(old?.version), last_updated };
  return { ...content, version: changed.version, last_updated: changed.last_updated } as CustomRuleRecord;
}

/** The members of a rule without its version and time, as text. */
function contentOf(rule: object): string {
  const { version, last_updated, ...content } = rule as Partial<CustomRuleRecord>;
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withUniqueRefs(rules: readonly ChangedRule[], changes: RuleChanges): readonly ChangedRule[] {
  const earlier = new Map<string, ChangedRule>();
  for (const rule of rules) {
    const first = earlier.get(rule.rule.ref);
    const given = first === undefined ? undefined : rule.at === undefined ? first : rule;
    if (given?.at !== undefined)
      reject(changes, `${given.at}/ref`, `Another rule has the \`ref\` ${quote(rule.rule.ref)} already.`);
    earlier.set(rule.rule.ref, rule);
  }
  return rules;
}

/** The rules with one of them at its position; null and absent leave it in place. */
function placed(
  rules: readonly ChangedRule[],
  moved: ChangedRule,
  position: unknown,
  changes: RuleChanges,
): readonly ChangedRule[] {
  if ((position ?? null) === null) return rules;
  const byId = new Map(rules.map((rule) => [rule.rule.id, rule]));
  const found = movePosition([...byId.keys()], moved.rule.id, atAnEnd(position, rules.length));
  const index = isJsonObject(position) ? position["index"] : undefined;
  if (!found.ok) changes.problems.push(...prefixPointers("/position", found.problems));
  else if (typeof index === "number" && (index < 1 || index > rules.length))
    reject(changes, "/position/index", `\`index\` must be from 1 to ${rules.length}; found ${index}.`);
  else {
    changes.notes.push(...prefixPointers("/position", found.value.notes));
    return found.value.order.flatMap((id) => byId.get(id) ?? []);
  }
  return rules;
}

/** The position with an empty neighbor read as all others: before them, or after them (`observed`). */
function atAnEnd(position: unknown, count: number): unknown {
  if (!isJsonObject(position)) return position;
  const { before, after, ...rest } = position;
  const index = before === "" && after === undefined ? 1 : after === "" && before === undefined ? count : 0;
  return index === 0 || rest["index"] !== undefined ? position : { ...rest, index };
}
