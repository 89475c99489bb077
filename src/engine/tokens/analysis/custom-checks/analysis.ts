/** The custom rules of a zone under analysis: their program, the requests that reach each rule, and a limit of work. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { diagnostic } from "../../../../core/diagnostic.ts";
import type { CompiledCustom } from "../../expression/custom/compile.ts";
import { createProgram, type Program, type Step } from "../../rulesets/program.ts";
import type { ReadCustomRules, ReadZone } from "../../zone/zone-input.ts";
import { type AnalysisOptions, createMeter, maxExhaustedQuestions, withinBudget } from "../budget.ts";
import { type AnalysisCheck, analysisChecks } from "../findings/checks.ts";
import type { DecisionDiagram } from "../requests/decision-diagram.ts";
import { type Assumed, type Conditions, createConditions } from "./conditions.ts";
import { runSymbolically, type SymbolicRun } from "./symbolic-run.ts";

/** A rule at one place of the evaluation. */
export type CustomStep = Step<CompiledCustom>;

/** The analysis of the custom rules of a zone. */
export interface CustomAnalysis {
  readonly zone: ReadZone;
  readonly custom: ReadCustomRules;
  readonly program: Program<CompiledCustom>;
  readonly conditions: Conditions;
  /** The requests whose client has passed a challenge. */
  readonly challengePassed: DecisionDiagram;
  /** The requests for which a rule with an expression matches. */
  matches(step: CustomStep, assumed?: Assumed): DecisionDiagram;
  /** The run over all requests, or over those without a valid token of a configuration. */
  run(without?: string): SymbolicRun;
  /** Does work within the limit of one question; undefined when that is reached. */
  within<T>(work: () => T): T | undefined;
}

/** Starts the analysis. */
export function startCustomAnalysis(
  zone: ReadZone,
  custom: ReadCustomRules,
  options: AnalysisOptions,
): CustomAnalysis {
  const program = createProgram(custom.rulesets);
  const { within, meter } = createLimit(options);
  const trees = program.steps.flatMap(({ expression }) => expression?.tree ?? []);
  const conditions = createConditions(custom.program, trees, meter);
  const challengePassed = conditions.free("challengePassed");
  const runs = new Map<string | undefined, SymbolicRun>();
  const matches = (step: CustomStep, assumed: Assumed = {}): DecisionDiagram => {
    const { ruleset, rule, expression } = step;
    const isKnown = expression !== undefined && rule.exposed_credential_check === undefined;
    const known = expression && conditions.of(expression.tree, assumed);
    if (isKnown && known !== undefined) return known;
    const open = conditions.free(JSON.stringify([ruleset.id, rule.id]));
    return known === undefined ? open : conditions.diagrams.combine("and", known, open);
  };
  const run = (without?: string): SymbolicRun => {
    const assumed = without === undefined ? {} : { without };
    const known = runs.get(without);
    if (known !== undefined) return known;
    const conditionAt = (step: CustomStep) => matches(step, assumed);
    const { diagrams } = conditions;
    const found = runSymbolically({ program, diagrams, conditionAt, challengePassed, within });
    runs.set(without, found);
    return found;
  };
  return { zone, custom, program, conditions, challengePassed, matches, run, within };
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
  return { within, meter };
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
  const message = "The analysis is not complete: the question needs more than the allowed number of steps.";
  return within(work) ?? [ruleFinding("undecided", step, message)];
}
