/** Evaluates the custom rules of a zone for a request. */

import type { CompiledCustom } from "../expression/compile.ts";
import type { RequestValues } from "../expression/values/request-values.ts";
import { type FindCandidates, indexCandidates } from "./candidates.ts";
import type { ReadRulesets } from "./input/read-rulesets.ts";
import { createProgram, type Program, type Step } from "./program.ts";
import { type Run, runProgram, type StepResult } from "./run.ts";

/** Rulesets, ready to be evaluated. */
export interface CompiledRulesets {
  readonly program: Program<CompiledCustom>;
  readonly candidates: FindCandidates;
}

/** The evaluation of the custom rules for one request. */
export interface CustomEvaluation {
  readonly program: Program<CompiledCustom>;
  readonly run: Run;
  /** The evaluated steps with an expression that is not false, in order; undefined: unknown. */
  readonly results: ReadonlyMap<number, boolean | undefined>;
  readonly values: RequestValues;
  readonly challengePassed: boolean;
}

/** The part of a request that custom rules read. */
export type CustomInput = Pick<CustomEvaluation, "values" | "challengePassed">;

/** Compiles rulesets. */
export function compileRulesets(read: ReadRulesets<CompiledCustom>): CompiledRulesets {
  const program = createProgram(read);
  return { program, candidates: indexCandidates(program) };
}

/** The values of the expressions of some steps; undefined: unknown. */
export type StepValues = ReadonlyMap<number, boolean | undefined>;

const noValues: StepValues = new Map();

/** Evaluates the rules that can match a host and a method. Some steps can have `others` in place of their own values. */
export function evaluateRulesets(
  { program, candidates }: CompiledRulesets,
  given: CustomInput,
  others = noValues,
): CustomEvaluation {
  const { values, challengePassed } = given;
  const results = new Map<number, boolean | undefined>();
  const own = candidates(values);
  const run = runProgram({
    program,
    candidates: others.size === 0 ? own : [...new Set([...own, ...others.keys()])].sort((a, b) => a - b),
    valueAt: (at) => {
      const step = program.steps[at] as Step<CompiledCustom>;
      const value = others.has(at) ? others.get(at) : valueAtStep(step, step.expression?.test(values));
      if (value !== false) results.set(at, value);
      return value;
    },
    challengePassed,
  });
  return { program, run, results, ...given };
}

/** Whether a step matches, by the value of its expression. */
export function valueAtStep({ rule }: Step<CompiledCustom>, value: boolean | undefined): boolean | undefined {
  // Whether credentials are exposed, which `rewrite` is for, is not simulated: the rule may match where its expression is true.
  const isSimulated = rule.exposed_credential_check === undefined && rule.action !== "rewrite";
  return value === true && !isSimulated ? undefined : value;
}

/** The results of all steps, by running the program again over the recorded values. */
export function resultsOfSteps({ program, results, challengePassed }: CustomEvaluation): StepResult[] {
  const found: StepResult[] = program.steps.map(({ enabled }) => (enabled ? "not_reached" : "disabled"));
  runProgram({
    program,
    candidates: program.steps.keys(),
    valueAt: (at) => (results.has(at) ? results.get(at) : false),
    challengePassed,
    onResult: (at, result) => {
      found[at] = result;
    },
  });
  return found;
}

/** Whether the custom rules end the evaluation, whatever is unknown, so that no token rule is evaluated. */
export function customRulesEnd({ run: { ends, isCutShort } }: CustomEvaluation): boolean {
  return !isCutShort && ends.every(({ action }) => action === "block" || action === "challenge");
}
