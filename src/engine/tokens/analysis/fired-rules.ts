/** The rules that fire, as functions of the request. */

import type { Precedence } from "../zone/evaluate-rules.ts";
import type { ReadRule } from "../zone/zone-input.ts";
import type { BoundConfigs } from "./bound-expression.ts";
import { mapPair, type Pair } from "./pair.ts";
import {
  alwaysFalse,
  alwaysTrue,
  anyOf,
  type DecisionDiagram,
  type DiagramManager,
} from "./requests/decision-diagram.ts";
import type { RequestVariables } from "./requests/variables.ts";

/** The requests for which a rule is evaluated, and those for which it fires. */
export interface FiredRule {
  readonly rule: ReadRule;
  readonly reached: DecisionDiagram;
  readonly fires: DecisionDiagram;
}

/** When each of the rules that are evaluated fires: never after a `block` that did. */
export function firedRules(
  { diagrams, diagramOf }: RequestVariables,
  rules: readonly ReadRule[],
  configs: BoundConfigs,
): FiredRule[] {
  let reached: DecisionDiagram = alwaysTrue;
  return rules.map((rule) => {
    const passes = diagramOf(rule.expression, configs);
    const fires = diagrams.combine("and", reached, diagrams.not(passes));
    const fired = { rule, reached, fires };
    if (rule.rule.action === "block") reached = diagrams.combine("and", reached, passes);
    return fired;
  });
}

/**
 * The requests for which other rules fire, or in another order. `decided` are those for which a rule decides even when
 * none fires.
 */
export function firingsDiffer(
  diagrams: DiagramManager,
  sides: Pair<readonly FiredRule[]>,
  precedence: Precedence,
  decided: DecisionDiagram = alwaysTrue,
): DecisionDiagram {
  const [left, right] = mapPair(sides, ([first]) => first?.rule.rule.id);
  // Where the first rule decides, it does so whether it fires or not.
  const others = precedence === "first" && left !== right ? decided : alwaysFalse;
  return anyOf(diagrams, [others, ...otherRulesFire(diagrams, sides), ...otherOrder(diagrams, sides)]);
}

/** A rule with another action is another rule. */
function keyOf({ rule: { rule } }: FiredRule): string {
  return JSON.stringify([rule.id, rule.action]);
}

function otherRulesFire(diagrams: DiagramManager, sides: Pair<readonly FiredRule[]>): DecisionDiagram[] {
  const [left, right] = mapPair(sides, (rules) => new Map(rules.map((fired) => [keyOf(fired), fired.fires])));
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].map((key) =>
    diagrams.combine("xor", left.get(key) ?? alwaysFalse, right.get(key) ?? alwaysFalse),
  );
}

/** Two rules that fire in another order. */
function otherOrder(diagrams: DiagramManager, [left, right]: Pair<readonly FiredRule[]>): DecisionDiagram[] {
  const positions = new Map(right.map((fired, i) => [keyOf(fired), i]));
  const shared = left.flatMap((fired) => {
    const position = positions.get(keyOf(fired));
    return position === undefined ? [] : [{ fires: fired.fires, position }];
  });
  return shared.flatMap((earlier, i) =>
    shared
      .slice(i + 1)
      .filter((other) => other.position < earlier.position)
      .map((other) => diagrams.combine("and", earlier.fires, other.fires)),
  );
}
