/**
 * The assignments of alternatives to locations that make a function true. At lazy locations an assignment counts only
 * when some string has the required results; conflicts are learned, so that no assignment with them comes again.
 */

import { addTo } from "../../../../core/groups.ts";
import { type Meter, spend } from "../budget.ts";
import type { RequiredAnswers, StringSearchResult } from "../strings/lazy-strings.ts";
import type { StringTest } from "../strings/string-test.ts";
import { type Alternative, absentAlternative } from "./alternatives.ts";
import {
  alwaysTrue,
  type DecisionDiagram,
  type DiagramManager,
  type PartialAssignment,
} from "./decision-diagram.ts";

/** An alternative for each location, by the location's key. */
export interface Assignment {
  readonly alternatives: ReadonlyMap<string, Alternative>;
  /** Whether a client can send every value. */
  readonly sendable: boolean;
}

/** A location whose alternatives are all enumerated beforehand: they are those of one variable. */
export interface EagerLocation {
  readonly key: string;
  readonly variable: number;
  readonly alternatives: readonly Alternative[];
}

/** A location with a variable for each of its comparisons; its values are searched for when needed. */
export interface LazyLocation {
  readonly key: string;
  readonly comparisons: readonly StringTest[];
  /** The variable of whether the location has a value; absent when it always has one. */
  readonly presenceVariable?: number;
  /** The variables of the comparisons. */
  readonly variables: readonly number[];
  find(answers: RequiredAnswers): StringSearchResult;
}

/** A lazy location, and what is known of it without required results. */
interface SearchedLocation extends LazyLocation {
  /** The comparison of each variable. */
  readonly indexes: ReadonlyMap<number, number>;
  readonly absent: Alternative;
  /** A string that need not have any results; searched for at first use. */
  any?: StringSearchResult;
}

interface Enumeration {
  readonly diagrams: DiagramManager;
  readonly eager: readonly EagerLocation[];
  readonly lazy: readonly SearchedLocation[];
  readonly meter: Meter;
  /** The conflicts found so far, by their first variable. A function without their assignments is computed when one comes. */
  readonly learned: Map<number, PartialAssignment[]>;
}

/** Creates a function that enumerates the assignments of a function, the simplest first. */
export function createEnumerator(
  diagrams: DiagramManager,
  eager: readonly EagerLocation[],
  lazy: readonly LazyLocation[],
  meter: Meter,
): (wanted: DecisionDiagram) => Generator<Assignment> {
  const searched = lazy.map((location) => ({
    ...location,
    indexes: new Map(location.variables.map((variable, i) => [variable, i])),
    absent: absentAlternative(location),
  }));
  const enumeration: Enumeration = { diagrams, eager, lazy: searched, meter, learned: new Map() };
  return (wanted) =>
    lazy.length === 0 ? enumerateEager(enumeration, wanted) : enumerateLazy(enumeration, wanted);
}

function* enumerateEager({ diagrams, eager }: Enumeration, wanted: DecisionDiagram): Generator<Assignment> {
  for (const model of diagrams.satisfyingAssignments(wanted)) yield completeAssignment(eager, model, []);
}

function* enumerateLazy(enumeration: Enumeration, wanted: DecisionDiagram): Generator<Assignment> {
  const { diagrams, eager, meter } = enumeration;
  let rest = wanted;
  for (;;) {
    const model = diagrams.firstSatisfyingAssignment(rest);
    if (model === undefined) return;
    spend(meter, model.size);
    const known = conflictsIn(enumeration, model);
    const found = known.length > 0 ? { conflicts: known } : findLazyAlternatives(enumeration, model);
    if ("conflicts" in found) {
      if (known.length === 0) for (const conflict of found.conflicts) learn(enumeration, conflict);
      rest = withoutConflicts(enumeration, rest, found.conflicts);
    } else {
      yield completeAssignment(eager, model, found.alternatives);
      rest = diagrams.combine("and", rest, diagrams.not(conjunction(enumeration, model)));
    }
  }
}

function learn({ learned }: Enumeration, conflict: PartialAssignment): void {
  const [variable = -1] = conflict.keys();
  addTo(learned, variable, conflict);
}

/** The conflicts that an assignment has. */
function conflictsIn({ learned }: Enumeration, model: PartialAssignment): PartialAssignment[] {
  const isIn = (conflict: PartialAssignment) =>
    [...conflict].every(([variable, alternative]) => model.get(variable) === alternative);
  return [-1, ...model.keys()].flatMap((variable) => learned.get(variable)?.filter(isIn) ?? []);
}

function withoutConflicts(
  enumeration: Enumeration,
  wanted: DecisionDiagram,
  conflicts: readonly PartialAssignment[],
): DecisionDiagram {
  const { diagrams } = enumeration;
  return conflicts.reduce(
    (rest, conflict) => diagrams.combine("and", rest, diagrams.not(conjunction(enumeration, conflict))),
    wanted,
  );
}

type LazyAlternatives =
  | { readonly alternatives: readonly (readonly [key: string, Alternative])[] }
  | { readonly conflicts: readonly PartialAssignment[] };

/** Values for the lazy locations, or assignments that are impossible. */
function findLazyAlternatives({ lazy }: Enumeration, model: PartialAssignment): LazyAlternatives {
  const alternatives: (readonly [string, Alternative])[] = [];
  for (const location of lazy) {
    const { key, presenceVariable, absent } = location;
    const answers = requiredAnswers(location, model);
    const isAbsent = presenceVariable !== undefined && model.get(presenceVariable) !== 1;
    if (isAbsent && ![...answers.values()].includes(true)) {
      alternatives.push([key, absent]);
      continue;
    }
    if (answers.size === 0) location.any ??= location.find(answers);
    const found = answers.size === 0 && location.any !== undefined ? location.any : location.find(answers);
    if ("conflicts" in found)
      return { conflicts: found.conflicts.map((conflict) => assignmentOf(location, conflict)) };
    alternatives.push([key, { ...found, answers: [], yieldsToken: false }]);
  }
  return { alternatives };
}

function requiredAnswers({ indexes }: SearchedLocation, model: PartialAssignment): RequiredAnswers {
  const answers = new Map<number, boolean>();
  for (const [variable, answer] of model) {
    const index = indexes.get(variable);
    if (index !== undefined) answers.set(index, answer === 1);
  }
  return answers;
}

function assignmentOf(
  { presenceVariable, variables }: LazyLocation,
  answers: RequiredAnswers,
): PartialAssignment {
  const assignment = new Map<number, number>();
  if (presenceVariable !== undefined) assignment.set(presenceVariable, 1);
  for (const [i, required] of answers) {
    const variable = variables[i];
    if (variable !== undefined) assignment.set(variable, Number(required));
  }
  return assignment;
}

/** True exactly for the assignments that extend a partial one. */
function conjunction({ diagrams, eager }: Enumeration, model: PartialAssignment): DecisionDiagram {
  // From the last variable to the first, so that each step adds a single node.
  const tests = [...model].sort(([a], [b]) => b - a);
  return tests.reduce((rest, [variable, alternative]) => {
    const width = eager.find((location) => location.variable === variable)?.alternatives.length ?? 2;
    const results = Array.from({ length: width }, (_, i) => i === alternative);
    return diagrams.combine("and", diagrams.testVariable(variable, results), rest);
  }, alwaysTrue);
}

/** Adds the alternatives of the eager locations; a location that may have any gets one that can be sent. */
function completeAssignment(
  eager: readonly EagerLocation[],
  model: PartialAssignment,
  lazyAlternatives: readonly (readonly [string, Alternative])[],
): Assignment {
  const alternatives = new Map(lazyAlternatives);
  for (const { key, variable, alternatives: all } of eager) {
    const assigned = model.get(variable);
    const preferred = all.find(({ sendable }) => sendable) ?? all[0];
    const alternative = assigned === undefined ? preferred : all[assigned];
    if (alternative !== undefined) alternatives.set(key, alternative);
  }
  return { alternatives, sendable: [...alternatives.values()].every(({ sendable }) => sendable) };
}
