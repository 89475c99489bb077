/** The custom rules of a zone under analysis: questions about requests, each within a limit of work. */

import type { Diagnostic } from "../../../../../core/diagnostic.ts";
import { diagnostic } from "../../../../../core/diagnostic.ts";
import type { CompiledCustom } from "../../../expression/compile.ts";
import type { Expression, Test } from "../../../expression/tree.ts";
import { noFacts } from "../../../rulesets/input/zone-facts.ts";
import type { Program, Step } from "../../../rulesets/program.ts";
import type { ReadCustomRules, ReadZone } from "../../../zone/zone-input.ts";
import { bindConfigs } from "../../bound-expression.ts";
import {
  type AnalysisOptions,
  createMeter,
  type Meter,
  maxExhaustedQuestions,
  requireSteps,
  withinBudget,
} from "../../budget.ts";
import { type Formula, never } from "../../model/formula.ts";
import type { DecisionDiagram } from "../../requests/decision-diagram.ts";
import { findAssignment, type SearchedProgram, type SearchedReach } from "../../rulesets/find-assignment.ts";
import { type CustomPart, type CustomSide, readCustomPart, stepOf } from "../../rulesets/ruleset-part.ts";
import { type AnalysisCheck, analysisChecks } from "../checks.ts";
import type { ExpressionGroup } from "../expression-findings.ts";
import { withoutClaims } from "./without-claims.ts";

/** A rule at one place of the evaluation. */
export type CustomStep = Step<CompiledCustom>;

/** The assumptions about a request. */
export interface Assumed {
  /** The request has no valid token of a configuration. */
  readonly without?: string;
  /** Tests that have the other value than without the token. */
  readonly except?: readonly Test[];
}

/** The analysis of the custom rules of a zone. */
export interface CustomAnalysis {
  readonly zone: ReadZone;
  readonly custom: ReadCustomRules;
  readonly program: Program<CompiledCustom>;
  /** The requests for which the rule at a step matches. */
  matches(at: number, assumed?: Assumed): DecisionDiagram;
  /** All requests, and the parts of the expression of a rule. */
  groupOf(at: number): ExpressionGroup;
  all(...diagrams: readonly DecisionDiagram[]): DecisionDiagram;
  any(...diagrams: readonly DecisionDiagram[]): DecisionDiagram;
  not(diagram: DecisionDiagram): DecisionDiagram;
  /** Whether no request has a property. */
  isNever(diagram: DecisionDiagram): boolean;
  /** The requests on which a rule that matches acts: a challenge does not, where the client has passed one. */
  unlessPassed(at: number): DecisionDiagram;
  /** Whether some request with a property reaches a step; with `toEnd` and no other step ends its evaluation. */
  reach(at: number, wanted: DecisionDiagram, options?: ReachOptions): SearchedReach;
  /** Does work within the limit of one question; undefined when that is reached. */
  within<T>(work: () => T): T | undefined;
}

/** The requests of a question about reaching a step. */
export interface ReachOptions extends Pick<Assumed, "without"> {
  readonly toEnd?: boolean;
}

/** Starts the analysis. */
export function startCustomAnalysis(
  zone: ReadZone,
  custom: ReadCustomRules,
  options: AnalysisOptions,
): CustomAnalysis {
  // Rules of an account are of several zones: what one of them says is no reason for a finding.
  const read = { ...zone, custom: { ...custom, program: { ...custom.program, zone: noFacts } } };
  const bound = { read, configs: bindConfigs(zone.configs) };
  const part = readCustomPart([bound], undefined, undefined, "documented");
  const side = part?.sides[0];
  if (part === undefined || side === undefined) throw new RangeError("The zone has no custom rules.");
  const { program } = side;
  const { within, shared, meter } = createLimit(options);
  const variables = once(meter, () => shared(() => part.createVariables([], {}, meter)));
  const formulaOf = createFormulas(part, side);
  const challengePassed = () => variables().where(part.challengePassed);
  const matches = (at: number, assumed: Assumed = {}) => variables().where(formulaOf(at, assumed));
  const isNever = (diagram: DecisionDiagram) => variables().isUnsatisfiable(diagram);
  const combined = (connective: "and" | "or", [first = 0, ...rest]: readonly DecisionDiagram[]) =>
    rest.reduce((left, right) => variables().diagrams.combine(connective, left, right), first);
  const not = (diagram: DecisionDiagram) => variables().diagrams.not(diagram);
  return {
    zone,
    custom,
    program,
    matches,
    all: (...diagrams) => combined("and", diagrams),
    any: (...diagrams) => combined("or", diagrams),
    not,
    isNever,
    groupOf: (at) => ({
      where: (tree) => variables().where(part.formulaOf(0, tree)),
      diagrams: variables().diagrams,
      isNever,
      undecided: part.freeParts(variables(), matches(at)).map(({ text }) => text),
    }),
    unlessPassed: (at) => not(stepOf(side, at).ends === "challenge" ? challengePassed() : 0),
    reach: (at, wanted, { without, toEnd = false } = {}) => {
      const assumed = without === undefined ? {} : { without };
      const searched: SearchedProgram<CompiledCustom> = {
        program,
        variables: variables(),
        meter,
        challengePassed: part.challengePassed,
        formulaAt: (step) => formulaOf(step, assumed),
      };
      return findAssignment(searched, at, wanted, toEnd);
    },
    within,
  };
}

/** The formulas of steps, and of parts of their expressions. */
function createFormulas(part: CustomPart, side: CustomSide) {
  const known = new Map<string | undefined, Map<number, Formula>>();
  return (at: number, { without, except = [] }: Assumed): Formula => {
    const { expression } = stepOf(side, at);
    const whole = side.formulas[at] ?? never;
    if (without === undefined || expression === undefined) return whole;
    const translate = () => part.stepFormula(0, at, assume(expression.tree, without, except));
    if (except.length > 0) return translate();
    const ofConfig = known.get(without) ?? new Map<number, Formula>();
    known.set(without, ofConfig);
    const formula = ofConfig.get(at) ?? translate();
    ofConfig.set(at, formula);
    return formula;
  };
}

/** An expression in which the tests that a missing token decides have their values. */
function assume(tree: Expression, without: string, except: readonly Test[]): Expression {
  if (tree.kind === "not") return { ...tree, operand: assume(tree.operand, without, except) };
  if (tree.kind === "combination")
    return { ...tree, operands: tree.operands.map((operand) => assume(operand, without, except)) };
  const value = withoutClaims(tree, without);
  if (value === undefined) return tree;
  return { kind: "constant", value: value !== except.includes(tree), isArray: false, span: tree.span };
}

/** Computes a value at first use; when that took too many steps, every use does. */
function once<T>(meter: Meter, compute: () => T): () => T {
  let state: { readonly value: T } | "new" | "failed" = "new";
  return () => {
    if (typeof state === "object") return state.value;
    if (state === "failed") {
      meter.left = 0;
      requireSteps(meter);
    }
    state = "failed";
    state = { value: compute() };
    return state.value;
  };
}

/** A limit for each question, and a multiple of it for all together. */
function createLimit(options: AnalysisOptions) {
  const { left: limit } = createMeter(options);
  let total = limit * maxExhaustedQuestions;
  const meter = { left: limit };
  const within = <T>(work: () => T): T | undefined => {
    const given = Math.min(limit, total);
    const outer = meter.left;
    meter.left = given;
    const result = withinBudget<T | undefined>(work, () => undefined);
    total -= given - Math.max(0, meter.left);
    meter.left = outer;
    return result;
  };
  /** Work for all questions counts towards the limit of all together only. */
  const shared = <T>(work: () => T): T => {
    const outer = meter.left;
    meter.left = total;
    try {
      return work();
    } finally {
      total = Math.max(0, meter.left);
      meter.left = outer;
    }
  };
  return { within, shared, meter };
}

/** More about a finding. */
type More = Partial<Omit<Diagnostic<AnalysisCheck>, "rule" | "message" | "pointer" | "subject">>;

/** Creates a finding about a rule, or about a member of it. */
export function ruleFinding(
  check: AnalysisCheck,
  { ruleset, rule, at }: Pick<CustomStep, "ruleset" | "rule" | "at">,
  message: string,
  { member, ...more }: More & { readonly member?: string } = {},
): Diagnostic<AnalysisCheck> {
  return diagnostic(analysisChecks, check, message, {
    pointer: member === undefined ? at : `${at}/${member}`,
    subject: { ruleset: ruleset.id, rule: rule.id },
    ...more,
  });
}

/** The findings of a question, or that it is too large. */
export function attempt(
  { within }: CustomAnalysis,
  step: CustomStep,
  work: () => readonly Diagnostic<AnalysisCheck>[],
): readonly Diagnostic<AnalysisCheck>[] {
  const message =
    "The analysis of the rule is not complete: the question needs more than the allowed number of steps.";
  return within(work) ?? [ruleFinding("search-limit", step, message)];
}
