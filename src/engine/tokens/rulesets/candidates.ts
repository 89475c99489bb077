/**
 * The steps that a request can match, by the values of its fields: most expressions are false unless some field has a
 * value or a part, so that a zone with many rules evaluates few.
 */

import type { Read } from "../expression/compile-value.ts";
import type { Condition, Key } from "../expression/keys.ts";
import { missing, unknown } from "../expression/language/types.ts";
import type { RequestValues } from "../expression/values/request-values.ts";
import { createKeyIndex, type KeyIndex } from "./key-index.ts";
import type { Program } from "./program.ts";

/** Finds the steps for a request, ascending. The expressions of all others are false. */
export type FindCandidates = (values: RequestValues) => readonly number[];

/** The keys on one value. */
interface Field {
  readonly read: Read;
  readonly index: KeyIndex;
  /** All steps with a key on the value: any may match when it is unknown. */
  readonly all: readonly number[];
}

/** Compiles the index of a program. */
export function indexCandidates<E extends { readonly condition: Condition | undefined }>({
  steps,
}: Program<E>): FindCandidates {
  const conditions = steps.map(({ expression, rule }) => {
    // An `execute` that does not match skips the steps of its ruleset.
    return rule.action === "execute" ? undefined : expression?.condition;
  });
  const frequencies = countKeys(conditions);
  const chosen = conditions.map((condition) => condition && choose(condition, frequencies));
  const always = [...steps.keys()].filter((i) => chosen[i] === undefined && isRelevant(steps[i]));
  const fields = createFields(chosen.map((keys, i) => (isRelevant(steps[i]) ? (keys ?? []) : [])));
  return (values) => {
    const found: number[] = [];
    const add = (positions: readonly number[]) => {
      for (const position of positions) found.push(position);
    };
    for (const { read, index, all } of fields) {
      const value = read(values);
      if (value === unknown) add(all);
      else if (value !== missing) index.find(value, add);
    }
    return found.length === 0 ? always : merge(always, found);
  };
}

/** A disabled rule matters only when it executes a ruleset, whose steps it skips. */
function isRelevant(step: Program<unknown>["steps"][number] | undefined): boolean {
  return step !== undefined && (step.enabled || step.rule.action === "execute");
}

type Frequencies = ReadonlyMap<Read, ReadonlyMap<string, number>>;

const nameOf = ({ kind, operand }: Key) => `${kind} ${typeof operand} ${String(operand)}`;

/** The number of steps with each key. */
function countKeys(conditions: readonly (Condition | undefined)[]): Frequencies {
  const counts = new Map<Read, Map<string, number>>();
  for (const condition of conditions) {
    for (const key of condition === undefined ? [] : keysOf(condition)) {
      const ofValue = counts.get(key.read) ?? new Map<string, number>();
      ofValue.set(nameOf(key), (ofValue.get(nameOf(key)) ?? 0) + 1);
      counts.set(key.read, ofValue);
    }
  }
  return counts;
}

function keysOf(condition: Condition): Key[] {
  return "of" in condition ? condition.of.flatMap(keysOf) : [condition];
}

/** The keys of which one must hold: of conditions that must all hold, those that the fewest steps have. */
function choose(condition: Condition, frequencies: Frequencies): readonly Key[] {
  if (!("of" in condition)) return [condition];
  const choices = condition.of.map((operand) => choose(operand, frequencies));
  if (condition.kind === "some") return choices.flat();
  const weights = choices.map((keys) =>
    keys.reduce((sum, key) => sum + (frequencies.get(key.read)?.get(nameOf(key)) ?? 0), 0),
  );
  return choices[weights.indexOf(Math.min(...weights))] ?? [];
}

function createFields(chosen: readonly (readonly Key[])[]): Field[] {
  const byValue = new Map<Read, { keys: Record<Key["kind"], Map<unknown, number[]>>; all: Set<number> }>();
  for (const [position, keys] of chosen.entries()) {
    for (const { read, kind, operand } of keys) {
      const empty = { equal: new Map(), contains: new Map(), starts: new Map() };
      const field = byValue.get(read) ?? { keys: empty, all: new Set<number>() };
      byValue.set(read, field);
      const positions = field.keys[kind].get(operand) ?? [];
      if (positions.at(-1) !== position) positions.push(position);
      field.keys[kind].set(operand, positions);
      field.all.add(position);
    }
  }
  return Array.from(byValue, ([read, { keys, all }]) => {
    const { equal, starts, contains } = keys;
    const index = createKeyIndex({
      equal,
      starts: starts as Map<string, number[]>,
      contains: contains as Map<string, number[]>,
    });
    return { read, index, all: [...all] };
  });
}

/** Both lists, ascending, each position once. */
function merge(always: readonly number[], found: number[]): readonly number[] {
  found.sort((a, b) => a - b);
  const merged: number[] = [];
  let next = 0;
  for (const position of found) {
    while (next < always.length && (always[next] as number) < position) merged.push(always[next++] as number);
    if (merged.at(-1) !== position) merged.push(position);
  }
  while (next < always.length) merged.push(always[next++] as number);
  return merged;
}
