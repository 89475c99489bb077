/**
 * The space of all requests, as far as expressions can tell them apart: a variable for each place in a request that
 * an expression compares or a configuration takes its token from, and its choices. At a place with many comparisons
 * each of them is a variable of its own instead.
 *
 * It may have points that no request has, never the other way round: what holds in all of it holds for all requests.
 */

import type { Comparison, Expression, Field, Leaf } from "../../expression/ast.ts";
import { printExpression } from "../../expression/printer.ts";
import { leaves } from "../../expression/references.ts";
import type { BoundConfig, BoundConfigs, BoundExpression, TokenKey } from "../bound-expression.ts";
import { configOf } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { createTextFinder } from "../strings/lazy-strings.ts";
import { type Choice, choicesOf, type Place, type Restriction, restrict } from "./alternatives.ts";
import { createPoints, type FreePlace, type Point, type WholePlace } from "./assignments.ts";
import { always, createDiagrams, type Diagram, type Diagrams, never } from "./decision-diagram.ts";
import { kindOf, placeOf } from "./location.ts";
import { createStandIns } from "./placeholder-token.ts";

/**
 * Most comparisons of one place, each in need of an automaton of its own, of which all combinations of answers are
 * looked at; their number grows exponentially.
 */
const maxWhole = 4;

/** What is known of a request beforehand, by field name. */
export type Frame = Partial<Record<Field["name"], Restriction>>;

/** The space over some expressions. */
export interface Space {
  readonly places: readonly Place[];
  readonly frame: Frame;
  readonly diagrams: Diagrams;
  /** Where an expression is true. The expression is one of those that the space was made for, or a part of one. */
  truth(expression: Expression, configs: BoundConfigs): Diagram;
  /** The points where a function is true. */
  points(wanted: Diagram): Generator<Point>;
  /** The same, but for points with a text that no client can send. */
  realPoints(wanted: Diagram): Generator<Point>;
  /** Whether a function is true nowhere. */
  isNever(diagram: Diagram): boolean;
  readonly configs: readonly BoundConfig[];
  standIn(key: TokenKey): string;
}

interface Gathered {
  readonly field: Field;
  readonly comparisons: Map<string, Comparison>;
  readonly configs: Set<BoundConfig>;
}

/** Makes the space that some expressions need. */
export function createSpace(expressions: readonly BoundExpression[], frame: Frame, meter: Meter): Space {
  const gathered = gather(expressions);
  const standIn = createStandIns();
  const diagrams = createDiagrams(meter);
  const places = [...gathered.values()].map(({ field, comparisons, configs }): Place => {
    return { field, comparisons: [...comparisons.values()], configs: [...configs] };
  });
  const whole = new Map<string, WholePlace>();
  const free = new Map<string, FreePlace>();
  let variables = 0;
  for (const place of places) {
    const name = placeOf(place.field);
    const restriction = frame[place.field.name] ?? {};
    if (isFree(place, restriction)) {
      const made = freePlace(place, restriction, variables, meter);
      free.set(name, made);
      variables = made.first + place.comparisons.length;
    } else {
      whole.set(name, {
        name,
        variable: variables++,
        choices: choicesOf(place, restriction, standIn, meter),
      });
    }
  }
  const leafTruths = new Map<Leaf, Map<BoundConfigs, Diagram>>();

  function where(name: string, holds: (choice: Choice) => boolean): Diagram {
    const { variable, choices } = whole.get(name)!;
    return diagrams.choose(variable, choices.map(holds));
  }

  function isThere(name: string): Diagram {
    const { presence } = free.get(name) ?? {};
    if (presence !== undefined) return diagrams.choose(presence, [false, true]);
    return free.has(name) ? always : where(name, ({ text }) => text !== undefined);
  }

  function comparisonTruth(comparison: Comparison): Diagram {
    const name = placeOf(comparison.field);
    const number = numbers.get(name)!.get(printExpression(comparison))!;
    const freely = free.get(name);
    if (freely === undefined) return where(name, (choice) => choice.answers[number]!);
    return diagrams.choose(freely.first + number, [false, true]);
  }

  /** The first source that yields a token decides, so the sources are taken from the last one back. */
  function tokenTruth(config: BoundConfig, isGood: (choice: Choice) => boolean): Diagram {
    return config.sources.reduceRight((rest, source) => {
      const name = placeOf(source);
      const good = where(name, (choice) => choice.yields && isGood(choice));
      const empty = where(name, (choice) => !choice.yields);
      return diagrams.combine("or", good, diagrams.combine("and", empty, rest));
    }, never);
  }

  function leafTruth(leaf: Leaf, configs: BoundConfigs): Diagram {
    if (leaf.kind === "comparison") return comparisonTruth(leaf);
    const config = configOf(leaf, configs)!;
    if (leaf.test === "is_jwt_present") return tokenTruth(config, () => true);
    return tokenTruth(config, ({ key }) => key !== undefined && isKeyOf(config, key));
  }

  function rememberedTruth(leaf: Leaf, configs: BoundConfigs): Diagram {
    const memory = leafTruths.get(leaf) ?? new Map<BoundConfigs, Diagram>();
    leafTruths.set(leaf, memory);
    const truth = memory.get(configs) ?? leafTruth(leaf, configs);
    memory.set(configs, truth);
    return truth;
  }

  function truth(expression: Expression, configs: BoundConfigs): Diagram {
    if (expression.kind === "not") return diagrams.not(truth(expression.operand, configs));
    if (expression.kind !== "combination") return rememberedTruth(expression, configs);
    const { operator, operands } = expression;
    return operands
      .map((operand) => truth(operand, configs))
      .reduce((left, right) => diagrams.combine(operator, left, right));
  }

  const numbers = new Map(
    [...gathered].map(([name, { comparisons }]) => {
      return [name, new Map([...comparisons.keys()].map((text, i) => [text, i] as const))] as const;
    }),
  );
  const all = (parts: readonly Diagram[]) =>
    parts.reduceRight((later, part) => diagrams.combine("and", part, later), always);
  /** No comparison holds at an empty place. */
  const onlyThere = [...free.values()].flatMap(({ name, comparisons, first }) =>
    isThere(name) === always
      ? []
      : [...comparisons.keys()].map((i) =>
          diagrams.combine("or", isThere(name), diagrams.choose(first + i, [true, false])),
        ),
  );
  const inOrder = repetitions(places).map(([earlier, later]) =>
    diagrams.combine("or", isThere(earlier), diagrams.not(isThere(later))),
  );
  const possible = all([...onlyThere, ...inOrder]);
  const real = all([...whole.keys()].map((name) => where(name, (choice) => choice.real)));
  const source = createPoints(diagrams, [...whole.values()], [...free.values()], meter);
  const points = (wanted: Diagram) => source.points(diagrams.combine("and", wanted, possible));
  return {
    places,
    frame,
    diagrams,
    truth,
    points,
    realPoints: (wanted) => points(diagrams.combine("and", wanted, real)),
    isNever: (diagram) => points(diagram).next().done === true,
    configs: [...new Set(places.flatMap((place) => place.configs))],
    standIn,
  };
}

/** Sources of tokens are few, and what can be said of tokens is looked at as a whole. */
function isFree({ comparisons, configs }: Place, { texts }: Restriction): boolean {
  const automata = comparisons.filter(
    ({ operator }) => operator === "contains" || operator.endsWith("wildcard"),
  );
  return texts === undefined && configs.length === 0 && automata.length > maxWhole;
}

function freePlace(
  { field, comparisons }: Place,
  restriction: Restriction,
  next: number,
  meter: Meter,
): FreePlace {
  const kind = restrict(kindOf(field), restriction);
  const find = createTextFinder(comparisons, kind, restriction.except ?? [], meter);
  const plain = { name: placeOf(field), comparisons, find };
  return kind.optional ? { ...plain, presence: next, first: next + 1 } : { ...plain, first: next };
}

/** Whether a token signed with the key is valid for the configuration. */
export function isKeyOf(config: BoundConfig, { identity }: TokenKey): boolean {
  return config.keys.some((key) => key.identity === identity);
}

function gather(expressions: readonly BoundExpression[]): Map<string, Gathered> {
  const places = new Map<string, Gathered>();
  const at = (field: Field): Gathered => {
    const name = placeOf(field);
    const place = places.get(name) ?? { field, comparisons: new Map(), configs: new Set() };
    places.set(name, place);
    return place;
  };
  for (const { expression, configs } of expressions) {
    for (const leaf of leaves(expression)) {
      if (leaf.kind === "comparison") at(leaf.field).comparisons.set(printExpression(leaf), leaf);
      const config = configOf(leaf, configs);
      for (const source of config?.sources ?? []) at(source).configs.add(config!);
    }
  }
  return places;
}

/** Names of places in one list, each with the one before it: the later is there only when the earlier is. */
function repetitions(places: readonly Place[]): [earlier: string, later: string][] {
  const lists = new Map<string, { name: string; index: number }[]>();
  for (const { field } of places) {
    if (!("key" in field)) continue;
    const name = placeOf({ ...field, index: 0 });
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    list.push({ name: placeOf(field), index: field.index });
  }
  return [...lists.values()].flatMap((list) => {
    const ordered = list.sort((a, b) => a.index - b.index).map(({ name }) => name);
    return ordered.slice(1).map((later, i): [string, string] => [ordered[i]!, later]);
  });
}
