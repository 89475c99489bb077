/** The action that rules take, as functions of the request. */

import type { Precedence } from "../zone/evaluate-rules.ts";
import type { ReadRule } from "../zone/zone-input.ts";
import type { BoundConfigs } from "./bound-expression.ts";
import { alwaysFalse, type DecisionDiagram } from "./requests/decision-diagram.ts";
import type { RequestVariables } from "./requests/variables.ts";

/** Of the rules that match an operation, those that are evaluated. */
export function evaluatedRules(rules: readonly ReadRule[], precedence: Precedence): readonly ReadRule[] {
  const enabled = rules.filter(({ rule }) => rule.enabled);
  return precedence === "first" ? enabled.slice(0, 1) : enabled;
}

/** The assignments for which each action is taken. */
export interface ActionDiagrams {
  readonly block: DecisionDiagram;
  readonly log: DecisionDiagram;
}

/** A rule acts when its expression is false; a block overrides every log. */
export function actionDiagrams(
  { diagrams, diagramOf }: RequestVariables,
  rules: readonly ReadRule[],
  configs: BoundConfigs,
): ActionDiagrams {
  const acting = (action: string) =>
    rules
      .filter(({ rule }) => rule.action === action)
      .map(({ expression }) => diagrams.not(diagramOf(expression, configs)))
      .reduce((a, b) => diagrams.combine("or", a, b), alwaysFalse);
  const block = acting("block");
  return { block, log: diagrams.combine("and", acting("log"), diagrams.not(block)) };
}
