/** The custom rules of one or two zones as formulas of one model. */

import type { CompiledCustom } from "../../expression/compile.ts";
import { printTree } from "../../expression/printer.ts";
import type { Expression } from "../../expression/tree.ts";
import type { CustomRule } from "../../rulesets/model.ts";
import { createProgram, type Program, type Step } from "../../rulesets/program.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import type { BoundConfig, BoundConfigs, BoundExpression } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { atomsOf, every, type Formula, never } from "../model/formula.ts";
import { createModel, type Model } from "../model/model.ts";
import type { ValuesOfFields } from "../model/own-fields.ts";
import type { UnreadPart } from "../model/scope.ts";
import type { DecisionDiagram } from "../requests/decision-diagram.ts";
import { domainsOf } from "../requests/host-classes.ts";
import { commonNormalization, withNormalizedPaths } from "../requests/normalized-paths.ts";
import { readsTargetPath } from "../requests/partition.ts";
import { type Assumptions, createRequestVariables, type RequestVariables } from "../requests/variables.ts";
import { type RunDiagrams, runDiagrams } from "./run-diagrams.ts";

/** A part of an expression that the analysis does not look into. */
export interface FreePart extends UnreadPart {
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
  /** The configurations whose claims expressions name. */
  readonly readConfigs: readonly string[];
  /** Whether expressions read the claims `exp` or `nbf`. */
  readonly readsTimes: boolean;
  /** Whether some expression compares the path. */
  readonly readsPath: boolean;
  /** Whether the client has passed a challenge. */
  readonly challengePassed: Formula;
  readonly model: Model;
  /** The variables of requests, for custom rules and some expressions of token rules. */
  createVariables(
    expressions: readonly BoundExpression[],
    assumptions: Assumptions,
    meter: Meter,
    configs?: readonly BoundConfig[],
  ): RequestVariables;
  /** The formula of an expression whose tests are tests of the zones. */
  formulaOf(side: number, expression: Expression): Formula;
  /** The formula of a step with such an expression. */
  stepFormula(side: number, at: number, expression: Expression): Formula;
  /** The course of the custom rules of a zone. */
  run(variables: RequestVariables, side: CustomSide): RunDiagrams;
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

/** The key of the location of whether a client has passed a challenge. */
export const challengePassedKey = "challengePassed";

/**
 * Reads the custom rules of zones, and further expressions that questions ask about, with the names of the first zone;
 * undefined when no zone has custom rules.
 */
export function readCustomPart(
  zones: readonly BoundZone[],
  isRelevant: IsRelevant = () => true,
  further: readonly Expression[] = [],
  values: ValuesOfFields = "given",
): CustomPart | undefined {
  if (zones.every(({ read }) => read.custom === undefined)) return undefined;
  const programs = zones.map(({ read }) =>
    createProgram(read.custom?.rulesets ?? { entries: {}, executable: new Map<string, never>() }),
  );
  const trees = programs.flatMap(({ steps }) => steps.flatMap(({ expression }) => expression?.tree ?? []));
  const model = createModel([...trees, ...further], values);
  const free = new Map<string, FreePart>();
  const formulaOf = (side: number, expression: Expression): Formula => {
    const { configs = new Map(), read } = zones[side] ?? {};
    return model.formulaOf(expression, {
      configs,
      ...(read?.custom && { lists: read.custom.program.lists, zone: read.custom.program.zone }),
    });
  };
  const unknown = (key: string): Formula => {
    const test = model.own.testAt(key, { kind: "Bool" }, { kind: "true" });
    return { kind: "own", location: key, test };
  };
  /** The check of exposed credentials of a rule has any result. */
  const withUnknown = (rule: CustomRule | undefined, formula: Formula): Formula =>
    rule?.exposed_credential_check === undefined ? formula : every([formula, unknown(exposedKey(rule))]);
  const formulaAt = ({ ruleset, rule, expression }: Step<CompiledCustom>, side: number): Formula => {
    const note = (key: string, part: UnreadPart) => {
      if (!free.has(key)) free.set(key, { ...part, ruleset: ruleset.id, rule: rule.id });
    };
    if (expression === undefined) {
      const { expression: text = "", undecided: why = "it was not evaluated" } = rule;
      const key = undecidedKey(text, side, zones[side]);
      note(key, { text, why });
      return unknown(key);
    }
    const formula = formulaOf(side, expression.tree);
    for (const atom of atomsOf(formula)) {
      const part = atom.kind === "own" ? model.unread.get(atom.location) : undefined;
      if (atom.kind === "own" && part !== undefined) note(atom.location, part);
    }
    if (rule.exposed_credential_check !== undefined)
      note(exposedKey(rule), {
        text: "exposed_credential_check",
        why: "exposed credentials are not simulated",
      });
    return withUnknown(rule, formula);
  };
  const sides = programs.map((program, side): CustomSide => {
    const known = new Map<CompiledCustom, Formula>();
    const formulas = program.steps.map((step, at) => {
      if (!isRelevant(side, at)) return never;
      const { expression, rule } = step;
      const isShared = expression !== undefined && rule.exposed_credential_check === undefined;
      const formula = (isShared ? known.get(expression) : undefined) ?? formulaAt(step, side);
      if (isShared) known.set(expression, formula);
      return formula;
    });
    return { program, formulas };
  });
  const challengePassed = unknown(challengePassedKey);
  const ofZone: Assumptions = { "http.host": { preferred: domainsOf(zones.map(({ read }) => read)) } };
  const normalization = commonNormalization(zones.map(({ read }) => read));
  const asked = further.map((expression) => formulaOf(0, expression));
  const formulas = [...interleaved(sides.map((side) => side.formulas)), ...asked, challengePassed];
  return {
    sides,
    model,
    challengePassed,
    readConfigs: [...new Set(programs.flatMap(configsOfProgram))],
    readsTimes: trees.some(readsTimes),
    readsPath: trees.some(readsTargetPath),
    createVariables: (expressions, assumptions, meter, configs = []) => {
      const assumed = withNormalizedPaths({ ...ofZone, ...assumptions }, normalization);
      return createRequestVariables(expressions, assumed, meter, { model, formulas, configs });
    },
    formulaOf,
    stepFormula: (side, at, expression) =>
      withUnknown(programs[side]?.steps[at]?.rule, formulaOf(side, expression)),
    run: ({ diagrams, where }, side) =>
      runDiagrams(side.program, diagrams, {
        valueAt: (at) => where(side.formulas[at] ?? never),
        challengePassed: where(challengePassed),
      }),
    freeParts: (variables, diagram) =>
      [...variables.locationsOf(diagram)].flatMap((key) => free.get(key) ?? []),
  };
}

const exposedKey = ({ exposed_credential_check: check }: CustomRule) => `exposed ${JSON.stringify(check)}`;

/** The elements of lists by position: the first of each, then the second of each. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

/** Of an expression that is not known, nothing is known to be equal. */
function undecidedKey(text: string, side: number, zone: BoundZone | undefined): string {
  const { lists = new Map(), zone: facts = {} } = zone?.read.custom?.program ?? {};
  const print = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
  return `undecided ${JSON.stringify(text === "" ? [side] : [text, [...(zone?.configs ?? [])], [...lists], facts], print)}`;
}

/** Whether an expression looks up a time of validity, or compares the field of one. */
function readsTimes(tree: Expression): boolean {
  return /"(?:exp|nbf)"|claims\.nbf/.test(printTree(tree));
}

function configsOfProgram({ steps }: Program<CompiledCustom>): string[] {
  return steps.flatMap(({ expression }) => expression?.configs ?? []);
}

/** The program of a side has a step at each position. */
export function stepOf({ program }: CustomSide, at: number): Step<CompiledCustom> {
  return program.steps[at] as Step<CompiledCustom>;
}
