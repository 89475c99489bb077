/** Requests for which each custom rule matches, and for which each is evaluated and does not. */

import { type AnalysisOptions, createMeter, type Meter, withinBudget } from "../../analysis/budget.ts";
import { alwaysFalse, type DecisionDiagram } from "../../analysis/requests/decision-diagram.ts";
import { findRequest } from "../../analysis/requests/search.ts";
import type { RequestVariables } from "../../analysis/requests/variables.ts";
import { describeFreeParts } from "../../analysis/rulesets/free-parts.ts";
import {
  type BoundZone,
  type CustomPart,
  readCustomPart,
  stepOf,
} from "../../analysis/rulesets/ruleset-part.ts";
import type { StepResult } from "../../rulesets/run.ts";
import type { ZoneTester } from "../mutants/zone-tester.ts";
import { namesOf } from "../request-name.ts";
import type { UnreachableRequirement } from "../requirements/unreachable.ts";
import { isTimeless, toSuiteTokens, type ValidRequest } from "./generated-request.ts";
import type { GeneratedRequest } from "./zone-evaluator.ts";

/** The intended behavior of a custom rule. */
export interface CustomGoal {
  /** Unique in its zone. */
  readonly id: string;
  readonly ruleset: string;
  readonly rule: string;
  readonly result: StepResult & ("matched" | "not_matched");
}

/** The id of a goal. */
export function goalId(ruleset: string, rule: string, result: StepResult): string {
  return JSON.stringify(["custom", ruleset, rule, result]);
}

/** The requests that were found, and the goals without one. */
export interface FoundGoals {
  readonly part: CustomPart;
  readonly goals: readonly CustomGoal[];
  readonly requests: readonly ValidRequest[];
  readonly unreachable: readonly UnreachableRequirement[];
}

/** Searches for a request for each goal; undefined for a zone without rulesets. */
export function findGoals(
  zone: BoundZone,
  tester: ZoneTester<GeneratedRequest>,
  options: AnalysisOptions,
): FoundGoals | undefined {
  const part = readCustomPart([zone]);
  const [side] = part?.sides ?? [];
  if (part === undefined || side === undefined) return undefined;
  const meter = createMeter(options);
  const goals = goalsOf(side.program.steps);
  const requests: ValidRequest[] = [];
  const unreachable: UnreachableRequirement[] = [];
  const search = withinBudget(
    () => createSearch(zone, part, tester, meter),
    (reason) => () => reason,
  );
  for (const goal of goals) {
    const found = withinBudget(
      () => search(goal),
      (reason) => reason,
    );
    if (typeof found === "object") requests.push(found);
    else unreachable.push(explain(zone, goal, found));
  }
  return { part, goals, requests, unreachable };
}

/** The goals of the rules that are evaluated, in order. */
function goalsOf(steps: readonly ReturnType<typeof stepOf>[]): CustomGoal[] {
  const goals = steps
    .filter(({ enabled }) => enabled)
    .flatMap(({ ruleset, rule }) =>
      (["matched", "not_matched"] as const).map((result): CustomGoal => {
        const id = goalId(ruleset.id, rule.id, result);
        return { id, ruleset: ruleset.id, rule: rule.id, result };
      }),
    );
  return [...new Map(goals.map((goal) => [goal.id, goal])).values()];
}

/** A request, why it is not known whether there is one, or undefined when there is none. */
type Search = (goal: CustomGoal) => ValidRequest | string | undefined;

function createSearch(
  zone: BoundZone,
  part: CustomPart,
  tester: ZoneTester<GeneratedRequest>,
  meter: Meter,
): Search {
  const variables = part.createVariables([], {}, meter);
  const wantedOf = createWanted(part, variables);
  return (goal) => {
    const wanted = wantedOf(goal);
    const search = findRequest(variables, wanted, (concrete) => {
      const found = toSuiteTokens(concrete, zone.configs);
      return found !== undefined && isTimeless(found) && isReached(tester, found, goal) ? found : undefined;
    });
    if (search.kind === "found") return search.confirmation;
    if (search.kind === "none") return undefined;
    return search.reason + describeFreeParts(part.freeParts(variables, wanted));
  };
}

/** The requests of each goal: at any of the places where its rule is evaluated. */
function createWanted(part: CustomPart, variables: RequestVariables): (goal: CustomGoal) => DecisionDiagram {
  const { diagrams } = variables;
  const [side] = part.sides;
  const wanted = new Map<string, DecisionDiagram>();
  if (side === undefined) return () => alwaysFalse;
  const { reached, matched } = part.run(variables, side);
  for (const [at, here] of reached) {
    const { ruleset, rule } = stepOf(side, at);
    const where = matched.get(at) ?? alwaysFalse;
    const results = { matched: where, not_matched: diagrams.combine("and", here, diagrams.not(where)) };
    for (const result of ["matched", "not_matched"] as const) {
      const id = goalId(ruleset.id, rule.id, result);
      wanted.set(id, diagrams.combine("or", wanted.get(id) ?? alwaysFalse, results[result]));
    }
  }
  return ({ id }) => wanted.get(id) ?? alwaysFalse;
}

function isReached(tester: ZoneTester<GeneratedRequest>, request: ValidRequest, goal: CustomGoal): boolean {
  const verdict = tester.start(request)?.verdict;
  if (verdict === undefined || verdict.action === "undecided") return false;
  return (verdict.custom?.rules ?? []).some(
    ({ ruleset, rule, result }) => ruleset === goal.ruleset && rule === goal.rule && result === goal.result,
  );
}

const phrases = { matched: "matches", not_matched: "is evaluated and does not match" } as const;

function explain(
  zone: BoundZone,
  { ruleset, rule, result }: CustomGoal,
  reason: string | undefined,
): UnreachableRequirement {
  return {
    requirement: `${namesOf(zone.read).customPaths.phraseOf(`${ruleset}/${rule}`)} ${phrases[result]}`,
    reason: reason ?? "No request does this: its expression or earlier rules decide first.",
    isProven: reason === undefined,
  };
}
