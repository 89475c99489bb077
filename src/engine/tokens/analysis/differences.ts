/** The requests that two zones treat differently: custom rules first, then token rules for what these let pass. */

import type { Precedence } from "../zone/evaluate-rules.ts";
import type { ReadRule } from "../zone/zone-input.ts";
import { actionDiagrams } from "./action-diagrams.ts";
import type { BoundConfigs } from "./bound-expression.ts";
import { firedRules, firingsDiffer } from "./fired-rules.ts";
import { mapPair, type Pair } from "./pair.ts";
import { anyOf, type DecisionDiagram } from "./requests/decision-diagram.ts";
import type { RequestVariables } from "./requests/variables.ts";
import { type CustomOutcome, rulesDiffer } from "./rulesets/outcomes.ts";

/** The rules of one zone for a class of requests. */
export interface DecidingSide {
  readonly rules: readonly ReadRule[];
  readonly configs: BoundConfigs;
  readonly custom: CustomOutcome;
}

/** The requests for which a zone takes each action; for all others it is `allow`. */
export function zoneActions(
  variables: RequestVariables,
  { rules, configs, custom }: DecidingSide,
): Readonly<Record<"block" | "challenge" | "log", DecisionDiagram>> {
  const { diagrams } = variables;
  const both = (a: DecisionDiagram, b: DecisionDiagram) => diagrams.combine("and", a, b);
  const tokens = actionDiagrams(variables, rules, configs);
  const passed = diagrams.not(custom.ended);
  const block = diagrams.combine("or", custom.block, both(passed, tokens.block));
  const logs = diagrams.combine("or", custom.logged, tokens.log);
  const log = both(both(passed, diagrams.not(tokens.block)), logs);
  return { block, log, challenge: custom.challenge };
}

/** The requests whose actions differ. */
export function actionsDiffer(variables: RequestVariables, sides: Pair<DecidingSide>): DecisionDiagram {
  const { diagrams } = variables;
  const [left, right] = mapPair(sides, (side) => zoneActions(variables, side));
  return anyOf(
    diagrams,
    (["block", "challenge", "log"] as const).map((action) =>
      diagrams.combine("xor", left[action], right[action]),
    ),
  );
}

/** The requests whose decisions differ: the action, the rule that decided, or the list of token rules that logged. */
export function decisionsDiffer(
  variables: RequestVariables,
  sides: Pair<DecidingSide>,
  precedence: Precedence,
): DecisionDiagram {
  const { diagrams } = variables;
  const both = (a: DecisionDiagram, b: DecisionDiagram) => diagrams.combine("and", a, b);
  const [left, right] = mapPair(sides, ({ rules, configs, custom }) => {
    const passed = diagrams.not(custom.ended);
    const tokens = actionDiagrams(variables, rules, configs);
    const acted = diagrams.combine("or", tokens.block, tokens.log);
    const undecided = both(passed, diagrams.not(acted));
    return {
      fired: firedRules(variables, rules, configs).map((firedRule) => ({
        ...firedRule,
        fires: both(passed, firedRule.fires),
      })),
      endedBy: custom.endedBy,
      loggedBy: new Map([...custom.loggedBy].map(([rule, where]) => [rule, both(where, undecided)])),
      byCustom: diagrams.combine("or", custom.ended, both(custom.logged, undecided)),
    };
  });
  const byTokens = diagrams.not(both(left.byCustom, right.byCustom));
  return anyOf(diagrams, [
    ...rulesDiffer(diagrams, left.endedBy, right.endedBy),
    ...rulesDiffer(diagrams, left.loggedBy, right.loggedBy),
    firingsDiffer(diagrams, [left.fired, right.fired], precedence, byTokens),
  ]);
}
