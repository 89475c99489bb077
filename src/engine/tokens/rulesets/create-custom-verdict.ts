/** Derives the custom part of a verdict from the evaluation of the custom rules. */

import type { CompiledCustom, CustomLeaf } from "../expression/custom/compile.ts";
import type {
  CustomLeafTrace,
  CustomOutcome,
  CustomRuleName,
  CustomRuleResult,
  CustomTrace,
  CustomVerdict,
} from "./custom-verdict.ts";
import { type CustomEvaluation, resultsOfSteps } from "./evaluate-rulesets.ts";
import type { Step } from "./program.ts";

/** The response of a rule with `block` that states none (`observed`). */
const defaultStatus = 403;

/** The action of the custom rules alone. */
export function customOutcome({ run: { ends, isCutShort } }: CustomEvaluation): CustomOutcome {
  const actions = new Set(ends.map(({ action }) => action));
  const [only] = actions;
  return only === undefined || actions.size > 1 || isCutShort ? "undecided" : only;
}

/** Derives the verdict. */
export function createCustomVerdict(evaluation: CustomEvaluation): CustomVerdict {
  const { run } = evaluation;
  const action = customOutcome(evaluation);
  const step = action === "undecided" ? undefined : decidingStep(evaluation);
  const response = action === "block" ? responseOf(evaluation) : undefined;
  const kind = action === "challenge" ? kindOf(evaluation) : undefined;
  return Object.freeze({
    action,
    ...(kind && { kind }),
    ...(response && { response }),
    ...(step && { rule: nameOf(step) }),
    skipped: Object.freeze({ phases: Object.freeze(run.phases), products: Object.freeze(run.products) }),
    rules: Object.freeze(ruleResults(evaluation)),
    expressions: Object.freeze(traces(evaluation)),
    needs: Object.freeze(action === "undecided" ? neededNames(evaluation) : []),
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

function nameOf({ ruleset, rule: { id, action, description } }: CustomStep): CustomRuleName {
  return Object.freeze({
    ruleset: ruleset.id,
    rule: id,
    ...(description !== undefined && { description }),
    action,
  });
}

function ruleResults(evaluation: CustomEvaluation): CustomRuleResult[] {
  return resultsOfSteps(evaluation).map((result, at) =>
    Object.freeze({ ...nameOf(stepAt(evaluation, at)), result }),
  );
}

function traces(evaluation: CustomEvaluation): CustomTrace[] {
  const { program, results } = evaluation;
  return Array.from(results).map(([at, value]) => {
    const { ruleset, rule, expression } = program.steps[at] as CustomStep;
    const leaves = (expression?.leaves ?? []).map((leaf) => traceLeaf(leaf, evaluation));
    const known = value === undefined ? {} : { value };
    return Object.freeze({ ruleset: ruleset.id, rule: rule.id, ...known, leaves: Object.freeze(leaves) });
  });
}

function traceLeaf(leaf: CustomLeaf, { values, reasonOf }: CustomEvaluation): CustomLeafTrace {
  const value = leaf.test(values);
  const read = leaf.value(values);
  const rejected = leaf.configs.flatMap((id) => reasonOf(id) ?? []).filter((reason) => reason !== "valid");
  const reasons = [...rejected, ...new Set(leaf.exceeded(values))];
  const found = read === "missing" && reasons.length > 0 ? `missing: ${reasons.join(", ")}` : read;
  return Object.freeze({
    text: leaf.text,
    ...(value !== undefined && { value }),
    ...(found !== "" && { found }),
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
