/** The decisions of the custom rules of a zone, as functions of the request, and what is left to token rules. */

import type { Pair } from "../pair.ts";
import {
  alwaysFalse,
  anyOf,
  type DecisionDiagram,
  type DiagramManager,
} from "../requests/decision-diagram.ts";
import type { RequestVariables } from "../requests/variables.ts";
import { type CustomPart, type CustomSide, stepOf } from "./custom-part.ts";
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
}

/** The decision of a zone without custom rules. */
export const noOutcome: CustomOutcome = {
  block: alwaysFalse,
  challenge: alwaysFalse,
  ended: alwaysFalse,
  logged: alwaysFalse,
  endedBy: new Map(),
  loggedBy: new Map(),
};

/** The decisions of the custom rules of both zones. */
export function customOutcomes(part: CustomPart, variables: RequestVariables): Pair<CustomOutcome> {
  const [left, right] = part.sides;
  return [customOutcome(part, variables, left), customOutcome(part, variables, right)];
}

/** The requests that the custom rules of both zones treat differently, whatever token rules do. */
export function outcomesDiffer(
  { diagrams }: RequestVariables,
  [left, right]: Pair<CustomOutcome>,
  observation: "action" | "decision",
): DecisionDiagram {
  const differ = (a: DecisionDiagram, b: DecisionDiagram) => diagrams.combine("xor", a, b);
  if (observation === "action")
    return anyOf(diagrams, [
      differ(left.block, right.block),
      differ(left.challenge, right.challenge),
      differ(left.logged, right.logged),
    ]);
  return anyOf(diagrams, [
    ...rulesDiffer(diagrams, left.endedBy, right.endedBy),
    ...rulesDiffer(diagrams, left.loggedBy, right.loggedBy),
  ]);
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
  const { ends, firstLogs } = part.run(variables, side);
  const where = (steps: readonly StepDiagram[]) =>
    anyOf(
      diagrams,
      steps.map((one) => one.where),
    );
  const ofKind = (kind: "block" | "challenge") =>
    where(ends.filter(({ at }) => stepOf(side, at).ends === kind));
  const byRule = (steps: readonly StepDiagram[]) => {
    const found = new Map<string, DecisionDiagram>();
    for (const { at, where: one } of steps) {
      const { rule, ends: kind } = stepOf(side, at);
      const key = JSON.stringify([rule.id, kind ?? rule.action]);
      found.set(key, diagrams.combine("or", found.get(key) ?? alwaysFalse, one));
    }
    return found;
  };
  return {
    block: ofKind("block"),
    challenge: ofKind("challenge"),
    ended: where(ends),
    logged: where(firstLogs),
    endedBy: byRule(ends),
    loggedBy: byRule(firstLogs),
  };
}
