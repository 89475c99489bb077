/** The decisions of the custom rules of a zone, as functions of the request, and what is left to token rules. */

import type { CustomRule } from "../../rulesets/model.ts";
import { skipEffect } from "../../rulesets/skip-targets.ts";
import { isRecorded } from "../../verdict/effect.ts";
import type { Observation } from "../observation.ts";
import type { Pair } from "../pair.ts";
import {
  alwaysFalse,
  anyOf,
  type DecisionDiagram,
  type DiagramManager,
} from "../requests/decision-diagram.ts";
import type { RequestVariables } from "../requests/variables.ts";
import { type CustomPart, type CustomSide, stepOf } from "./ruleset-part.ts";
import type { StepDiagram } from "./run-diagrams.ts";

/** The decision of the custom rules of one zone. */
export interface CustomOutcome {
  readonly block: DecisionDiagram;
  readonly challenge: DecisionDiagram;
  /** Either of them: no token rule is evaluated. */
  readonly ended: DecisionDiagram;
  /** A rule with `log` fired. */
  readonly logged: DecisionDiagram;
  /** By the rule that ended the evaluation, and by the first that logged. */
  readonly endedBy: ReadonlyMap<string, DecisionDiagram>;
  readonly loggedBy: ReadonlyMap<string, DecisionDiagram>;
  /** By each effect beside the action, as `CustomEffect` has them. */
  readonly effects: ReadonlyMap<string, DecisionDiagram>;
}

/** The decision of a zone without custom rules. */
export const noOutcome: CustomOutcome = {
  block: alwaysFalse,
  challenge: alwaysFalse,
  ended: alwaysFalse,
  logged: alwaysFalse,
  endedBy: new Map(),
  loggedBy: new Map(),
  effects: new Map(),
};

/** The decisions of the custom rules of both zones. */
export function customOutcomes(part: CustomPart, variables: RequestVariables): Pair<CustomOutcome> {
  const [left, right] = part.sides;
  return [customOutcome(part, variables, left), customOutcome(part, variables, right)];
}

/** The requests that the custom rules of both zones treat differently, whatever token rules do. */
export function outcomesDiffer(
  { diagrams }: RequestVariables,
  outcomes: Pair<CustomOutcome>,
  observation: Observation,
): DecisionDiagram {
  const [left, right] = outcomes;
  const actions = (["block", "challenge", "logged"] as const).map((action) =>
    diagrams.combine("xor", left[action], right[action]),
  );
  return anyOf(diagrams, [
    ...(observation === "action" ? [] : effectsDiffer(diagrams, outcomes)),
    ...(observation === "decision"
      ? [
          ...rulesDiffer(diagrams, left.endedBy, right.endedBy),
          ...rulesDiffer(diagrams, left.loggedBy, right.loggedBy),
        ]
      : actions),
  ]);
}

/** For each effect of custom rules, the requests that have it in one zone only. */
export function effectsDiffer(
  diagrams: DiagramManager,
  [left, right]: Pair<CustomOutcome>,
): DecisionDiagram[] {
  return rulesDiffer(diagrams, left.effects, right.effects);
}

/** For each rule, the requests for which it does something in one zone only. */
export function rulesDiffer(
  { combine }: DiagramManager,
  left: ReadonlyMap<string, DecisionDiagram>,
  right: ReadonlyMap<string, DecisionDiagram>,
): DecisionDiagram[] {
  return [...new Set([...left.keys(), ...right.keys()])].map((key) =>
    combine("xor", left.get(key) ?? alwaysFalse, right.get(key) ?? alwaysFalse),
  );
}

/** The decision of the custom rules of a zone. */
export function customOutcome(
  part: CustomPart,
  variables: RequestVariables,
  side: CustomSide | undefined,
): CustomOutcome {
  if (side === undefined) return noOutcome;
  const { diagrams } = variables;
  const { ends, firstLogs, matched } = part.run(variables, side);
  const where = (steps: readonly StepDiagram[]) =>
    anyOf(
      diagrams,
      steps.map(({ where }) => where),
    );
  const ofKind = (kind: "block" | "challenge") =>
    where(ends.filter(({ at }) => stepOf(side, at).ends === kind));
  const byKey = (steps: readonly StepDiagram[], keysOf: (at: number) => readonly string[]) => {
    const found = new Map<string, DecisionDiagram>();
    for (const { at, where: diagram } of steps)
      for (const key of keysOf(at))
        found.set(key, diagrams.combine("or", found.get(key) ?? alwaysFalse, diagram));
    return found;
  };
  const byRule = (steps: readonly StepDiagram[]) =>
    byKey(steps, (at) => {
      const { rule, ends: kind } = stepOf(side, at);
      return [JSON.stringify([rule.id, kind ?? rule.action])];
    });
  const acting = [...matched].map(([at, where]) => ({ at, where }));
  const ended = where(ends);
  const goesOn = diagrams.not(ended);
  const skips = acting.filter(({ at }) => stepOf(side, at).rule.action === "skip");
  return {
    block: ofKind("block"),
    challenge: ofKind("challenge"),
    ended,
    logged: where(firstLogs),
    endedBy: byRule(ends),
    loggedBy: byRule(firstLogs),
    effects: new Map([
      ...byKey(ends, (at) => endEffects(stepOf(side, at).rule)),
      ...byKey(acting, (at) => ruleEffects(stepOf(side, at).rule)),
      ...byKey(
        skips.map((skip) => ({ ...skip, where: diagrams.combine("and", skip.where, goesOn) })),
        (at) => skipEffect(side.program, at).later.map((name) => `skips ${name}`),
      ),
    ]),
  };
}

/** The kind of challenge, or the response that is stated. */
function endEffects({ action, action_parameters: parameters }: CustomRule): string[] {
  const { status_code, content_type, content } = parameters?.response ?? {};
  if (action !== "block") return [`kind ${action}`];
  return status_code === undefined ? [] : [JSON.stringify(["response", status_code, content_type, content])];
}

/** That the rule is recorded, or rewrites the request. */
function ruleEffects({ id, action, logging }: CustomRule): string[] {
  if (action === "rewrite") return [`rewritten by ${id}`];
  return isRecorded({ action, ...(logging && { logging: logging.enabled }) }) ? [`logged by ${id}`] : [];
}
