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

import { addTo } from "../../../../core/groups.ts";
import type { FieldName } from "../../expression/field.ts";
import type { TokenTestName } from "../../expression/language/functions.ts";
import type { Expression } from "../../expression/tree.ts";
import {
  acceptsKey,
  type BoundConfig,
  type BoundConfigs,
  type BoundExpression,
  type TokenKey,
} from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { type Atom, atomsOf, type Formula, holds } from "../model/formula.ts";
import { createModel, type Model } from "../model/model.ts";
import type { FurtherLocation } from "../model/own-locations.ts";
import { compileStringTest } from "../strings/comparison-dfas.ts";
import { createStringFinder } from "../strings/lazy-strings.ts";
import {
  conditionOf,
  type StringTest,
  type TextComparison,
  wholeLiteralsOf,
} from "../strings/string-test.ts";
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

/** The variables that some formulas need. */
export interface RequestVariables {
  readonly model: Model;
  readonly locations: readonly Location[];
  readonly assumptions: Assumptions;
  readonly diagrams: DiagramManager;
  /** The assignments for which an expression is true; it must be one of the expressions given, or a part of one. */
  diagramOf(expression: Expression, configs: BoundConfigs): DecisionDiagram;
  /** The same for a formula of such an expression. */
  where(formula: Formula): DecisionDiagram;
  /** The assignments that make a function true. */
  assignments(wanted: DecisionDiagram): Generator<Assignment>;
  /** The same without assignments with a value at an eager location that no client can send. */
  sendableAssignments(wanted: DecisionDiagram): Generator<Assignment>;
  /** Whether no assignment makes a function true. */
  isUnsatisfiable(diagram: DecisionDiagram): boolean;
  readonly configs: readonly BoundConfig[];
  /** The parts that the analysis does not look into, in printed form. */
  readonly undecidedTests: readonly string[];
  placeholderFor(key: TokenKey): string;
  /** The keys of the locations of a formula's own that a function depends on. */
  locationsOf(diagram: DecisionDiagram): ReadonlySet<string>;
  /** The value of each atom for one assignment. */
  readerOf(assignment: Assignment): (atom: Atom) => boolean;
}

/** The further inputs of variables. */
export interface FurtherFormulas {
  /** The model of the formulas. */
  readonly model?: Model;
  /** Their variables come in the order in which they are used. */
  readonly formulas?: readonly Formula[];
  /** Configurations whose tokens are asked for. */
  readonly configs?: readonly BoundConfig[];
  /** How the alternatives of locations are found; one that several variables share finds equal ones once. */
  readonly find?: typeof alternativesOf;
}

/** Creates the variables that some expressions need, and formulas of the same model. */
export function createRequestVariables(
  expressions: readonly BoundExpression[],
  assumptions: Assumptions,
  meter: Meter,
  { formulas: others = [], configs: asked = [], find = alternativesOf, ...further }: FurtherFormulas = {},
): RequestVariables {
  const model = further.model ?? createModel(expressions.map(({ expression }) => expression));
  const formulas = expressions.map(({ expression, configs }) => model.formulaOf(expression, { configs }));
  const own = formulas.flatMap(atomsOf);
  // Parts of one string are near each other, or the diagrams are large.
  const hasParts = own.some((atom) => atom.kind === "text" && atom.comparison.run !== undefined);
  const ordered = [...others.flatMap(atomsOf), ...(hasParts ? own : [])];
  const tokens = asked.map((config): Atom => ({ kind: "token", test: "is_jwt_present", config }));
  const constraints = model.claims.constraints();
  const atoms = [...own, ...ordered, ...tokens];
  const collected = collectLocations(atoms);
  const { locations } = collected;
  const placeholderFor = createPlaceholders((placeholder) => isNeutralPlaceholder(locations, placeholder));
  const diagrams = createDiagramManager(meter);
  const tests = unplacedTests(atoms, collected, model);
  const ownLocations = model.own.further(meter);
  const allocated = allocate(
    collected,
    tests,
    assumptions,
    ownLocations,
    (location, restriction) => find(location, restriction, placeholderFor, meter),
    meter,
  );
  const allocation = { diagrams, collected, ...inOrder(allocated, collected, ordered) };
  const where = createTranslator(allocation);
  const possible = diagrams.combine("and", possibleRequests(allocation, locations), where(constraints));
  const sendable = sendableRequests(allocation);
  const enumerate = createEnumerator(
    diagrams,
    [...allocation.eager.values()],
    [...allocation.lazy.values()],
    meter,
  );
  const unsatisfiable = new Map<DecisionDiagram, boolean>();
  const assignments = (wanted: DecisionDiagram) => enumerate(diagrams.combine("and", wanted, possible));
  const unread = [...tests.values(), ...own.flatMap((atom) => unreadText(atom, model))];
  return {
    model,
    locations,
    assumptions,
    diagrams,
    diagramOf: (expression, configs) => where(model.formulaOf(expression, { configs })),
    where,
    assignments,
    sendableAssignments: (wanted) => assignments(diagrams.combine("and", wanted, sendable)),
    isUnsatisfiable: (diagram) => {
      const known = unsatisfiable.get(diagram) ?? assignments(diagram).next().done === true;
      unsatisfiable.set(diagram, known);
      return known;
    },
    configs: [...new Set(locations.flatMap(({ configs }) => configs))],
    undecidedTests: [...new Set(unread)],
    placeholderFor,
    locationsOf: (diagram) => {
      const used = diagrams.variablesOf(diagram);
      return new Set(
        ownLocations.flatMap(({ key }) =>
          variablesOf(allocation, key).some((variable) => used.has(variable)) ? key : [],
        ),
      );
    },
    readerOf: createReaders(allocation),
  };
}

/** The printed form of a part that the analysis does not look into. */
function unreadText(atom: Atom, { unread }: Model): string[] {
  const part = atom.kind === "own" ? unread.get(atom.location) : undefined;
  return part === undefined ? [] : [part.text];
}

/** Reads assignments; the tests of lazy locations are compiled at first use. */
function createReaders({ collected, lazy }: Allocation): RequestVariables["readerOf"] {
  const tests = new Map<StringTest, (value: string) => boolean>();
  const testOf = (test: StringTest) => {
    const compiled = tests.get(test) ?? compileStringTest(test);
    tests.set(test, compiled);
    return compiled;
  };
  return ({ alternatives }) => {
    const answerAt = (key: string, index: number): boolean => {
      const alternative = alternatives.get(key);
      const comparison = lazy.get(key)?.comparisons[index];
      if (comparison === undefined) return alternative?.answers[index] === true;
      return alternative?.value !== undefined && testOf(comparison)(alternative.value);
    };
    const compares = (compared: TextComparison): boolean => {
      const placement = collected.placementOf(compared);
      if (placement === undefined) return false;
      const { keys, comparison, quantifier } = placement;
      const holdsAt = (key: string) => answerAt(key, collected.indexOf(key, comparison));
      if (quantifier !== "all") return keys.some(holdsAt);
      return keys.every((key) => alternatives.get(key)?.value === undefined || holdsAt(key));
    };
    const passes = ({ config, test, claims }: Extract<Atom, { kind: "token" }>): boolean => {
      const source = config.sources.map(locationKey).find((key) => alternatives.get(key)?.yieldsToken);
      if (source === undefined || test === "is_jwt_present") return source !== undefined;
      const signedBy = alternatives.get(source)?.key;
      const condition = claims?.get(source);
      const isValid = signedBy !== undefined && acceptsKey(config, signedBy);
      return isValid && (claims === undefined || (condition !== undefined && holds(condition, isTrue)));
    };
    const isTrue = (atom: Atom): boolean => {
      if (atom.kind === "own") return answerAt(atom.location, atom.test);
      return atom.kind === "text" ? compares(atom.comparison) : passes(atom);
    };
    return isTrue;
  };
}

/** The variables of a location. */
function variablesOf({ eager, lazy }: Allocation, key: string): number[] {
  const location = eager.get(key);
  if (location !== undefined) return [location.variable];
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

/**
 * Numbers the variables again, in the order of their first use: diagrams are small when combined variables are near.
 * Unused variables come last.
 */
function inOrder(
  allocated: Pick<Allocation, "eager" | "lazy" | "free">,
  collected: CollectedLocations,
  order: readonly Atom[],
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
  for (const atom of order) {
    if (atom.kind === "own") useAt(atom.location, atom.test);
    else if (atom.kind === "token")
      for (const source of atom.config.sources) useAt(locationKey(source), undefined);
    else {
      const placement = collected.placementOf(atom.comparison);
      if (placement === undefined) use(free.get(JSON.stringify(atom.comparison)));
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
    eager: mapValues(eager, (location) => ({ ...location, variable: numberOf(location.variable) })),
    lazy: mapValues(lazy, ({ presenceVariable, ...location }) => ({
      ...location,
      ...(presenceVariable !== undefined && { presenceVariable: numberOf(presenceVariable) }),
      variables: location.variables.map(numberOf),
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
  tests: ReadonlyMap<string, string>,
  assumptions: Assumptions,
  further: readonly FurtherLocation[],
  find: (location: Location, restriction: Restriction) => readonly Alternative[],
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
      const alternatives = find(location, restriction);
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
  return { eager, lazy, free: new Map([...tests.keys()].map((key) => [key, next++])) };
}

/** No restriction. */
const unrestricted: Restriction = {};

function restrictionOf(field: LocationField, assumptions: Assumptions): Restriction {
  if (field.name === "http.request.uri.query") return unrestricted;
  if (field.name === "http.request.uri") return restrictionOfUri(assumptions["http.request.uri.path"] ?? {});
  return assumptions[field.name] ?? unrestricted;
}

/** The comparisons without a location, in printed form by their keys: lists are compared in too many ways. */
function unplacedTests(
  atoms: readonly Atom[],
  collected: CollectedLocations,
  model: Model,
): Map<string, string> {
  return new Map(
    atoms.flatMap((atom) =>
      atom.kind === "text" && collected.placementOf(atom.comparison) === undefined
        ? [[JSON.stringify(atom.comparison), model.textOf(atom)] as const]
        : [],
    ),
  );
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

function comparisonDiagram(allocation: Allocation, comparison: TextComparison): DecisionDiagram {
  const { diagrams, collected, free } = allocation;
  const placement = collected.placementOf(comparison);
  if (placement !== undefined) return placedDiagram(allocation, placement);
  // Any result, whatever the rest of the request is.
  const variable = free.get(JSON.stringify(comparison));
  return variable === undefined ? alwaysFalse : diagrams.testVariable(variable, [false, true]);
}

function placedDiagram(allocation: Allocation, { keys, comparison, quantifier }: Placement): DecisionDiagram {
  const { diagrams } = allocation;
  const holds = keys.map((key) => whereHolds(allocation, key, comparison));
  if (quantifier === undefined) return holds[0] ?? alwaysFalse;
  if (quantifier === "any")
    return holds.reduceRight((rest, diagram) => diagrams.combine("or", diagram, rest), alwaysFalse);
  const orAbsent = holds.map((diagram, i) => {
    const isAbsent = diagrams.not(wherePresent(allocation, keys[i] ?? ""));
    return diagrams.combine("or", isAbsent, diagram);
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
  test: TokenTestName,
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

/** Creates the function from formulas to diagrams, each computed once. */
function createTranslator(allocation: Allocation): RequestVariables["where"] {
  const { diagrams } = allocation;
  const known = new Map<Formula, DecisionDiagram>();

  function where(formula: Formula): DecisionDiagram {
    const diagram = known.get(formula) ?? compute(formula);
    known.set(formula, diagram);
    return diagram;
  }

  function compute(formula: Formula): DecisionDiagram {
    switch (formula.kind) {
      case "constant":
        return formula.value ? alwaysTrue : alwaysFalse;
      case "not":
        return diagrams.not(where(formula.operand));
      case "combination":
        return formula.operands
          .map(where)
          .reduce((left, right) => diagrams.combine(formula.operator, left, right));
      case "text":
        return comparisonDiagram(allocation, formula.comparison);
      case "own":
        return whereAnswer(allocation, formula.location, formula.test);
      case "token": {
        const { test, config, claims } = formula;
        const conditionAt = (key: string) => {
          const condition = claims?.get(key);
          return condition === undefined ? alwaysFalse : where(condition);
        };
        return tokenDiagram(allocation, test, config, claims && conditionAt);
      }
    }
  }

  return where;
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
    addTo(lists, listKey, { key: locationKey(field), index: field.index });
  }
  return [...lists.values()].flatMap((list) => {
    const keys = list.sort((a, b) => a.index - b.index).map(({ key }) => key);
    const laterKeys = keys.slice(1);
    return keys.slice(0, -1).map((earlier, i): [string, string] => [earlier, laterKeys[i] ?? earlier]);
  });
}
