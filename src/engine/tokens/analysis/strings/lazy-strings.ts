/**
 * Values for a location with so many comparisons that not all combinations of their results can be enumerated: each
 * comparison is a variable of its own, and whether some string has the required results is searched for when needed.
 */

import { type Meter, spend } from "../budget.ts";
import type { FieldValues } from "../requests/location.ts";
import { alphabetOf, traverseProduct } from "./combine.ts";
import { type ComparisonDfa, comparisonDfa, compileStringTest } from "./comparison-dfas.ts";
import { accepts, type Dfa, deadState } from "./dfa.ts";
import type { AffixPieces } from "./operator-dfas.ts";
import {
  conditionOf,
  isPartial,
  literalsOf,
  piecesOf,
  type StringCondition,
  type StringTest,
} from "./string-test.ts";

/** Required results, by the index of the comparison in its list. */
export type RequiredAnswers = ReadonlyMap<number, boolean>;

/** A string with the required results, or sets of results that no string has together. */
export type StringSearchResult = FoundString | { readonly conflicts: readonly RequiredAnswers[] };

interface FoundString {
  readonly value: string;
  /** Whether a client can send it. */
  readonly sendable: boolean;
}

/** States that are searched for a sendable string after one that is not sendable was found. */
const extraStates = 2_000;

/** A comparison of the location. */
interface SearchedTest {
  readonly source: StringTest;
  readonly condition: StringCondition;
  readonly test: (value: string) => boolean;
  /** Built at first use. */
  dfa?: ComparisonDfa;
  /** Some string that the comparison holds for, searched for at first use; undefined when there is none. */
  example?: { readonly value: string | undefined };
}

/** The strings of one location, and the comparisons with them. */
interface StringSearch {
  readonly tests: readonly SearchedTest[];
  readonly values: FieldValues;
  readonly preferred: readonly string[];
  readonly excluded: readonly string[];
  readonly isSendable: (value: string) => boolean;
  readonly meter: Meter;
}

/** A DFA, and the states that a string may end in. */
interface Constraint {
  readonly dfa: Dfa;
  accepts(state: number): boolean;
  /** Whether nothing that follows the dead state is accepted. */
  readonly endsAtDeadState: boolean;
}

/** Creates a function that searches for strings with required results. */
export function createStringFinder(
  comparisons: readonly StringTest[],
  values: FieldValues,
  excluded: readonly string[],
  meter: Meter,
): (answers: RequiredAnswers) => StringSearchResult {
  const isSendable = (value: string) => values.isSendable(value) && !excluded.includes(value);
  const tests = comparisons.map((source) => {
    return { source, condition: conditionOf(source), test: compileStringTest(source) };
  });
  const preferred = values.preferred.filter(isSendable);
  const search = { tests, values, preferred, excluded, isSendable, meter };
  return (answers) =>
    guessString(search, answers) ?? findPairConflicts(search, answers) ?? solve(search, answers);
}

/** The required results that a string does not have. */
function unmetAnswers(
  { tests, meter }: StringSearch,
  value: string,
  answers: RequiredAnswers,
): [number, boolean][] {
  spend(meter, answers.size);
  return [...answers].filter(([i, required]) => tests[i]?.test(value) !== required);
}

/** Tries the preferred strings, and strings put together from the operands of the comparisons that must hold. */
function guessString(search: StringSearch, answers: RequiredAnswers): FoundString | undefined {
  const holding = search.tests.filter((_, i) => answers.get(i) === true);
  const candidates = [...search.preferred, ...candidateStrings(holding.map(({ condition }) => condition))];
  const value = candidates.find(
    (candidate) =>
      unmetAnswers(search, candidate, answers).length === 0 &&
      search.values.requiredDfas.every((dfa) => accepts(dfa, candidate)) &&
      search.isSendable(candidate),
  );
  return value === undefined ? undefined : { value, sendable: true };
}

/** Conflicts of two results: one comparison must hold, and another that holds wherever it does must not. */
function findPairConflicts(search: StringSearch, answers: RequiredAnswers): StringSearchResult | undefined {
  const holding = new Map([...answers].filter(([, required]) => required));
  const guessed = guessString(search, holding);
  if (guessed === undefined) return undefined;
  const conflicts = unmetAnswers(search, guessed.value, answers).flatMap(([violated]) =>
    [...holding.keys()]
      .filter((cause) => impliesComparison(search, cause, violated))
      .map((cause) => implicationConflict(cause, violated)),
  );
  return conflicts.length === 0 ? undefined : { conflicts };
}

/** Whether the comparison with index `cause` never holds without the one with index `effect`. */
function impliesComparison(search: StringSearch, cause: number, effect: number): boolean {
  const [causeTest, other] = [search.tests[cause], search.tests[effect]];
  if (causeTest === undefined || other === undefined) return false;
  const [left, right] = [substringOf(causeTest), substringOf(other)];
  // Two substrings need no search.
  if (left !== undefined && right !== undefined) return left.includes(right);
  causeTest.example ??= { value: findString(search, new Map([[cause, true]]))?.value };
  const { value } = causeTest.example;
  if (value === undefined || !other.test(value)) return false;
  return findString(search, implicationConflict(cause, effect)) === undefined;
}

/** The substring that a test looks for in the whole value as it is. */
function substringOf({ condition }: SearchedTest): string | undefined {
  const { part, functions, operator, operand } = condition;
  const isWhole = part === undefined && functions.length === 0 && !isPartial(condition);
  const isSubstring = operator === "contains" && isWhole;
  return isSubstring && typeof operand === "string" ? operand : undefined;
}

function implicationConflict(cause: number, effect: number): RequiredAnswers {
  return new Map([
    [cause, true],
    [effect, false],
  ]);
}

/** Adds one required result after the other, always one that the string found so far does not have. */
function solve(search: StringSearch, answers: RequiredAnswers): StringSearchResult {
  const active = new Map<number, boolean>();
  for (;;) {
    const found = findString(search, active);
    if (found === undefined) return { conflicts: [minimizeConflict(search, active)] };
    const [next] = unmetAnswers(search, found.value, answers);
    if (next === undefined) return found;
    active.set(...next);
  }
}

function findString(search: StringSearch, answers: RequiredAnswers): FoundString | undefined {
  return guessString(search, answers) ?? findShortestString(search, answers);
}

/** A shortest string with these results; a sendable one when one is near. */
function findShortestString(search: StringSearch, answers: RequiredAnswers): FoundString | undefined {
  const constraints = constraintsOf(search, answers);
  const dfas = [...constraints.map(({ dfa }) => dfa), ...search.values.guideDfas];
  const required = constraints.filter(({ endsAtDeadState }) => endsAtDeadState).length;
  const alphabet = alphabetOf(dfas, search.values.fillerUnits);
  let unsendable: string | undefined;
  let extra = extraStates;
  for (const { states, value } of traverseProduct(dfas, required, alphabet, search.meter)) {
    if (unsendable !== undefined && extra-- === 0) break;
    if (!constraints.every((constraint, i) => constraint.accepts(states[i] ?? deadState))) continue;
    if (search.excluded.includes(value)) continue;
    if (search.isSendable(value)) return { value, sendable: true };
    unsendable ??= value;
  }
  return unsendable === undefined ? undefined : { value: unsendable, sendable: false };
}

/** The constraints of the field and of the required results; those that end at the dead state first. */
function constraintsOf({ tests, values }: StringSearch, answers: RequiredAnswers): Constraint[] {
  const constraints: Constraint[] = values.requiredDfas.map((dfa) => {
    return { dfa, accepts: (state) => dfa.output(state) !== 0, endsAtDeadState: true };
  });
  for (const [i, required] of answers) {
    const test = tests[i];
    if (test === undefined) continue;
    test.dfa ??= comparisonDfa(test.source);
    const { dfa, holds } = test.dfa;
    const accepts = (state: number) => holds(dfa.output(state)) === required;
    constraints.push({ dfa, accepts, endsAtDeadState: !accepts(deadState) });
  }
  return constraints.sort((a, b) => Number(b.endsAtDeadState) - Number(a.endsAtDeadState));
}

/** A minimal part of a conflict, found by adding results until no string has all of them. */
function minimizeConflict(search: StringSearch, conflict: RequiredAnswers): RequiredAnswers {
  const needed = new Map<number, boolean>();
  for (;;) {
    const tried = new Map(needed);
    let last: readonly [number, boolean] | undefined;
    for (const answer of conflict) {
      if (findString(search, tried) === undefined) break;
      tried.set(...answer);
      last = answer;
    }
    if (last === undefined) return needed;
    needed.set(...last);
  }
}

/** Separators to try between the pieces of a candidate. */
const separators = ["", "/"];

/** Strings that all comparisons may hold for: their operands, one after the other. */
function candidateStrings(conditions: readonly StringCondition[]): string[] {
  const literals = conditions.flatMap((condition) => {
    const found = literalsOf(condition);
    return found === undefined || found.isNegated ? [] : found.strings;
  });
  const pieces = conditions.flatMap((condition): AffixPieces[] => {
    const found = piecesOf(condition);
    return found === undefined ? [] : [found];
  });
  const longest = (list: readonly string[]) => list.reduce((a, b) => (b.length > a.length ? b : a), "");
  const first = longest(pieces.map(({ start }) => start));
  const last = longest(pieces.map(({ end }) => end));
  const inner = pieces.flatMap(({ between }) => between);
  return [
    ...literals,
    ...pieces.flatMap(({ start, between, end }) => (between.length === 0 && end === "" ? [start] : [])),
    ...separators.map((separator) => first + [...inner, ""].join(separator) + last),
    ...separators.map((separator) => `/${[...inner, last].join(separator)}`),
  ];
}
