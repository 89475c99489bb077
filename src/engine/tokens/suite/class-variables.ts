/**
 * The variables of questions about classes. Classes whose difference no part of the rules reads share them: hosts and
 * methods that no rule compares, and paths for which every comparison has one result only. Finding the alternatives of
 * locations takes far longer than the answers.
 */

import { createNumbers } from "../../../core/object-numbers.ts";
import type { BoundConfigs } from "../analysis/bound-expression.ts";
import { createMeter, type Meter, withinBudget } from "../analysis/budget.ts";
import { createModel } from "../analysis/model/model.ts";
import { createAlternativesFinder } from "../analysis/requests/alternatives.ts";
import { valuesOfField } from "../analysis/requests/location.ts";
import { readsTargetPath } from "../analysis/requests/partition.ts";
import {
  type Assumptions,
  createRequestVariables,
  type RequestVariables,
} from "../analysis/requests/variables.ts";
import { alphabetOf, traverseProduct } from "../analysis/strings/combine.ts";
import { comparisonDfa, isDecided } from "../analysis/strings/comparison-dfas.ts";
import { deadState } from "../analysis/strings/dfa.ts";
import { conditionOf, literalsOf, piecesOf, type TextComparison } from "../analysis/strings/string-test.ts";
import { printedTree } from "../expression/printer.ts";
import type { Test } from "../expression/tree.ts";
import { leavesOf, tokenTestOf, valuesOf } from "../expression/tree-queries.ts";
import { variable } from "../zone/path-template.ts";
import type { ReadRule } from "../zone/zone-input.ts";
import type { ZoneClass } from "./zone-classes.ts";

/** Variables with the restrictions of one class. */
export interface ClassVariables {
  readonly variables: RequestVariables;
  /** The restrictions of the class's own requests, which may be fewer than those of the class. */
  readonly assumptions: Assumptions;
  readonly meter: Meter;
}

interface SharedVariables {
  readonly parts: ReadonlySet<string>;
  readonly variables: RequestVariables;
  readonly meter: Meter;
}

/** The maximum number of variables that are kept. */
const maxShared = 64;

/** Creates a function that returns variables for rules in a class; undefined when they need too many steps. */
export function createVariablePool(
  configs: BoundConfigs,
  maxSteps: number,
): (zoneClass: ZoneClass, rules: readonly ReadRule[]) => ClassVariables | undefined {
  const shared = new Map<string, SharedVariables | undefined>();
  /** The first questions about each class, which also answer about parts of their rules. */
  const bases = new WeakMap<ZoneClass, { readonly key: string; readonly assumptions: Assumptions }>();
  const numbers = createNumbers<ZoneClass>();
  const find = createAlternativesFinder();
  const narrow = createNarrowing(maxSteps, numbers);

  function create(key: string, assumptions: Assumptions, rules: readonly ReadRule[]): void {
    const meter = createMeter({ maxSteps });
    const expressions = rules.map(({ expression }) => ({ expression, configs }));
    const variables = withinBudget(
      () => createRequestVariables(expressions, assumptions, meter, { find }),
      () => undefined,
    );
    const [oldest] = shared.keys();
    if (shared.size >= maxShared && oldest !== undefined) shared.delete(oldest);
    shared.set(key, variables && { parts: partsOf(rules), variables, meter });
  }

  return (zoneClass, rules) => {
    const parts = partsOf(rules);
    const base = bases.get(zoneClass);
    const known = base && shared.get(base.key);
    if (base !== undefined && known !== undefined && [...parts].every((part) => known.parts.has(part)))
      return { ...known, assumptions: base.assumptions };
    const narrowed = narrow(zoneClass, rules);
    const key = JSON.stringify([narrowed.key, [...parts].sort()]);
    if (!shared.has(key)) create(key, narrowed.assumptions, rules);
    else {
      // The most recently used variables are the last ones.
      const found = shared.get(key);
      shared.delete(key);
      shared.set(key, found);
    }
    const found = shared.get(key);
    if (base === undefined && parts.size > 0 && found !== undefined)
      bases.set(zoneClass, { key, assumptions: narrowed.assumptions });
    return found && { ...found, assumptions: narrowed.assumptions };
  };
}

/** The parts of rules; tests of one configuration read the same locations, so they are one part. */
function partsOf(rules: readonly ReadRule[]): Set<string> {
  return new Set(rules.flatMap(({ expression }) => leavesOf(expression).map(partOf)));
}

function partOf(leaf: Test): string {
  const tested = tokenTestOf(leaf);
  return tested === undefined ? printedTree(leaf) : `token ${tested.configId}`;
}

interface Narrowed {
  readonly assumptions: Assumptions;
  /** Equal for classes that the rules do not distinguish. */
  readonly key: string;
}

/** Restricts a class to one of its paths, where the rules do not distinguish them. */
function createNarrowing(
  maxSteps: number,
  numberOf: (zoneClass: ZoneClass) => number,
): (zoneClass: ZoneClass, rules: readonly ReadRule[]) => Narrowed {
  const constants = new Map<string, boolean | undefined>();
  const constantOn = (zoneClass: ZoneClass, leaf: Test): boolean | undefined => {
    const key = `${numberOf(zoneClass)} ${printedTree(leaf)}`;
    if (!constants.has(key))
      constants.set(
        key,
        withinBudget(
          () => constantResult(zoneClass, leaf, createMeter({ maxSteps })),
          () => undefined,
        ),
      );
    return constants.get(key);
  };

  return (zoneClass, rules) => {
    const compared = rules
      .flatMap(({ expression }) => leavesOf(expression))
      .filter((leaf) => tokenTestOf(leaf) === undefined);
    const reads = (...names: readonly string[]) => compared.some((leaf) => readsField(leaf, names));
    const { assumptions, hosts } = zoneClass;
    const paths = compared.filter((leaf) => readsTargetPath(leaf));
    const sample = samplePathOf(assumptions);
    const results = sample === undefined ? [undefined] : paths.map((leaf) => constantOn(zoneClass, leaf));
    const isConstant = !results.includes(undefined);
    const path =
      assumptions["http.request.uri.path"] === undefined && paths.length === 0
        ? "any"
        : isConstant
          ? results.map(Number).join("")
          : `class ${numberOf(zoneClass)}`;
    return {
      assumptions:
        isConstant && sample !== undefined
          ? { ...assumptions, "http.request.uri.path": { values: [sample] } }
          : assumptions,
      key: JSON.stringify([
        reads("http.host", "http.request.full_uri", "raw.http.request.full_uri") && hosts.key,
        reads("http.request.method") && assumptions["http.request.method"],
        path,
      ]),
    };
  };
}

/** Whether a test reads one of some fields. */
function readsField(leaf: Test, names: readonly string[]): boolean {
  return valuesOf(leaf).some((value) => value.kind === "field" && names.includes(value.name));
}

/** A path of the class; undefined when its paths are not restricted. */
function samplePathOf(assumptions: Assumptions): string | undefined {
  const paths = assumptions["http.request.uri.path"];
  return paths?.values?.[0] ?? paths?.preferred?.[0];
}

/** The result that a comparison has for every path of a class; undefined when there are two, or it is not known. */
function constantResult(zoneClass: ZoneClass, leaf: Test, meter: Meter): boolean | undefined {
  const formula = createModel([leaf]).formulaOf(leaf, { configs: new Map() });
  if (formula.kind !== "text" || formula.comparison.field.name !== "http.request.uri.path") return undefined;
  const { comparison } = formula;
  if (!isDecided(comparison)) return undefined;
  if (startsOtherwise(zoneClass, comparison)) return false;
  const { requiredDfas = [], values } = zoneClass.assumptions["http.request.uri.path"] ?? {};
  if (values !== undefined || requiredDfas.length === 0) return undefined;
  const field = valuesOfField({ name: "http.request.uri.path" });
  const required = [...field.requiredDfas, ...requiredDfas];
  const { dfa, holds } = comparisonDfa({ comparison });
  const dfas = [...required, dfa];
  let result: boolean | undefined;
  for (const { states } of traverseProduct(
    dfas,
    required.length,
    alphabetOf(dfas, field.fillerUnits),
    meter,
  )) {
    if (!required.every((automaton, i) => automaton.output(states[i] ?? deadState) !== 0)) continue;
    const holdsHere = holds(dfa.output(states.at(-1) ?? deadState));
    if (result !== undefined && result !== holdsHere) return undefined;
    result = holdsHere;
  }
  return result;
}

/** Whether the paths of a class differ from what a comparison asks for before their first variable. */
function startsOtherwise({ operation }: ZoneClass, comparison: TextComparison): boolean {
  const condition = conditionOf({ comparison });
  if (operation === undefined || condition.functions.length > 0) return false;
  const literals = literalsOf(condition);
  if (literals?.isNegated) return false;
  const starts = literals?.strings ?? [piecesOf(condition)?.start ?? ""];
  const path = literalStart(operation.segments);
  return starts.length > 0 && starts.every((start) => isOtherStart(start.toLowerCase(), path));
}

/** A start without encoded characters is read as it is. */
function isOtherStart(start: string, path: string): boolean {
  if (start.includes("%")) return false;
  const length = Math.min(start.length, path.length);
  return start.slice(0, length) !== path.slice(0, length);
}

/** The path before its first variable, in lower case. */
function literalStart(segments: NonNullable<ZoneClass["operation"]>["segments"]): string {
  const end = segments.indexOf(variable);
  const literal = end === -1 ? segments : segments.slice(0, end);
  return literal
    .map((segment) => `/${String(segment)}`)
    .join("")
    .toLowerCase();
}
