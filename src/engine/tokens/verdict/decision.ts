/** The part of a verdict that tests observe: the action, the rule that decided, and the rules that logged. */

import { decidingRuleId } from "./custom-reason.ts";
import { type UnevaluatedOutcome, unevaluatedOutcome } from "./unevaluated.ts";
import type { PlainVerdict, VerdictAction } from "./verdict.ts";

/** The observed part of a verdict. */
export interface Decision {
  /** The action on the request. */
  readonly action: VerdictAction;
  /** Present when no rule was evaluated. */
  readonly outcome?: UnevaluatedOutcome;
  /** The id of the rule that decided; absent when none did. */
  readonly rule?: string;
  /** The ids of the `log` rules that fired, in order. */
  readonly logged: readonly string[];
}

/**
 * The decision of a verdict.
 *
 * @example
 * ```ts
 * const zone = await compileZone({ configs: [], rules: [] });
 * decisionOf(await zone.evaluate({ method: "GET", url: "https://api.example.com/" }));
 * // => { action: "allow", outcome: "no_rule", logged: [] }
 * ```
 */
export function decisionOf(verdict: PlainVerdict): Decision {
  const { action, rules } = verdict;
  const rule = decidingRuleId(verdict);
  const outcome = unevaluatedOutcome(verdict);
  const fired = rules.filter((one) => one.result === "fired" && one.action === "log");
  return {
    action,
    ...(outcome && { outcome }),
    ...(rule !== undefined && { rule }),
    logged: fired.map(({ id }) => id),
  };
}

/** Whether two decisions are the same to an observer, who cannot see why no rule was evaluated. */
export function isSameDecision(left: Decision, right: Decision): boolean {
  return (
    left.action === right.action &&
    left.rule === right.rule &&
    left.logged.length === right.logged.length &&
    left.logged.every((id, i) => id === right.logged[i])
  );
}
