/** The custom rules of one or two zones as formulas over the same locations. */

import type { CompiledCustom } from "../../expression/custom/compile.ts";
import { printCustomExpression } from "../../expression/custom/print.ts";
import type { CustomExpression, CustomTest } from "../../expression/custom/tree.ts";
import { valuesOf } from "../../expression/custom/tree-queries.ts";
import { ownName } from "../../expression/custom/values/given.ts";
import { customFields } from "../../expression/language/custom-fields.ts";
import { createProgram, type Program, type Step } from "../../rulesets/program.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import type { BoundConfigs, BoundExpression } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { alwaysFalse, alwaysTrue, type DecisionDiagram } from "../requests/decision-diagram.ts";
import { readsPath } from "../requests/partition.ts";
import {
  type Assumptions,
  createRequestVariables,
  type RequestVariables,
  type VariableUse,
} from "../requests/variables.ts";
import { type Claims, createClaims } from "./claims.ts";
import { every, type Formula, never, sharedLeaves } from "./formula.ts";
import { createOwnLocations, type OwnLocations } from "./own-locations.ts";
import { type RunDiagrams, runDiagrams } from "./run-diagrams.ts";
import type { TranslationScope } from "./scope.ts";
import { translate } from "./translate.ts";

/** The key of the location of whether a client has passed a challenge. */
export const challengePassedKey = "challengePassed";

/** A part of an expression that the analysis does not look into. */
export interface FreePart {
  /** In canonical spelling. */
  readonly text: string;
  /** A clause. */
  readonly why: string;
  /** The rule that has it. */
  readonly ruleset: string;
  readonly rule: string;
}

/** The custom rules of one zone. */
export interface CustomSide {
  readonly program: Program<CompiledCustom>;
  /** The formula of each step. */
  readonly formulas: readonly Formula[];
}

/** The custom rules of zones, which an analysis asks about together. */
export interface CustomPart {
  readonly sides: readonly CustomSide[];
  readonly claims: Claims;
  /** The fields that a request must state, by their own names. */
  readonly stated: ReadonlySet<string>;
  /** The fields that expressions read, by their own names. */
  readonly fields: ReadonlySet<string>;
  /** The configurations whose claims expressions name. */
  readonly readConfigs: readonly string[];
  /** Whether expressions read the claims `exp` or `nbf`. */
  readonly readsTimes: boolean;
  /** Whether some expression compares the path. */
  readonly readsPath: boolean;
  /** The variables of requests, for custom rules and some expressions of token rules. */
  createVariables(
    expressions: readonly BoundExpression[],
    assumptions: Assumptions,
    meter: Meter,
  ): RequestVariables;
  /** The requests for which the expression of a step is true. */
  valueAt(variables: RequestVariables, side: CustomSide, at: number): DecisionDiagram;
  /** The course of the custom rules of a zone. */
  run(variables: RequestVariables, side: CustomSide): RunDiagrams;
  /** The requests that are possible, as far as claims are concerned. */
  possible(variables: RequestVariables): DecisionDiagram;
  /** The parts that a function depends on, and that the analysis does not look into. */
  freeParts(variables: RequestVariables, diagram: DecisionDiagram): FreePart[];
}

/** A zone with its configurations. */
export interface BoundZone {
  readonly read: ReadZone;
  readonly configs: BoundConfigs;
}

/** Which steps of a zone are looked at; the others never act. */
export type IsRelevant = (side: number, at: number) => boolean;

/** Reads the custom rules of zones; undefined when none has any. */
export function readCustomPart(
  zones: readonly BoundZone[],
  isRelevant: IsRelevant = () => true,
): CustomPart | undefined {
  if (zones.every(({ read }) => read.custom === undefined)) return undefined;
  const own = createOwnLocations();
  const claims = createClaims(own);
  const programs = zones.map(({ read }) =>
    createProgram(read.custom?.rulesets ?? { entries: {}, executable: new Map<string, never>() }),
  );
  const trees = programs.flatMap(({ steps }) => steps.flatMap(({ expression }) => expression?.tree ?? []));
  const audiences = countAudiences(trees);
  const fields = fieldsOf(trees);
  const free = new Map<string, FreePart>();
  const sides = zones.map((zone, i): CustomSide => {
    const program = programs[i] as Program<CompiledCustom>;
    const formulas = formulasOf(zone, i, { ...program, isRelevant }, { own, claims, audiences }, free);
    return { program, formulas };
  });
  const challengePassed = own.testAt(challengePassedKey, { kind: "Bool" }, { kind: "true" });
  const constraints = claims.constraints();
  const shared = sides.flatMap(({ formulas }) => formulas.flatMap(sharedLeaves));
  const order = interleaved(sides.map(({ formulas }) => formulas)).flatMap(usesOf);
  const bound = [
    ...shared.map((expression) => ({ expression, configs: zones[0]?.configs ?? new Map() })),
    ...zones.flatMap((zone) => tokenTests(zone, programs)),
  ];
  return {
    sides,
    claims,
    fields,
    stated: new Set([...fields].filter((name) => statedSources.has(customFields.get(name)?.source))),
    readConfigs: [...new Set(programs.flatMap(configsOfProgram))],
    readsTimes: trees.some((tree) => /"(?:exp|nbf)"|claims\.nbf/.test(printCustomExpression(tree))),
    readsPath: shared.some(({ field }) => readsPath(field)),
    createVariables: (expressions, assumptions, meter) =>
      createRequestVariables([...expressions, ...bound], assumptions, meter, own.further(meter), order),
    valueAt: (variables, { formulas }, at) =>
      createDiagrams(variables, zones[0]?.configs ?? new Map())(formulas[at] ?? never),
    run: (variables, { program, formulas }) => {
      const diagramOf = createDiagrams(variables, zones[0]?.configs ?? new Map());
      return runDiagrams(program, variables.diagrams, {
        valueAt: (at) => diagramOf(formulas[at] ?? never),
        challengePassed: variables.answerAt(challengePassedKey, challengePassed),
      });
    },
    possible: (variables) => createDiagrams(variables, new Map())(constraints),
    freeParts: (variables, diagram) =>
      [...variables.locationsOf(diagram)].flatMap((key) => free.get(key) ?? []),
  };
}

/** The elements of lists by position: the first of each, then the second of each. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

/** The variables of a formula, in the order in which it has them. */
function usesOf(formula: Formula): VariableUse[] {
  switch (formula.kind) {
    case "constant":
      return [];
    case "not":
      return usesOf(formula.operand);
    case "combination":
      return formula.operands.flatMap(usesOf);
    case "shared":
      return [{ leaf: formula.leaf }];
    case "own":
      return [formula];
    case "token":
      return [...formula.claims].flatMap(([location, inner]) => [{ location }, ...usesOf(inner)]);
  }
}

/** Tests of the tokens whose claims expressions read, so that their locations have variables. */
function tokenTests({ configs }: BoundZone, programs: readonly Program<CompiledCustom>[]): BoundExpression[] {
  const ids = new Set(programs.flatMap(configsOfProgram));
  const span = { start: 0, end: 0 };
  return [...ids]
    .filter((id) => configs.has(id))
    .map((configId) => ({
      expression: { kind: "token", test: "is_jwt_valid", configId, configSpan: span, span },
      configs,
    }));
}

/** Of an expression that is not known, nothing is known to be equal. */
function undecidedKey(text: string, side: number, { read, configs }: BoundZone): string {
  const { lists = new Map() } = read.custom?.program ?? {};
  const print = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
  return `undecided ${JSON.stringify(text === "" ? [side] : [text, [...configs], [...lists]], print)}`;
}

function formulasOf(
  zone: BoundZone,
  side: number,
  { steps, isRelevant }: Program<CompiledCustom> & { readonly isRelevant: IsRelevant },
  shared: { readonly own: OwnLocations; readonly claims: Claims; readonly audiences: number | undefined },
  free: Map<string, FreePart>,
): Formula[] {
  const { read, configs } = zone;
  const known = new Map<CompiledCustom, Formula>();
  return steps.map((step, at) => {
    const { rule, ruleset, expression } = step;
    if (!isRelevant(side, at)) return never;
    const note = (key: string, text: string, why: string) => {
      if (!free.has(key)) free.set(key, { text, why, ruleset: ruleset.id, rule: rule.id });
    };
    const unknownOf = (key: string, text: string, why: string): Formula => {
      note(key, text, why);
      return { kind: "own", location: key, test: shared.own.testAt(key, { kind: "Bool" }, { kind: "true" }) };
    };
    if (expression === undefined) {
      const why = rule.undecided ?? "it was not evaluated";
      const { expression: text = "" } = rule;
      return unknownOf(undecidedKey(text, side, zone), text, why);
    }
    const scope: TranslationScope = {
      ...shared,
      lists: read.custom?.program.lists ?? new Map(),
      configs,
      onFree: note,
    };
    const formula = known.get(expression) ?? translate(scope, expression.tree);
    known.set(expression, formula);
    if (rule.exposed_credential_check === undefined) return formula;
    const check = JSON.stringify(rule.exposed_credential_check);
    const why = "exposed credentials are not simulated";
    return every([formula, unknownOf(`exposed ${check}`, "exposed_credential_check", why)]);
  });
}

/** The maximum number of audiences that quantifiers are expanded to (`chosen`). */
const maxAudiences = 8;

const audienceField = "http.request.jwt.claims.aud";

/** As many as are compared by position, and one more for each other comparison: others can be left out of any list. */
function countAudiences(trees: readonly CustomExpression[]): number | undefined {
  const quantified = new Set<string>();
  let compared = 0;
  for (const test of trees.flatMap(leafTests)) {
    const values = valuesOf(test);
    if (!values.some((value) => value.kind === "field" && value.name === audienceField)) continue;
    quantified.add(printCustomExpression(test));
    for (const value of values)
      if (value.kind === "index" && typeof value.key === "number")
        compared = Math.max(compared, value.key + 1);
  }
  const count = compared + quantified.size;
  return count > maxAudiences ? undefined : count;
}

function leafTests(tree: CustomExpression): CustomTest[] {
  if (tree.kind === "combination") return tree.operands.flatMap(leafTests);
  return tree.kind === "not" ? leafTests(tree.operand) : [tree];
}

/** The sources of fields that are unknown unless a test states them. */
const statedSources: ReadonlySet<string | undefined> = new Set(["ip", "body", "given"]);

/** The fields that expressions read, by their own names. */
function fieldsOf(trees: readonly CustomExpression[]): Set<string> {
  const values = trees.flatMap(valuesOf);
  return new Set(
    values.flatMap((value) => {
      const field = value.kind === "field" ? customFields.get(value.name) : undefined;
      return field === undefined ? [] : ownName(field);
    }),
  );
}

function configsOfProgram({ steps }: Program<CompiledCustom>): string[] {
  return steps.flatMap(({ expression }) => expression?.configs ?? []);
}

/** The diagrams of formulas, each computed once. */
function createDiagrams(
  variables: RequestVariables,
  configs: BoundConfigs,
): (formula: Formula) => DecisionDiagram {
  const { diagrams } = variables;
  const known = new Map<Formula, DecisionDiagram>();

  function diagramOf(formula: Formula): DecisionDiagram {
    const found = known.get(formula) ?? compute(formula);
    known.set(formula, found);
    return found;
  }

  function compute(formula: Formula): DecisionDiagram {
    switch (formula.kind) {
      case "constant":
        return formula.value ? alwaysTrue : alwaysFalse;
      case "not":
        return diagrams.not(diagramOf(formula.operand));
      case "combination":
        return formula.operands
          .map(diagramOf)
          .reduce((left, right) => diagrams.combine(formula.operator, left, right));
      case "shared":
        return variables.diagramOf(formula.leaf, configs);
      case "own":
        return variables.answerAt(formula.location, formula.test);
      case "token":
        return variables.whereValid(formula.config, (at) => diagramOf(formula.claims.get(at) ?? never));
    }
  }

  return diagramOf;
}

/** The program of a side has a step at each position. */
export function stepOf({ program }: CustomSide, at: number): Step<CompiledCustom> {
  return program.steps[at] as Step<CompiledCustom>;
}
