/** Evaluates the custom rules of a zone for a request. */

import type { CompiledCustom } from "../expression/custom/compile.ts";
import type { CustomValues } from "../expression/custom/values/request-values.ts";
import type { Reason } from "../model.ts";
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
  readonly values: CustomValues;
  readonly challengePassed: boolean;
  /** The outcome of the check of a configuration's token; undefined when it was not checked. */
  readonly reasonOf: (configId: string) => Reason | undefined;
}

/** The part of a request that custom rules read. */
export type CustomInput = Pick<CustomEvaluation, "values" | "challengePassed" | "reasonOf">;

/** Compiles rulesets. */
export function compileRulesets(read: ReadRulesets<CompiledCustom>): CompiledRulesets {
  const program = createProgram(read);
  return { program, candidates: indexCandidates(program) };
}

/** Evaluates the rules that can match a host and a method. */
export function evaluateRulesets(
  { program, candidates }: CompiledRulesets,
  given: CustomInput,
): CustomEvaluation {
  const { values, challengePassed } = given;
  const results = new Map<number, boolean | undefined>();
  const run = runProgram({
    program,
    candidates: candidates(values),
    valueAt: (at) => {
      const value = valueAtStep(program.steps[at] as Step<CompiledCustom>, values);
      if (value !== false) results.set(at, value);
      return value;
    },
    challengePassed,
  });
  return { program, run, results, ...given };
}

function valueAtStep({ expression, rule }: Step<CompiledCustom>, values: CustomValues): boolean | undefined {
  const value = expression?.test(values);
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
