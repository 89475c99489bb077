/**
 * The space of all requests, as far as expressions can tell them apart: a variable for each place in a request that
 * an expression compares or a configuration takes its token from, and its choices.
 *
 * It may have points that no request has, never the other way round: what holds in all of it holds for all requests.
 */

import type { Comparison, Expression, Field, Leaf } from "../ast.ts";
import { printExpression } from "../printer.ts";
import { leaves } from "../references.ts";
import type { BoundConfig, BoundConfigs, BoundExpression, TokenKey } from "./bound.ts";
import { configOf } from "./bound.ts";
import type { Meter } from "./budget.ts";
import { type Choice, choicesOf, type Place, type Restriction } from "./choices.ts";
import { always, createDiagrams, type Diagram, type Diagrams, never } from "./diagram.ts";
import { placeOf } from "./location.ts";
import { createStandIns } from "./stand-in.ts";

/** A place with its choices; its number is that of its variable. */
export interface Variable extends Place {
  readonly choices: readonly Choice[];
}

/** What is known of a request beforehand, by field name. */
export type Frame = Partial<Record<Field["name"], Restriction>>;

/** The space over some expressions. */
export interface Space {
  readonly variables: readonly Variable[];
  readonly frame: Frame;
  readonly diagrams: Diagrams;
  /** Where an expression is true. The expression is one of those that the space was made for, or a part of one. */
  truth(expression: Expression, configs: BoundConfigs): Diagram;
  /** False where no request is. */
  readonly possible: Diagram;
  /** Only true where every text is one that a client can send. */
  readonly real: Diagram;
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
  const names = [...gathered.keys()];
  const variables = [...gathered.values()].map(({ field, comparisons, configs }): Variable => {
    const place = { field, comparisons: [...comparisons.values()], configs: [...configs] };
    return { ...place, choices: choicesOf(place, frame[field.name] ?? {}, standIn, meter) };
  });
  const diagrams = createDiagrams(meter);
  const leafTruths = new Map<Leaf, Map<BoundConfigs, Diagram>>();

  function variableOf(field: Field): number {
    return names.indexOf(placeOf(field));
  }

  function where(variable: number, holds: (choice: Choice) => boolean): Diagram {
    return diagrams.choose(variable, variables[variable]!.choices.map(holds));
  }

  function comparisonTruth(comparison: Comparison): Diagram {
    const name = placeOf(comparison.field);
    const number = [...gathered.get(name)!.comparisons.keys()].indexOf(printExpression(comparison));
    return where(names.indexOf(name), (choice) => choice.answers[number]!);
  }

  /** The first source that yields a token decides, so the sources are taken from the last one back. */
  function tokenTruth(config: BoundConfig, isGood: (choice: Choice) => boolean): Diagram {
    return config.sources.reduceRight((rest, source) => {
      const variable = variableOf(source);
      const good = where(variable, (choice) => choice.yields && isGood(choice));
      const empty = where(variable, (choice) => !choice.yields);
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

  const all = (parts: readonly Diagram[]) =>
    parts.reduce((left, right) => diagrams.combine("and", left, right), always);
  const possible = all(
    repetitions(variables).map(([earlier, later]) =>
      diagrams.combine(
        "or",
        where(earlier, isThere),
        where(later, (choice) => !isThere(choice)),
      ),
    ),
  );
  const real = all(variables.map((_, variable) => where(variable, (choice) => choice.real)));
  const configs = [...new Set(variables.flatMap((variable) => variable.configs))];
  return { variables, frame, diagrams, truth, possible, real, configs, standIn };
}

/** Whether a token signed with the key is valid for the configuration. */
export function isKeyOf(config: BoundConfig, { identity }: TokenKey): boolean {
  return config.keys.some((key) => key.identity === identity);
}

function isThere({ text }: Choice): boolean {
  return text !== undefined;
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

/** Pairs of variables with one name: the later one of a list is there only when the earlier one is. */
function repetitions(variables: readonly Variable[]): [number, number][] {
  const lists = new Map<string, { variable: number; index: number }[]>();
  for (const [variable, { field }] of variables.entries()) {
    if (!("key" in field)) continue;
    const name = placeOf({ ...field, index: 0 });
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    list.push({ variable, index: field.index });
  }
  return [...lists.values()].flatMap((list) => {
    const ordered = list.sort((a, b) => a.index - b.index).map(({ variable }) => variable);
    return ordered.slice(1).map((later, i): [number, number] => [ordered[i]!, later]);
  });
}
