/** The rules of each mutant in each class of requests that it can change. */

import { evaluatedRules } from "../../analysis/action-diagrams.ts";
import { comparesPath } from "../../analysis/requests/partition.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadRule } from "../../zone/zone-input.ts";
import { rulesOfMutant, type ZoneClass } from "../zone-classes.ts";
import type { Mutant } from "./mutant.ts";

/** A mutant with its rules in one class. */
export interface MutantInClass {
  readonly mutant: Mutant;
  /** The rules that cover the class, in order. */
  readonly rules: readonly ReadRule[];
}

/** A class with the rules of the zone and of a mutant that are evaluated there. */
export interface ClassOfMutant {
  readonly zoneClass: ZoneClass;
  readonly original: readonly ReadRule[];
  readonly mutated: readonly ReadRule[];
}

/** Finds the rules of mutants. */
export interface MutantRules {
  /** The mutants whose rules in a class are others than those of the zone. */
  mutantsIn(zoneClass: ZoneClass): readonly MutantInClass[];
  /** The classes that a mutant can change; of those that only differ in their operation the first. */
  classesOf(mutant: Mutant, classes: readonly ZoneClass[]): readonly ClassOfMutant[];
}

/** Creates the finder; the rules of a class are found once. */
export function createMutantRules(mutants: readonly Mutant[], precedence: Precedence): MutantRules {
  const prepared = mutants.map(prepare);
  const byClass = new WeakMap<ZoneClass, readonly MutantInClass[]>();
  const inClass = (zoneClass: ZoneClass, one: PreparedMutant): MutantInClass | undefined => {
    const rules = one.rulesIn(zoneClass);
    if (rules === undefined) return undefined;
    const [left, right] = [zoneClass.rules, rules].map((list) => evaluatedRules(list, precedence));
    return isSameList(left ?? [], right ?? []) ? undefined : { mutant: one.mutant, rules };
  };
  const byMutant = new Map(prepared.map((one) => [one.mutant, one]));
  return {
    mutantsIn: (zoneClass) => {
      const known = byClass.get(zoneClass) ?? prepared.flatMap((one) => inClass(zoneClass, one) ?? []);
      byClass.set(zoneClass, known);
      return known;
    },
    classesOf: (mutant, classes) => {
      const one = byMutant.get(mutant);
      if (one === undefined) return [];
      const found = new Map<string, ClassOfMutant>();
      for (const [i, zoneClass] of classes.entries()) {
        const rules = inClass(zoneClass, one)?.rules;
        if (rules === undefined) continue;
        const original = evaluatedRules(zoneClass.rules, precedence);
        const mutated = evaluatedRules(rules, precedence);
        const key = keyOf(zoneClass, original, mutated, i);
        if (!found.has(key)) found.set(key, { zoneClass, original, mutated });
      }
      return [...found.values()];
    },
  };
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

interface PreparedMutant {
  readonly mutant: Mutant;
  /** Undefined when the mutant does not touch a rule of the class. */
  rulesIn(zoneClass: ZoneClass): readonly ReadRule[] | undefined;
}

function prepare(mutant: Mutant): PreparedMutant {
  const ids = new Set(mutant.touched);
  const touched = mutant.rules.filter(({ rule }) => ids.has(rule.id));
  const positions = new Map(mutant.rules.map(({ rule }, i) => [rule.id, i]));
  const hosts = new Set(touched.flatMap((rule) => rule.hosts));
  return {
    mutant,
    rulesIn: (zoneClass) => {
      const { host, matching } = zoneClass.hosts;
      const isNear =
        (host !== undefined && hosts.has(host)) ||
        [...matching].some((one) => hosts.has(one)) ||
        zoneClass.rules.some(({ rule }) => ids.has(rule.id));
      return isNear ? rulesOfMutant(zoneClass, touched, positions) : undefined;
    },
  };
}

function isSameList(left: readonly ReadRule[], right: readonly ReadRule[]): boolean {
  return left.length === right.length && left.every((rule, i) => rule === right[i]);
}
