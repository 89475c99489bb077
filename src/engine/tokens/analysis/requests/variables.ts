/**
 * All requests, as far as expressions can distinguish them: a variable for each location in a request that an
 * expression compares or a configuration takes its token from, with its alternatives. A location with many
 * comparisons has a variable for each of them instead.
 *
 * A comparison that the analysis does not look into has a variable of its own, which is independent of all others.
 *
 * Some assignments may belong to no request, but every request has an assignment: a statement that holds for all
 * assignments holds for all requests.
 */

import type { Expression, Leaf, TokenTest } from "../../expression/ast.ts";
import type { FieldName } from "../../expression/language/fields.ts";
import { printExpression } from "../../expression/printer.ts";
import { leaves } from "../../expression/references.ts";
import {
  acceptsKey,
  type BoundConfig,
  type BoundConfigs,
  type BoundExpression,
  configOf,
  type TokenKey,
} from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { createStringFinder } from "../strings/lazy-strings.ts";
import { conditionOf, type StringTest, wholeLiteralsOf } from "../strings/string-test.ts";
import {
  type Alternative,
  alternativesOf,
  isNeutralPlaceholder,
  type Location,
  type Restriction,
  restrict,
  stringAlternatives,
} from "./alternatives.ts";
import { type Assignment, createEnumerator, type EagerLocation, type LazyLocation } from "./assignments.ts";
import { type CollectedLocations, collectLocations, type Placement } from "./collect-locations.ts";
import {
  alwaysFalse,
  alwaysTrue,
  createDiagramManager,
  type DecisionDiagram,
  type DiagramManager,
} from "./decision-diagram.ts";
import { type FieldValues, type LocationField, locationKey, valuesOfField } from "./location.ts";
import { createPlaceholders } from "./placeholder-token.ts";
import { restrictionOfUri } from "./uri.ts";

/**
 * The maximum number of comparisons at one location, each with a DFA of its own, whose results are enumerated in all
 * combinations: the number of combinations grows exponentially.
 */
const maxEagerComparisons = 4;

/** Restrictions that all requests under consideration meet, by field name. */
export type Assumptions = Partial<Record<FieldName, Restriction>>;

/** The variables that some expressions need. */
export interface RequestVariables {
  readonly locations: readonly Location[];
  readonly assumptions: Assumptions;
  readonly diagrams: DiagramManager;
  /** The assignments for which an expression is true; it must be one of the expressions given, or a part of one. */
  diagramOf(expression: Expression, configs: BoundConfigs): DecisionDiagram;
  /** The assignments that make a function true. */
  assignments(wanted: DecisionDiagram): Generator<Assignment>;
  /** The same without assignments with a value at an eager location that no client can send. */
  sendableAssignments(wanted: DecisionDiagram): Generator<Assignment>;
  /** Whether no assignment makes a function true. */
  isUnsatisfiable(diagram: DecisionDiagram): boolean;
  readonly configs: readonly BoundConfig[];
  /** The comparisons that the analysis does not look into, in printed form. */
  readonly undecidedTests: readonly string[];
  placeholderFor(key: TokenKey): string;
  /** The assignments whose alternative at one of the further locations has a result. */
  answerAt(key: string, test: number): DecisionDiagram;
  /** The assignments whose token of a configuration is valid, from a location for which a function is true. */
  whereValid(config: BoundConfig, at: (locationKey: string) => DecisionDiagram): DecisionDiagram;
  /** The keys of the further locations that a function depends on. */
  locationsOf(diagram: DecisionDiagram): ReadonlySet<string>;
}

/** A location that no token rule reads: with a variable for all of its alternatives, or strings as elsewhere. */
export type FurtherLocation = { readonly key: string } & (
  | { readonly alternatives: readonly Alternative[] }
  | { readonly comparisons: readonly StringTest[]; readonly values: FieldValues }
);

/** Creates the variables that some expressions need. */
export function createRequestVariables(
  expressions: readonly BoundExpression[],
  assumptions: Assumptions,
  meter: Meter,
  further: readonly FurtherLocation[] = [],
  order: readonly VariableUse[] = [],
): RequestVariables {
  const collected = collectLocations(expressions);
  const { locations } = collected;
  const placeholderFor = createPlaceholders((placeholder) => isNeutralPlaceholder(locations, placeholder));
  const diagrams = createDiagramManager(meter);
  const tests = undecidedTests(expressions, collected);
  const allocated = allocate(collected, tests, assumptions, further, placeholderFor, meter);
  const allocation = { diagrams, collected, ...inOrder(allocated, collected, order) };
  const possible = possibleRequests(allocation, locations);
  const sendable = sendableRequests(allocation);
  const enumerate = createEnumerator(
    diagrams,
    [...allocation.eager.values()],
    [...allocation.lazy.values()],
    meter,
  );
  const assignments = (wanted: DecisionDiagram) => enumerate(diagrams.combine("and", wanted, possible));
  return {
    locations,
    assumptions,
    diagrams,
    diagramOf: createTranslator(allocation),
    assignments,
    sendableAssignments: (wanted) => assignments(diagrams.combine("and", wanted, sendable)),
    isUnsatisfiable: (diagram) => assignments(diagram).next().done === true,
    configs: [...new Set(locations.flatMap(({ configs }) => configs))],
    undecidedTests: [...allocation.free.keys()],
    placeholderFor,
    answerAt: (key, test) => whereAnswer(allocation, key, test),
    whereValid: (config, at) => tokenDiagram(allocation, "is_jwt_valid", config, at),
    locationsOf: (diagram) => {
      const used = diagrams.variablesOf(diagram);
      return new Set(
        further.flatMap(({ key }) => (variablesOf(allocation, key).some((one) => used.has(one)) ? key : [])),
      );
    },
  };
}

/** The variables of a location. */
function variablesOf({ eager, lazy }: Allocation, key: string): number[] {
  const one = eager.get(key);
  if (one !== undefined) return [one.variable];
  return [...(lazy.get(key)?.variables ?? [])];
}

/** Variables and their meaning. */
interface Allocation {
  readonly diagrams: DiagramManager;
  /** By location key. */
  readonly eager: ReadonlyMap<string, EagerLocation>;
  readonly lazy: ReadonlyMap<string, LazyLocation>;
  /** The variables of comparisons that the analysis does not look into, by their printed form. */
  readonly free: ReadonlyMap<string, number>;
  readonly collected: CollectedLocations;
}

/** Where a variable is used: by a comparison, at a location, or by a test at a further location. */
export type VariableUse =
  | { readonly leaf: Exclude<Leaf, TokenTest> }
  | { readonly location: string; readonly test?: number };

/**
 * Numbers the variables again, in the order of their first use: diagrams are small when what is combined is near. Those
 * that are not used come last.
 */
function inOrder(
  allocated: Pick<Allocation, "eager" | "lazy" | "free">,
  collected: CollectedLocations,
  order: readonly VariableUse[],
): Pick<Allocation, "eager" | "lazy" | "free"> {
  if (order.length === 0) return allocated;
  const { eager, lazy, free } = allocated;
  const numbers = new Map<number, number>();
  const use = (variable: number | undefined) => {
    if (variable !== undefined && !numbers.has(variable)) numbers.set(variable, numbers.size);
  };
  const useAt = (key: string, test: number | undefined) => {
    use(eager.get(key)?.variable);
    use(lazy.get(key)?.presenceVariable);
    if (test !== undefined) use(lazy.get(key)?.variables[test]);
  };
  for (const one of order) {
    if ("location" in one) useAt(one.location, one.test);
    else {
      const placement = collected.placementOf(one.leaf);
      if (placement === undefined) use(free.get(printExpression(one.leaf)));
      for (const key of placement?.keys ?? [])
        useAt(key, collected.indexOf(key, placement?.comparison ?? ""));
    }
  }
  for (const { variable } of eager.values()) use(variable);
  for (const { presenceVariable, variables } of lazy.values())
    for (const variable of [presenceVariable, ...variables]) use(variable);
  for (const variable of free.values()) use(variable);
  const numberOf = (variable: number) => numbers.get(variable) ?? variable;
  return {
    eager: mapValues(eager, (one) => ({ ...one, variable: numberOf(one.variable) })),
    lazy: mapValues(lazy, ({ presenceVariable, ...one }) => ({
      ...one,
      ...(presenceVariable !== undefined && { presenceVariable: numberOf(presenceVariable) }),
      variables: one.variables.map(numberOf),
    })),
    free: mapValues(free, numberOf),
  };
}

function mapValues<V, W>(map: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

/** Gives each location its variables, in the order of the locations. */
function allocate(
  { locations }: CollectedLocations,
  tests: readonly string[],
  assumptions: Assumptions,
  further: readonly FurtherLocation[],
  placeholderFor: (key: TokenKey) => string,
  meter: Meter,
): Pick<Allocation, "eager" | "lazy" | "free"> {
  const eager = new Map<string, EagerLocation>();
  const lazy = new Map<string, LazyLocation>();
  let next = 0;
  for (const location of locations) {
    const key = locationKey(location.field);
    const restriction = restrictionOf(location.field, assumptions);
    if (isLazy(location, restriction)) {
      const allocated = lazyLocation(location, restriction, next, meter);
      lazy.set(key, allocated);
      next = (allocated.presenceVariable ?? next - 1) + 1 + location.comparisons.length;
    } else {
      const alternatives = alternativesOf(location, restriction, placeholderFor, meter);
      eager.set(key, { key, variable: next++, alternatives });
    }
  }
  for (const location of further) {
    const { key } = location;
    if ("alternatives" in location) {
      eager.set(key, { key, variable: next++, alternatives: location.alternatives });
    } else if (hasManyDfas(location.comparisons)) {
      lazy.set(key, lazyStrings(location, next, meter));
      next += location.comparisons.length;
    } else {
      const alternatives = stringAlternatives(location, location.values, [], meter);
      eager.set(key, { key, variable: next++, alternatives });
    }
  }
  return { eager, lazy, free: new Map(tests.map((test) => [test, next++])) };
}

function restrictionOf(field: LocationField, assumptions: Assumptions): Restriction {
  if (field.name === "http.request.uri.query") return {};
  if (field.name === "http.request.uri") return restrictionOfUri(assumptions["http.request.uri.path"] ?? {});
  return assumptions[field.name] ?? {};
}

/** The comparisons that the analysis does not look into, in printed form. */
function undecidedTests(expressions: readonly BoundExpression[], collected: CollectedLocations): string[] {
  const all = expressions.flatMap(({ expression }) => leaves(expression));
  const undecided = all.filter((leaf) => leaf.kind !== "token" && collected.placementOf(leaf) === undefined);
  return [...new Set(undecided.map(printExpression))];
}

/** Locations of token sources are always eager: there are few, and all alternatives of a token are needed. */
function isLazy({ comparisons, configs }: Location, { values }: Restriction): boolean {
  return values === undefined && configs.length === 0 && hasManyDfas(comparisons);
}

function hasManyDfas(comparisons: readonly StringTest[]): boolean {
  const withDfa = comparisons.map(conditionOf).filter((condition) => {
    return condition.integer === undefined && wholeLiteralsOf(condition) === undefined;
  });
  return withDfa.length > maxEagerComparisons;
}

/** A location that always has a string. */
function lazyStrings(
  { key, comparisons, values }: Extract<FurtherLocation, { values: FieldValues }>,
  first: number,
  meter: Meter,
): LazyLocation {
  const variables = Array.from(comparisons, (_, i) => first + i);
  return { key, comparisons, variables, find: createStringFinder(comparisons, values, [], meter) };
}

function lazyLocation(
  { field, comparisons }: Location,
  restriction: Restriction,
  next: number,
  meter: Meter,
): LazyLocation {
  const values = restrict(valuesOfField(field), restriction);
  const find = createStringFinder(comparisons, values, restriction.excluded ?? [], meter);
  const location = { key: locationKey(field), comparisons, find };
  const variablesFrom = (first: number) => Array.from(comparisons, (_, i) => first + i);
  return values.optional
    ? { ...location, presenceVariable: next, variables: variablesFrom(next + 1) }
    : { ...location, variables: variablesFrom(next) };
}

/** The assignments whose alternative at an eager location passes a test. */
function whereAlternative(
  { diagrams, eager }: Allocation,
  key: string,
  test: (alternative: Alternative) => boolean,
): DecisionDiagram {
  const location = eager.get(key);
  if (location === undefined) return alwaysFalse;
  return diagrams.testVariable(location.variable, location.alternatives.map(test));
}

/** The assignments with a value at a location. */
function wherePresent(allocation: Allocation, key: string): DecisionDiagram {
  const location = allocation.lazy.get(key);
  if (location === undefined) return whereAlternative(allocation, key, ({ value }) => value !== undefined);
  if (location.presenceVariable === undefined) return alwaysTrue;
  return allocation.diagrams.testVariable(location.presenceVariable, [false, true]);
}

function comparisonDiagram(allocation: Allocation, leaf: Exclude<Leaf, TokenTest>): DecisionDiagram {
  const { diagrams, collected, free } = allocation;
  const placement = collected.placementOf(leaf);
  if (placement === undefined) {
    // Any result, whatever the rest of the request is.
    const variable = free.get(printExpression(leaf));
    return variable === undefined ? alwaysFalse : diagrams.testVariable(variable, [false, true]);
  }
  return placedDiagram(allocation, placement);
}

function placedDiagram(allocation: Allocation, { keys, comparison, quantifier }: Placement): DecisionDiagram {
  const { diagrams } = allocation;
  const holds = keys.map((key) => whereHolds(allocation, key, comparison));
  if (quantifier === undefined) return holds[0] ?? alwaysFalse;
  if (quantifier === "any")
    return holds.reduceRight((rest, one) => diagrams.combine("or", one, rest), alwaysFalse);
  const orAbsent = holds.map((one, i) => {
    const isAbsent = diagrams.not(wherePresent(allocation, keys[i] ?? ""));
    return diagrams.combine("or", isAbsent, one);
  });
  return conjunctionOf(diagrams, orAbsent);
}

/** The assignments for which a comparison at a location holds. */
function whereHolds(allocation: Allocation, key: string, comparison: string): DecisionDiagram {
  return whereAnswer(allocation, key, allocation.collected.indexOf(key, comparison));
}

function whereAnswer(allocation: Allocation, key: string, index: number): DecisionDiagram {
  const lazy = allocation.lazy.get(key);
  if (lazy === undefined) return whereAlternative(allocation, key, ({ answers }) => answers[index] === true);
  return allocation.diagrams.testVariable(lazy.variables[index] ?? 0, [false, true]);
}

/** The first source that yields a token decides, so the sources are combined from the last one to the first. */
function tokenDiagram(
  allocation: Allocation,
  test: TokenTest["test"],
  config: BoundConfig,
  at: (locationKey: string) => DecisionDiagram = () => alwaysTrue,
): DecisionDiagram {
  const { diagrams } = allocation;
  const passes = ({ key }: Alternative) =>
    test === "is_jwt_present" || (key !== undefined && acceptsKey(config, key));
  return config.sources.reduceRight((rest, source) => {
    const key = locationKey(source);
    const yielding = whereAlternative(allocation, key, (alternative) => {
      return alternative.yieldsToken && passes(alternative);
    });
    const passing = diagrams.combine("and", yielding, at(key));
    const empty = whereAlternative(allocation, key, ({ yieldsToken }) => !yieldsToken);
    return diagrams.combine("or", passing, diagrams.combine("and", empty, rest));
  }, alwaysFalse);
}

/** Creates the function from expressions to diagrams; those of leaves are cached. */
function createTranslator(allocation: Allocation): RequestVariables["diagramOf"] {
  const { diagrams } = allocation;
  const cache = new Map<Leaf, Map<BoundConfigs, DecisionDiagram>>();

  function leafDiagram(leaf: Leaf, configs: BoundConfigs): DecisionDiagram {
    const cached = cache.get(leaf) ?? new Map<BoundConfigs, DecisionDiagram>();
    cache.set(leaf, cached);
    const diagram = cached.get(configs) ?? createLeafDiagram(leaf, configs);
    cached.set(configs, diagram);
    return diagram;
  }

  function createLeafDiagram(leaf: Leaf, configs: BoundConfigs): DecisionDiagram {
    if (leaf.kind !== "token") return comparisonDiagram(allocation, leaf);
    return tokenDiagram(allocation, leaf.test, configOf(leaf, configs));
  }

  function diagramOf(expression: Expression, configs: BoundConfigs): DecisionDiagram {
    if (expression.kind === "not") return diagrams.not(diagramOf(expression.operand, configs));
    if (expression.kind !== "combination") return leafDiagram(expression, configs);
    const { operator, operands } = expression;
    return operands
      .map((operand) => diagramOf(operand, configs))
      .reduce((left, right) => diagrams.combine(operator, left, right));
  }

  return diagramOf;
}

/** Excludes comparisons that hold at empty locations, and list entries without the one before. */
function possibleRequests(allocation: Allocation, locations: readonly Location[]): DecisionDiagram {
  const { diagrams, lazy } = allocation;
  const onlyPresent = [...lazy.values()].flatMap(({ key, variables }) => {
    const present = wherePresent(allocation, key);
    if (present === alwaysTrue) return [];
    return variables.map((variable) =>
      diagrams.combine("or", present, diagrams.testVariable(variable, [true, false])),
    );
  });
  const inOrder = repetitions(locations).map(([earlier, later]) =>
    diagrams.combine("or", wherePresent(allocation, earlier), diagrams.not(wherePresent(allocation, later))),
  );
  return conjunctionOf(diagrams, [...onlyPresent, ...inOrder]);
}

/** Excludes alternatives of eager locations that no client can send. */
function sendableRequests(allocation: Allocation): DecisionDiagram {
  const sendable = [...allocation.eager.keys()].map((key) =>
    whereAlternative(allocation, key, (alternative) => alternative.sendable),
  );
  return conjunctionOf(allocation.diagrams, sendable);
}

function conjunctionOf(diagrams: DiagramManager, operands: readonly DecisionDiagram[]): DecisionDiagram {
  return operands.reduceRight((rest, operand) => diagrams.combine("and", operand, rest), alwaysTrue);
}

/** Pairs of neighboring entries of one list of values: the later entry needs the earlier one. */
function repetitions(locations: readonly Location[]): [earlier: string, later: string][] {
  const lists = new Map<string, { key: string; index: number }[]>();
  for (const { field } of locations) {
    if (!("key" in field)) continue;
    const listKey = locationKey({ ...field, index: 0 });
    const list = lists.get(listKey) ?? [];
    lists.set(listKey, list);
    list.push({ key: locationKey(field), index: field.index });
  }
  return [...lists.values()].flatMap((list) => {
    const keys = list.sort((a, b) => a.index - b.index).map(({ key }) => key);
    const laterKeys = keys.slice(1);
    return keys.slice(0, -1).map((earlier, i): [string, string] => [earlier, laterKeys[i] ?? earlier]);
  });
}
