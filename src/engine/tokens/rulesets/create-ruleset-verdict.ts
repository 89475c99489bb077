/** Derives the custom part of a verdict from the evaluation of the custom rules. */

import type { CompiledCustom } from "../expression/compile.ts";
import type { Expression } from "../expression/tree.ts";
import type { TracedExpression } from "../verdict/trace-tree.ts";
import { type CustomEvaluation, resultsOfSteps } from "./evaluate-rulesets.ts";
import type { Step } from "./program.ts";
import type {
  CustomOutcome,
  CustomRuleName,
  CustomRuleResult,
  CustomTrace,
  CustomVerdict,
} from "./ruleset-verdict.ts";
import { skippedByKind } from "./skip-targets.ts";

/** Traces an expression. */
type TraceOf = (expression: Expression) => TracedExpression;

/** The response of a rule with `block` that states none (`observed`). */
const defaultStatus = 403;

/** The action of the custom rules alone. */
export function customOutcome({ run: { ends, isCutShort } }: CustomEvaluation): CustomOutcome {
  const actions = new Set(ends.map(({ action }) => action));
  const [only] = actions;
  return only === undefined || actions.size > 1 || isCutShort ? "undecided" : only;
}

const none: readonly never[] = Object.freeze([]);

/** Derives the verdict; expressions are traced when they are first read. */
export function createCustomVerdict(evaluation: CustomEvaluation, trace: TraceOf): CustomVerdict {
  const { run } = evaluation;
  let expressions: CustomVerdict["expressions"] | undefined;
  const action = customOutcome(evaluation);
  const step = action === "undecided" ? undefined : decidingStep(evaluation);
  const response = action === "block" ? responseOf(evaluation) : undefined;
  const kind = action === "challenge" ? kindOf(evaluation) : undefined;
  return Object.freeze({
    action,
    ...(kind && { kind }),
    ...(response && { response }),
    ...(step && { rule: nameOf(step) }),
    skipped: skippedOf(run),
    rules: Object.freeze(ruleResults(evaluation)),
    get expressions() {
      expressions ??= Object.freeze(traces(evaluation, evaluation.results.keys(), trace));
      return expressions;
    },
    needs: Object.freeze(action === "undecided" ? neededNames(evaluation) : []),
  });
}

/** Rulesets and rules are there when some are skipped. */
function skippedOf({ later }: CustomEvaluation["run"]): CustomVerdict["skipped"] {
  const { phases, products, rulesets, rules } = skippedByKind(later);
  return Object.freeze({
    phases: Object.freeze(phases),
    products: Object.freeze(products),
    ...(rulesets.length > 0 && { rulesets: Object.freeze(rulesets) }),
    ...(rules.length > 0 && { rules: Object.freeze(rules) }),
  });
}

type CustomStep = Step<CompiledCustom>;

function stepAt({ program }: CustomEvaluation, at: number): CustomStep {
  return program.steps[at] as CustomStep;
}

/** The action of the rules that may have decided; undefined when they differ. */
function kindOf(evaluation: CustomEvaluation): CustomRuleName["action"] | undefined {
  const kinds = new Set(
    evaluation.run.ends.map(({ step }) =>
      step === undefined ? undefined : stepAt(evaluation, step).rule.action,
    ),
  );
  const [only] = kinds;
  return kinds.size === 1 ? only : undefined;
}

function decidingStep(evaluation: CustomEvaluation): CustomStep | undefined {
  const [first, ...others] = evaluation.run.ends;
  if (first?.step === undefined || others.length > 0) return undefined;
  return stepAt(evaluation, first.step);
}

/** The response of the rules that may have decided; undefined when they differ. */
function responseOf(evaluation: CustomEvaluation): CustomVerdict["response"] {
  const responses = evaluation.run.ends.map(({ step }) => {
    const parameters = step === undefined ? undefined : stepAt(evaluation, step).rule.action_parameters;
    return parameters?.response ?? { status_code: defaultStatus };
  });
  const distinct = new Set(responses.map((response) => JSON.stringify(response)));
  return distinct.size === 1 ? responses[0] : undefined;
}

function nameOf({ ruleset, rule: { id, action, description, logging } }: CustomStep): CustomRuleName {
  return Object.freeze({
    ruleset: ruleset.id,
    rule: id,
    ...(description !== undefined && { description }),
    action,
    ...(logging && { logging: logging.enabled }),
  });
}

function ruleResults(evaluation: CustomEvaluation): CustomRuleResult[] {
  return resultsOfSteps(evaluation).map((result, at) =>
    Object.freeze({ ...nameOf(stepAt(evaluation, at)), result }),
  );
}

/** The expressions of every rule that matched or did not, or is unknown, in order. */
export function traceAll(evaluation: CustomEvaluation, trace: TraceOf): readonly CustomTrace[] {
  const steps = resultsOfSteps(evaluation).flatMap((result, at) =>
    result === "not_matched" || evaluation.results.has(at) ? at : [],
  );
  return Object.freeze(traces(evaluation, steps, trace));
}

function traces(evaluation: CustomEvaluation, steps: Iterable<number>, trace: TraceOf): CustomTrace[] {
  const { results } = evaluation;
  return Array.from(steps).flatMap((at) => {
    const { ruleset, rule, expression } = stepAt(evaluation, at);
    if (expression === undefined) return [];
    const { decidedBy, tree } = trace(expression.tree);
    const value = results.has(at) ? results.get(at) : false;
    const decided = value === undefined ? { decidedBy: none } : { value, decidedBy };
    return Object.freeze({ ruleset: ruleset.id, rule: rule.id, ...decided, tree });
  });
}

/** The names of the values that unknown rules need; of a rule that cannot be evaluated at all, the reason. */
function neededNames(evaluation: CustomEvaluation): string[] {
  const names = evaluation.run.unknown.flatMap((at) => {
    const { expression, rule } = stepAt(evaluation, at);
    if (expression === undefined) return [`rule ${rule.id}: ${rule.undecided ?? "not evaluated"}`];
    if (expression.test(evaluation.values) !== undefined)
      return [`rule ${rule.id}: exposed credentials are not simulated`];
    return expression.needs(evaluation.values);
  });
  return [...new Set(names)];
}
