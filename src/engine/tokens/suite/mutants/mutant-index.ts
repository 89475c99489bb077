/** Finds the mutants of rules that are others in a class of requests, and the classes that a mutant can change. */

import { addTo } from "../../../../core/groups.ts";
import { evaluatedRules } from "../../analysis/action-diagrams.ts";
import { comparesPath } from "../../analysis/requests/partition.ts";
import type { Expression } from "../../expression/tree.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import type { ZoneClass } from "../zone-classes.ts";
import { type RuleEdit, rulesAfter } from "./change.ts";
import type { Mutant } from "./mutant.ts";

/** A mutant of a rule in one class. */
export interface MutantInClass {
  readonly mutant: Mutant;
  /** The rules that cover the class, in order. */
  readonly rules: readonly ReadRule[];
  /** Present when only the expression of a rule is another one. */
  readonly expression?: { readonly of: ReadRule; readonly changed: Expression };
}

/** A class with the rules of the zone and of a mutant that are evaluated there. */
export interface ClassOfMutant {
  readonly zoneClass: ZoneClass;
  readonly original: readonly ReadRule[];
  readonly mutated: readonly ReadRule[];
}

/** Mutants of rules by class, and classes by mutant. */
export interface MutantIndex {
  /** The mutants whose evaluated rules in a class are others than those of the zone. */
  inClass(zoneClass: ZoneClass): readonly MutantInClass[];
  /** The classes that a mutant can change; of those that only differ in their operation the first. */
  classesOf(mutant: Mutant): readonly ClassOfMutant[];
}

/** Creates the index. */
export function createMutantIndex(
  { rules }: ReadZone,
  mutants: readonly Mutant[],
  classes: readonly ZoneClass[],
  precedence: Precedence,
): MutantIndex {
  const positions = new Map(rules.map((rule, i) => [rule, i]));
  const positionOf = (rule: ReadRule) => positions.get(rule) ?? 0;
  const lists = groupMutants(rules, mutants);
  const byClass = new WeakMap<ZoneClass, readonly MutantInClass[]>();
  const classesByKey = groupClasses(classes, positionOf);
  const classPositions = new Map(classes.map((zoneClass, i) => [zoneClass, i]));

  function inOneClass(zoneClass: ZoneClass, mutant: Mutant): MutantInClass | undefined {
    const { change } = mutant;
    if (change.part !== "rule") return undefined;
    const changed = rulesAfter(zoneClass, change, rules, positionOf);
    if (changed === undefined || isSameList(evaluated(zoneClass.rules), evaluated(changed))) return undefined;
    const expression = changedExpression(rules, change);
    return expression === undefined ? { mutant, rules: changed } : { mutant, rules: changed, expression };
  }

  const evaluated = (list: readonly ReadRule[]) => evaluatedRules(list, precedence);
  return {
    inClass: (zoneClass) => {
      const known =
        byClass.get(zoneClass) ??
        keysOfClass(zoneClass, positionOf)
          .flatMap((key) => lists.get(key) ?? [])
          .flatMap((mutant) => inOneClass(zoneClass, mutant) ?? []);
      byClass.set(zoneClass, known);
      return known;
    },
    classesOf: (mutant) => {
      if (mutant.change.part !== "rule") return [];
      const found = new Map<string, ClassOfMutant>();
      const near = keysOfMutant(rules, mutant.change).flatMap((key) => classesByKey.get(key) ?? []);
      for (const zoneClass of new Set(near)) {
        const inClass = inOneClass(zoneClass, mutant);
        if (inClass === undefined) continue;
        const [original, mutated] = [evaluated(zoneClass.rules), evaluated(inClass.rules)];
        const key = keyOf(zoneClass, original, mutated, classPositions.get(zoneClass) ?? -1);
        if (!found.has(key)) found.set(key, { zoneClass, original, mutated });
      }
      return [...found.values()];
    },
  };
}

/** The rule whose expression alone is changed. */
function changedExpression(rules: readonly ReadRule[], edit: RuleEdit): MutantInClass["expression"] {
  const of = rules[edit.index];
  if (edit.edit !== "replace" || of === undefined) return undefined;
  const { changed } = edit;
  const isOnly =
    changed.expression !== of.expression &&
    changed.hosts === of.hosts &&
    changed.rule.action === of.rule.action &&
    changed.rule.enabled === of.rule.enabled;
  return isOnly ? { of, changed: changed.expression } : undefined;
}

/** The keys under which a mutant is listed: a rule, an operation, or a host that is added. */
function keysOfMutant(rules: readonly ReadRule[], edit: RuleEdit): readonly string[] {
  if (edit.edit === "exclude" || edit.edit === "include") return [`operation ${edit.operation}`];
  const own = rules[edit.index]?.hosts ?? [];
  const added = edit.edit === "replace" ? edit.changed.hosts.filter((host) => !own.includes(host)) : [];
  return added.length > 0 ? added.map((host) => `host ${host}`) : [`rule ${edit.index}`];
}

function keysOfClass(
  { hosts: { host }, operation, rules }: ZoneClass,
  positionOf: (rule: ReadRule) => number,
): readonly string[] {
  const hosts = new Set([host, operation?.host].filter((name) => name !== undefined));
  return [
    ...rules.map((rule) => `rule ${positionOf(rule)}`),
    ...[...hosts].map((name) => `host ${name}`),
    ...(operation === undefined ? [] : [`operation ${operation.operation.operation_id}`]),
  ];
}

function groupMutants(rules: readonly ReadRule[], mutants: readonly Mutant[]): Map<string, Mutant[]> {
  const lists = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    if (mutant.change.part !== "rule") continue;
    for (const key of keysOfMutant(rules, mutant.change)) addTo(lists, key, mutant);
  }
  return lists;
}

function groupClasses(
  classes: readonly ZoneClass[],
  positionOf: (rule: ReadRule) => number,
): Map<string, ZoneClass[]> {
  const lists = new Map<string, ZoneClass[]>();
  for (const zoneClass of classes)
    for (const key of keysOfClass(zoneClass, positionOf)) addTo(lists, key, zoneClass);
  return lists;
}

/** Equal for classes that differ only in paths, where no rule compares paths. */
function keyOf(
  { hosts, operation }: ZoneClass,
  original: readonly ReadRule[],
  mutated: readonly ReadRule[],
  index: number,
): string {
  if ([...original, ...mutated].some(comparesPath)) return String(index);
  const ids = [original, mutated].map((rules) => rules.map(({ rule }) => rule.id));
  return JSON.stringify([hosts.key, operation?.method, operation === undefined && index, ids]);
}

function isSameList(left: readonly ReadRule[], right: readonly ReadRule[]): boolean {
  return left.length === right.length && left.every((rule, i) => rule === right[i]);
}
