/** The alternatives that requests have for one location: sets of values that no comparison can distinguish. */

import { createLruCache } from "../../../../core/lru-cache.ts";
import { createNumbers } from "../../../../core/object-numbers.ts";
import type { BoundConfig, TokenKey } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { findOutputCombinations, type OutputCombination } from "../strings/combine.ts";
import { type ComparisonDfas, comparisonDfas, compileStringTest } from "../strings/comparison-dfas.ts";
import { accepts, type Dfa } from "../strings/dfa.ts";
import { comparisonKey, type StringTest } from "../strings/string-test.ts";
import { compactJwsDfa, tokenPresenceDfa } from "../strings/token-dfas.ts";
import { type FieldValues, type LocationField, locationKey, valuesOfField } from "./location.ts";
import { tokenPrefixes } from "./placeholder-token.ts";
import { hasTypicalAnswers } from "./typical-tokens.ts";

/** All values of a location that have the same results, represented by one of them. */
export interface Alternative {
  /** Undefined when the location has no value. */
  readonly value: string | undefined;
  /** The results of the location's comparisons. */
  readonly answers: readonly boolean[];
  /** Whether a source at this location yields a token. */
  readonly yieldsToken: boolean;
  /** The key that signed the token; absent when the token is not valid for any configuration. */
  readonly key?: TokenKey;
  /** Whether a client can send the value. */
  readonly sendable: boolean;
}

/** A location in a request, with everything that reads it. */
export interface Location {
  readonly field: LocationField;
  readonly comparisons: readonly StringTest[];
  /** The configurations with a token source at this location. */
  readonly configs: readonly BoundConfig[];
}

/** Restricts the values of a location, beyond what holds for its field. */
export interface Restriction {
  /** All possible values. */
  readonly values?: readonly string[];
  /** Values that are not possible. */
  readonly excluded?: readonly string[];
  readonly requiredDfas?: readonly Dfa[];
  readonly preferred?: readonly string[];
  readonly isSendable?: (value: string) => boolean;
}

/** All alternatives of a location, the simplest first. */
export function alternativesOf(
  location: Location,
  restriction: Restriction,
  placeholderFor: (key: TokenKey) => string,
  meter: Meter,
): Alternative[] {
  if (restriction.values !== undefined) return fixedAlternatives(location, restriction.values);
  const values = restrict(valuesOfField(location.field), restriction);
  const absent = values.optional ? [absentAlternative(location)] : [];
  return [
    ...absent,
    ...tokenAlternatives(location, values, placeholderFor, meter),
    ...stringAlternatives(location, values, restriction.excluded ?? [], meter),
  ];
}

/** The maximum number of locations whose alternatives are kept. */
const maxKept = 1_000;

/** {@link alternativesOf}, with its earlier results for equal locations: finding them takes longer than all else. */
export function createAlternativesFinder(): typeof alternativesOf {
  const kept = createLruCache<Alternative[]>(maxKept);
  const configNumber = createNumbers<BoundConfig>();
  const restrictionNumber = createNumbers<Restriction>();
  return (location, restriction, placeholderFor, meter) => {
    const { field, comparisons, configs } = location;
    // The DFA of a part of a string has no key.
    if (comparisons.some(({ comparison }) => comparison.run !== undefined))
      return alternativesOf(location, restriction, placeholderFor, meter);
    const key = JSON.stringify([
      locationKey(field),
      comparisons.map(({ comparison, part }) => [part, comparisonKey(comparison)]),
      configs.map(configNumber),
      distinctKeys(configs).map(placeholderFor),
      restrictionNumber(restriction),
    ]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = alternativesOf(location, restriction, placeholderFor, meter);
    kept.set(key, found);
    return found;
  };
}

/** Adds a restriction to the possible values of a field. */
export function restrict(
  values: FieldValues,
  { requiredDfas = [], preferred = [], isSendable }: Restriction,
): FieldValues {
  return {
    ...values,
    requiredDfas: [...values.requiredDfas, ...requiredDfas],
    preferred: [...preferred, ...values.preferred],
    isSendable: (value) => values.isSendable(value) && (isSendable?.(value) ?? true),
  };
}

/** The alternative of a location without a value. */
export function absentAlternative({ comparisons }: Pick<Location, "comparisons">): Alternative {
  return { value: undefined, answers: comparisons.map(() => false), yieldsToken: false, sendable: true };
}

/** The results of comparisons with one value. */
function answersOf(comparisons: readonly StringTest[]): (value: string) => boolean[] {
  const tests = comparisons.map(compileStringTest);
  return (value) => tests.map((test) => test(value));
}

/** One alternative for all values with the same results. */
function fixedAlternatives({ comparisons }: Location, values: readonly string[]): Alternative[] {
  const read = answersOf(comparisons);
  const alternatives = values.map((value) => {
    return { value, answers: read(value), yieldsToken: false, sendable: true };
  });
  return [
    ...new Map(
      alternatives.toReversed().map((alternative) => [alternative.answers.join(), alternative]),
    ).values(),
  ].toReversed();
}

/** The alternatives of the strings of a location, without tokens and absence. */
export function stringAlternatives(
  { comparisons, configs = [] }: Pick<Location, "comparisons"> & Partial<Pick<Location, "configs">>,
  values: FieldValues,
  excluded: readonly string[],
  meter: Meter,
): Alternative[] {
  const compared = comparisonDfas(comparisons, excluded);
  const source = configs.length > 0 ? [tokenPresenceDfa] : [];
  const product = { ...values, observedDfas: [...compared.dfas, ...source] };
  const alternatives = findOutputCombinations(product, meter)
    .filter(({ outputs }) => compared.markedIndex(outputs) === -1)
    .map((combination) => stringAlternative(combination, compared, source.length > 0));
  const isPossible = (value: string) =>
    values.isSendable(value) &&
    !excluded.includes(value) &&
    values.requiredDfas.every((dfa) => accepts(dfa, value));
  const preferred = values.preferred.filter(isPossible);
  return withPreferredValues(alternatives, comparisons, preferred);
}

function stringAlternative(
  { outputs, value, sendable }: OutputCombination,
  compared: ComparisonDfas,
  isSource: boolean,
): Alternative {
  const yieldsToken = isSource && outputs.at(-1) === 1;
  return { value, answers: compared.answers(outputs), yieldsToken, sendable };
}

/** Replaces values by preferred ones with the same results, and puts those alternatives first. */
function withPreferredValues(
  alternatives: readonly Alternative[],
  comparisons: readonly StringTest[],
  preferred: readonly string[],
): Alternative[] {
  const read = answersOf(comparisons);
  const better = new Map(preferred.toReversed().map((value) => [read(value).join(), value] as const));
  const improved = alternatives.map((alternative) => {
    const value = better.get(alternative.answers.join());
    return value === undefined ? alternative : { ...alternative, value, sendable: true };
  });
  return improved.sort((a, b) => Number(b.sendable) - Number(a.sendable) || rank(a) - rank(b));

  function rank({ value = "" }: Alternative): number {
    const index = preferred.indexOf(value);
    return index === -1 ? preferred.length : index;
  }
}

/** The characters of a token: only letters, digits, `-` and `_` can represent the other units. */
const tokenUnits = "xyzabcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

function tokenAlternatives(
  location: Location,
  values: FieldValues,
  placeholderFor: (key: TokenKey) => string,
  meter: Meter,
): Alternative[] {
  const keys = distinctKeys(location.configs);
  if (keys.length === 0) return [];
  const possible = possibleAnswers(location.comparisons, values, meter);
  return keys.flatMap((key) => {
    const sendable = sendableAnswers(location, values, placeholderFor(key));
    return [...new Set([...sendable.keys(), ...possible.keys()])].map((answers) => ({
      value: sendable.get(answers) ?? placeholderFor(key),
      answers: possible.get(answers) ?? [],
      yieldsToken: true,
      key,
      sendable: sendable.has(answers),
    }));
  });
}

/** One key of those that belong to the same configurations. */
function distinctKeys(configs: readonly BoundConfig[]): TokenKey[] {
  const usages = new Map<string, { key: TokenKey; configs: number[] }>();
  for (const [i, config] of configs.entries()) {
    for (const key of config.keys) {
      const usage = usages.get(key.identity) ?? { key, configs: [] };
      usages.set(key.identity, usage);
      usage.configs.push(i);
    }
  }
  return [...new Map([...usages.values()].map(({ key, configs }) => [configs.join(), key])).values()];
}

/** The results that values with some token can have. */
function possibleAnswers(
  comparisons: readonly StringTest[],
  values: FieldValues,
  meter: Meter,
): Map<string, boolean[]> {
  const { dfas, answers } = comparisonDfas(comparisons);
  const product = {
    ...values,
    observedDfas: dfas,
    requiredDfas: [...values.requiredDfas, compactJwsDfa],
    guideDfas: [],
    fillerUnits: tokenUnits,
  };
  const found = findOutputCombinations(product, meter).map(({ outputs }) => answers(outputs));
  return new Map(found.map((results) => [results.join(), results]));
}

/** The results of the common spellings of a token, each with the first value that has them. */
function sendableAnswers(
  { field, comparisons }: Location,
  values: FieldValues,
  token: string,
): Map<string, string> {
  const read = answersOf(comparisons);
  const prefixes = "key" in field ? tokenPrefixes[field.name] : [];
  const spellings = prefixes
    .filter((prefix) => hasTypicalAnswers(comparisons, prefix, token))
    .map((prefix) => prefix + token)
    .filter(values.isSendable);
  return new Map(spellings.toReversed().map((value) => [read(value).join(), value]));
}

/** Whether the comparisons at some locations have the results of real tokens for a placeholder, as far as they have any. */
export function isNeutralPlaceholder(locations: readonly Location[], placeholder: string): boolean {
  return locations.every(({ field, comparisons, configs }) => {
    if (configs.length === 0 || comparisons.length === 0 || !("key" in field)) return true;
    return tokenPrefixes[field.name].some((prefix) => hasTypicalAnswers(comparisons, prefix, placeholder));
  });
}
