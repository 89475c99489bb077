/** Custom rules that never act, or always do. */

import type { Diagnostic } from "../../../../../core/diagnostic.ts";
import { quote } from "../../../../../errors.ts";
import type { CompiledCustom } from "../../../expression/compile.ts";
import type { AnalysisCheck } from "../checks.ts";
import { expressionFindings } from "../expression-findings.ts";
import { type CustomAnalysis, type CustomStep, ruleFinding } from "./analysis.ts";

/** The findings about the expression of an enabled rule over all requests. */
export function constantFindings(
  { program, groupOf }: CustomAnalysis,
  place: number,
  { tree, notes }: CompiledCustom,
): Diagnostic<AnalysisCheck>[] {
  // That its claims are always missing is said already; in other zones of the account they may not be.
  const isNoted = (noted: string) => notes.some(({ kind }) => kind === noted);
  if (tree.kind === "constant" || isNoted("unknown-claims")) return [];
  const step = program.steps[place] as CustomStep;
  return expressionFindings(tree, [groupOf(place)], "custom")
    .filter(
      ({ rule }) => rule !== "not-analyzed" || !(isNoted("unknown-list") || isNoted("undecided-pattern")),
    )
    .map(({ rule, message, span }) =>
      ruleFinding(rule, step, message, { member: "expression", ...(span && { span }) }),
    );
}

/** Maximum number of rules that a message names. */
const maxNamed = 5;

/** The finding about a rule that no request reaches which it matches, at any of its places. */
export function reachFindings(
  { program, reach, all, matches, unlessPassed, isNever }: CustomAnalysis,
  places: readonly number[],
): Diagnostic<AnalysisCheck>[] {
  const [first] = places;
  if (first === undefined || isNever(matches(first))) return [];
  const endedBy: number[] = [];
  for (const at of places) {
    const found = reach(at, all(matches(at), unlessPassed(at)));
    if (found.assignment !== undefined) return [];
    endedBy.push(...found.endedBy);
  }
  const step = program.steps[first] as CustomStep;
  const earlier = [...new Set(endedBy)].flatMap((at) => program.steps[at] ?? []);
  const moving = earlier.filter(({ ends, rule }) => ends !== undefined || rule.action === "skip");
  const names = [...new Set(moving.map(({ rule }) => quote(rule.description || rule.id)))];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  const reason =
    names.length === 0
      ? "no enabled rule executes its ruleset for such a request"
      : `earlier rules end or skip the evaluation: ${names.slice(0, maxNamed).join(", ")}${more}`;
  const message = `The rule never acts, because for every request that it matches ${reason}.`;
  return [ruleFinding("unreachable", step, message)];
}
