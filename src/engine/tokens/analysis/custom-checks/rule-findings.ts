/** Custom rules that never act, or always do. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { quote } from "../../../../errors.ts";
import type { CompiledCustom } from "../../expression/custom/compile.ts";
import { leavesOf } from "../../expression/custom/tree-queries.ts";
import type { AnalysisCheck } from "../findings/checks.ts";
import { alwaysFalse, alwaysTrue } from "../requests/decision-diagram.ts";
import { type CustomAnalysis, type CustomStep, ruleFinding } from "./analysis.ts";

/** The findings about the expression of an enabled rule over all requests. */
export function constantFindings(
  { conditions }: CustomAnalysis,
  step: CustomStep,
  { tree, text }: CompiledCustom,
): Diagnostic<AnalysisCheck>[] {
  const at = { member: "expression" };
  const value = conditions.of(tree);
  if (value === alwaysFalse)
    return [
      ruleFinding(
        "never-matches",
        step,
        "The expression is false for every request, so the rule never acts.",
        at,
      ),
    ];
  if (value === alwaysTrue)
    return tree.kind === "constant"
      ? []
      : [ruleFinding("always-matches", step, "The expression is true for every request.", at)];
  return leavesOf(tree).flatMap((leaf) => {
    const own = leaf.kind === "constant" ? undefined : conditions.of(leaf);
    if (own !== alwaysFalse && own !== alwaysTrue) return [];
    const part = quote(text.slice(leaf.span.start, leaf.span.end));
    const message = `${part} is ${own === alwaysTrue} for every request.`;
    return [ruleFinding("constant-comparison", step, message, { ...at, span: leaf.span })];
  });
}

/** Maximum number of rules that a message names. */
const maxNamed = 5;

/** The finding about a rule that no request reaches which it matches, at any of its places. */
export function reachFindings(
  analysis: CustomAnalysis,
  places: readonly number[],
): Diagnostic<AnalysisCheck>[] {
  const { program, run, conditions, matches } = analysis;
  const { steps } = run();
  const [first] = places;
  if (first === undefined || places.some((at) => steps[at]?.acts !== alwaysFalse)) return [];
  const step = program.steps[first] as CustomStep;
  const own = matches(step);
  if (own === alwaysFalse) return [];
  const earlier = program.steps.slice(0, first).filter((other, at) => {
    const acts = steps[at]?.acts ?? alwaysFalse;
    const isMoving = other.ends !== undefined || other.rule.action === "skip";
    return isMoving && conditions.diagrams.combine("and", acts, own) !== alwaysFalse;
  });
  const names = [...new Set(earlier.map(({ rule }) => quote(rule.description || rule.id)))];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  const reason =
    names.length === 0
      ? "no enabled rule executes its ruleset for such a request"
      : `earlier rules end or skip the evaluation: ${names.slice(0, maxNamed).join(", ")}${more}`;
  const message = `The rule never acts, because for every request that it matches ${reason}.`;
  return [ruleFinding("unreachable", step, message)];
}
