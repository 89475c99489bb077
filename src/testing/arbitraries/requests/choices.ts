/** The values that random requests have at each location: of each comparison, one that makes it true and one that does not. */
import {
  type BoundConfig,
  type BoundConfigs,
  bindConfigs,
} from "../../../engine/tokens/analysis/bound-expression.ts";
import type { Meter } from "../../../engine/tokens/analysis/budget.ts";
import { comparisonsOf } from "../../../engine/tokens/analysis/model/model.ts";
import {
  type Alternative,
  absentAlternative,
  alternativesOf,
  isNeutralPlaceholder,
  type Location,
  type Restriction,
} from "../../../engine/tokens/analysis/requests/alternatives.ts";
import {
  isDecidedField,
  locationKey,
  valuesOfField,
} from "../../../engine/tokens/analysis/requests/location.ts";
import { type RequestClass, samplePath } from "../../../engine/tokens/analysis/requests/partition.ts";
import {
  createPlaceholders,
  tokenPrefixes,
} from "../../../engine/tokens/analysis/requests/placeholder-token.ts";
import type { RequestVariables } from "../../../engine/tokens/analysis/requests/variables.ts";
import type { TextComparison } from "../../../engine/tokens/analysis/strings/string-test.ts";
import type { Field } from "../../../engine/tokens/expression/field.ts";
import { normalizePath } from "../../../engine/tokens/zone/path-template.ts";
import type { ReadRule, ReadZone } from "../../../engine/tokens/zone/zone-input.ts";
import type { FastCheck } from "../fast-check.ts";
import { valuesOfTest } from "./function-values.ts";

/** The locations of a zone's requests, and what they can have. */
export interface ZoneChoices {
  readonly configs: BoundConfigs;
  /** As far as the creation of requests needs them. */
  readonly variables: Pick<RequestVariables, "locations" | "configs" | "placeholderFor">;
  /** The values of headers and cookies, by location key. */
  readonly listed: ReadonlyMap<string, readonly Alternative[]>;
  /** The values for comparisons with functions alone, by location key; those of the URI are queries. */
  readonly ofFunctions: ReadonlyMap<string, readonly Alternative[]>;
  /** Segments for the variables of paths. */
  readonly words: readonly string[];
}

/** The location key of paths. */
export const pathKey = "http.request.uri.path";

/** Collects the choices of a zone; `tokens` are added to the values of token sources. */
export function createChoices(
  fc: FastCheck,
  zone: ReadZone,
  tokens: readonly string[],
  meter: Meter,
): ZoneChoices {
  const configs = bindConfigs(zone.configs);
  const tests = functionTestsOf(zone.rules, configs);
  const locations = locationsOf(zone.rules, configs, tests);
  const placeholderFor = createPlaceholders((placeholder) => isNeutralPlaceholder(locations, placeholder));
  const ofFunctions = functionChoices(fc, tests);
  const listed = locations
    .filter(({ field }) => "key" in field)
    .map((location): [string, Alternative[]] => {
      const key = locationKey(location.field);
      const own = separateAlternatives(location, {}, placeholderFor, meter);
      return [key, [...own, ...tokenChoices(location, tokens), ...(ofFunctions.get(key) ?? [])]];
    });
  const variables = { locations, configs: [...configs.values()], placeholderFor };
  return {
    configs,
    variables,
    listed: new Map(listed),
    ofFunctions,
    words: wordsOf(zone.rules, configs, tests),
  };
}

/** The values of a location for each of its comparisons alone: few, however many comparisons there are. */
function separateAlternatives(
  location: Location,
  restriction: Restriction,
  placeholderFor: (key: BoundConfig["keys"][number]) => string,
  meter: Meter,
): Alternative[] {
  const groups = location.comparisons.map((comparison) => [comparison]);
  const all = [[], ...groups].flatMap((comparisons) =>
    alternativesOf({ ...location, comparisons }, restriction, placeholderFor, meter),
  );
  const sendable = all.filter((alternative) => alternative.sendable);
  return [...new Map(sendable.map((alternative) => [alternative.value, alternative])).values()];
}

/** The alternative with a value that the analysis did not choose. */
export function alternativeOf(value: string): Alternative {
  return { value, answers: [], yieldsToken: false, sendable: true };
}

/** The tokens given, a value that is not a token, and an empty one. */
function tokenChoices({ field, configs }: Location, tokens: readonly string[]): Alternative[] {
  if (configs.length === 0 || !("key" in field)) return [];
  const [usual, other] = tokenPrefixes[field.name];
  const spelled = [usual, other].flatMap((prefix) => tokens.map((token) => prefix + token));
  return ["", "nonsense", ...spelled].map(alternativeOf);
}

/** Whether a comparison is of one value, without functions or a regular expression: its values are alternatives of the analysis. */
function isPlain({ field, functions, operator, inner }: TextComparison): boolean {
  const isUri = field.name === "http.request.uri" || field.name === "http.request.uri.query";
  const isCall = operator === "starts_with" || operator === "ends_with";
  return (
    !isUri &&
    !("key" in field && field.index === "*") &&
    functions.length === 0 &&
    inner === undefined &&
    !isCall &&
    operator !== "matches"
  );
}

const comparisonsOfRules = (rules: readonly ReadRule[], configs: BoundConfigs) =>
  comparisonsOf(
    rules.map(({ expression }) => expression),
    configs,
  );

/** The comparisons of some rules that are not plain, each once. */
export function functionTestsOf(rules: readonly ReadRule[], configs: BoundConfigs): TextComparison[] {
  return comparisonsOfRules(rules, configs).filter(
    (comparison) => !isPlain(comparison) && isDecidedField(comparison.field.name),
  );
}

/** The location that a comparison with functions reads; undefined for the URI and its query. */
function fieldOf({ field }: TextComparison): Field | undefined {
  if ("key" in field) return { ...field, index: field.index === "*" ? 0 : field.index };
  return field.name === "http.request.uri" || field.name === "http.request.uri.query" ? undefined : field;
}

/** The key of the choices for a comparison with functions. */
export function keyOfTest(test: TextComparison): string {
  const field = fieldOf(test);
  return locationKey(field ?? { name: "http.request.uri.query" });
}

/** The values of comparisons with functions, by location. */
function functionChoices(fc: FastCheck, tests: readonly TextComparison[]): Map<string, Alternative[]> {
  const choices = new Map<string, Alternative[]>();
  for (const test of tests) {
    const field = fieldOf(test);
    const values = valuesOfTest(fc, test);
    const possible =
      field === undefined ? queriesOf(test, values) : values.filter(valuesOfField(field).isSendable);
    const key = keyOfTest(test);
    const absent = field !== undefined && "key" in field ? [absentAlternative({ comparisons: [] })] : [];
    choices.set(key, [...(choices.get(key) ?? absent), ...possible.map(alternativeOf)]);
  }
  return choices;
}

/** The part after the question mark, or the whole value, or the argument, as a query that is sent unchanged. */
function queriesOf({ inner }: TextComparison, values: readonly string[]): string[] {
  const queries = values.map((value) =>
    inner === undefined || inner === "extension"
      ? value.slice(value.indexOf("?") + 1)
      : `${inner.name}=${value}`,
  );
  return queries.filter((query) => query === "" || new URL(`http://h/?${query}`).search === `?${query}`);
}

/** A location while rules are read; comparisons by their printed form. */
interface CollectedLocation {
  readonly field: Field;
  readonly comparisons: Map<string, TextComparison>;
  readonly configs: BoundConfig[];
}

/** The locations that rules compare, and those of all token sources. */
function locationsOf(
  rules: readonly ReadRule[],
  configs: BoundConfigs,
  tests: readonly TextComparison[],
): Location[] {
  const locations = new Map<string, CollectedLocation>();
  const at = (field: Field) => {
    const key = locationKey(field);
    const location = locations.get(key) ?? {
      field,
      comparisons: new Map<string, TextComparison>(),
      configs: [],
    };
    locations.set(key, location);
    return location;
  };
  for (const config of configs.values()) for (const source of config.sources) at(source).configs.push(config);
  for (const comparison of comparisonsOfRules(rules, configs).filter(isPlain)) {
    const field = fieldOf(comparison);
    if (field !== undefined) at(field).comparisons.set(JSON.stringify(comparison), comparison);
  }
  for (const field of tests.map(fieldOf)) if (field !== undefined) at(field);
  return [...locations.values()].map((location) => ({
    ...location,
    comparisons: [...location.comparisons.values()].map((comparison) => ({ comparison })),
  }));
}

/** The maximum number of segments that are tried for the variables of a path. */
const maxWords = 64;

/** Segments for the variables of paths: those of all strings that paths are compared with, and of the lengths. */
function wordsOf(
  rules: readonly ReadRule[],
  configs: BoundConfigs,
  tests: readonly TextComparison[],
): string[] {
  const plain = comparisonsOfRules(rules, configs)
    .filter((comparison) => isPlain(comparison) && !("key" in comparison.field))
    .flatMap(textsOf);
  const segments = [...plain, ...tests.flatMap(textsOf)].flatMap((text) =>
    text.split(/[/?*^$()|]+/).flatMap((part) => [part, part.toLowerCase()]),
  );
  const usable = segments.filter((segment) => segment !== "" && normalizePath(segment) === segment);
  return ["x", ...new Set(usable.filter((segment) => segment !== "." && segment !== ".."))].slice(
    0,
    maxWords,
  );
}

/** The strings of a comparison with functions, or one of the length that it asks for. */
function textsOf({ operand }: TextComparison): readonly string[] {
  if (typeof operand === "string") return [operand];
  if (typeof operand !== "number") return operand;
  return operand <= 1024 ? ["x".repeat(operand)] : [];
}

/** Paths of a class's operation, with each of the words for its variables. */
export function filledPaths(
  { words }: ZoneChoices,
  { operations: [operation] }: RequestClass,
): readonly Alternative[] {
  return operation ? words.map((word) => alternativeOf(samplePath(operation.segments, word))) : [];
}

/** The methods, hosts and paths of a class, by location key. */
export function targetChoices(
  choices: ZoneChoices,
  requestClass: RequestClass,
  meter: Meter,
): Map<string, Alternative[]> {
  const { variables, ofFunctions } = choices;
  const { assumptions } = requestClass;
  const targets = new Map<string, Alternative[]>();
  for (const name of ["http.request.method", "http.host", pathKey] as const) {
    const compared = variables.locations.find(({ field }) => field.name === name);
    const location = compared ?? { field: { name }, comparisons: [], configs: [] };
    const restriction = assumptions[name] ?? {};
    const own = separateAlternatives(location, restriction, variables.placeholderFor, meter);
    const isFixed = restriction.values !== undefined && name !== pathKey;
    const more = isFixed ? [] : (ofFunctions.get(name) ?? []);
    targets.set(name, [...own, ...more, ...(name === pathKey ? filledPaths(choices, requestClass) : [])]);
  }
  return targets;
}
