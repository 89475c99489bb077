/** Compares the action and the outcome of a verdict with expected ones: for matchers, `eval` and suites alike. */

import { neededFields } from "./decider.ts";
import { unevaluated } from "./lazy-verdict.ts";
import { unevaluatedOutcome } from "./unevaluated.ts";
import type { Outcome, Verdict, VerdictAction } from "./verdict.ts";

/** An expected action; an outcome without any evaluated rule must be stated. */
export interface ExpectedAction {
  readonly action: VerdictAction;
  readonly outcome?: Outcome | undefined;
}

/** The differences, each a part of a sentence; empty when the verdict is as expected. */
export function actionMismatches(verdict: Verdict, { action, outcome }: ExpectedAction): string[] {
  const needed = neededFields(verdict);
  return [
    ...(needed === undefined ? [] : [needed.replace(/\.$/, "")]),
    ...(verdict.action === action ? [] : [`action ${action} was expected, but it is ${verdict.action}`]),
    ...(outcome === undefined || outcome === verdict.outcome
      ? []
      : [`outcome ${outcome} was expected, but it is ${verdict.outcome}`]),
    ...(outcome === undefined ? unstatedOutcome(verdict) : []),
  ];
}

/** That no rule was evaluated, when it was not stated; empty when one was. */
export function unstatedOutcome(verdict: Verdict): string[] {
  const outcome = unevaluatedOutcome(verdict);
  if (outcome === undefined) return [];
  const reason = unevaluated(verdict);
  return [
    `no rule was evaluated${reason === undefined ? "" : `: ${reason}`}${reason?.endsWith("?") ? "" : "."} If that is meant, expect the outcome \`${outcome}\``,
  ];
}
