/** The requirements that a rule can fulfill, as functions of the requests of a class. */

import type { BoundConfig } from "../../analysis/bound-expression.ts";
import type { FiredRule } from "../../analysis/fired-rules.ts";
import { alwaysTrue, type DecisionDiagram } from "../../analysis/requests/decision-diagram.ts";
import type { TokenTestName } from "../../expression/language/functions.ts";
import { tokenTestOf, withTokenTest } from "../../expression/tree-queries.ts";
import type { ClassQuestions } from "../class-search.ts";
import { type Condition, conditionsOf, type TruthAlgebra } from "./conditions.ts";
import { requirementIds } from "./requirements.ts";

/** A requirement with the function of the requests that fulfill it. */
export interface RuleGoal {
  readonly id: string;
  readonly wanted: () => DecisionDiagram;
}

/** The goals of a rule in a class; only those that are asked for are computed. */
export function goalsOf(questions: ClassQuestions, fired: FiredRule): RuleGoal[] {
  const { variables, configs } = questions;
  const { diagrams, diagramOf } = variables;
  const { reached, fires, rule } = fired;
  const { id } = rule.rule;
  const and = (left: DecisionDiagram, right: DecisionDiagram) => diagrams.combine("and", left, right);
  const algebra: TruthAlgebra<DecisionDiagram> = {
    always: alwaysTrue,
    evaluate: (expression) => diagramOf(expression, configs),
    and,
    not: diagrams.not,
  };
  const conditions = conditionsOf(rule.expression, algebra);
  return [
    { id: requirementIds.fires(id), wanted: () => fires },
    { id: requirementIds.passes(id), wanted: () => and(reached, diagramOf(rule.expression, configs)) },
    ...conditions.flatMap(({ value, matters }, i) => [
      { id: requirementIds.condition(id, i, true), wanted: () => and(reached, and(matters, value)) },
      {
        id: requirementIds.condition(id, i, false),
        wanted: () => and(reached, and(matters, diagrams.not(value))),
      },
    ]),
    ...conditions.flatMap((condition) => tokenGoals(questions, reached, condition)),
  ];
}

/** Requests whose token decides: valid, missing, and from each source. */
function tokenGoals(
  { variables: { diagrams, diagramOf }, configs }: ClassQuestions,
  reached: DecisionDiagram,
  { leaf, value, matters }: Condition<DecisionDiagram>,
): RuleGoal[] {
  const tested = tokenTestOf(leaf);
  const config = tested && configs.get(tested.configId);
  if (tested === undefined || config === undefined) return [];
  const and = (...all: readonly DecisionDiagram[]) =>
    all.reduce((left, right) => diagrams.combine("and", left, right));
  const under = (name: TokenTestName, sources: BoundConfig["sources"]) =>
    diagramOf(withTokenTest(leaf, name), new Map([[config.id, { ...config, sources }]]));
  const decisive = () => and(reached, matters);
  const isMissing = () => diagrams.not(under("is_jwt_present", config.sources));
  const states =
    tested.test === "is_jwt_present"
      ? []
      : [
          { id: requirementIds.state(config.id, "valid"), wanted: () => and(decisive(), value) },
          { id: requirementIds.state(config.id, "missing"), wanted: () => and(decisive(), isMissing()) },
        ];
  return [
    ...states,
    ...config.sources.map((source, i) => ({
      id: requirementIds.source(config.id, i),
      wanted: () => {
        const earlier = config.sources.slice(0, i).map((other) => under("is_jwt_present", [other]));
        return and(decisive(), under(tested.test, [source]), ...earlier.map(diagrams.not));
      },
    })),
  ];
}
