/** The part of a verdict that tests observe: the action, the rule that decided, the rules that logged, and what custom rules do. */

import {
  anyObject,
  arrayOf,
  aString,
  objectWith,
  optional,
  recordOf,
  requireArgument,
} from "../../../core/arguments.ts";
import { decidingRuleId } from "./decider.ts";
import { type CustomEffect, customEffectOf, isSameEffect } from "./effect.ts";
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
  /** The ids of the token rules with `log` that fired, in order. */
  readonly logged: readonly string[];
  /** The effect of custom rules beside the action; absent when the zone has none. */
  readonly custom?: CustomEffect;
}

/** An expected decision: without `custom`, any effect of custom rules is expected. */
export type ExpectedDecision = Omit<Decision, "custom"> & { readonly custom?: CustomEffect | undefined };

const aVerdict = objectWith({
  action: aString,
  outcome: aString,
  rule: optional(objectWith({ id: aString })),
  rules: arrayOf(objectWith({ id: aString, result: aString, action: aString })),
  custom: optional(
    objectWith({
      action: aString,
      kind: optional(aString),
      rule: optional(anyObject),
      response: optional(anyObject),
      skipped: recordOf(arrayOf(aString)),
      rules: arrayOf(objectWith({ rule: aString, action: aString, result: aString })),
    }),
  ),
});

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
  requireArgument("verdict", verdict, aVerdict);
  const { action, rules } = verdict;
  const rule = decidingRuleId(verdict);
  const outcome = unevaluatedOutcome(verdict);
  const fired = rules.filter((ruleResult) => ruleResult.result === "fired" && ruleResult.action === "log");
  return {
    action,
    ...(outcome && { outcome }),
    ...(rule !== undefined && { rule }),
    logged: fired.map(({ id }) => id),
    ...(verdict.custom?.rules.length && { custom: customEffectOf(verdict) }),
  };
}

/** Whether two decisions are the same to an observer, who cannot see why no rule was evaluated. */
export function isSameDecision(left: Decision, right: Decision): boolean {
  return isSameByRules(left, right) && isSameEffect(left.custom, right.custom);
}

/** Whether a decision is the expected one. */
export function meetsExpectation(expected: ExpectedDecision, decision: Decision): boolean {
  const { custom } = expected;
  return isSameByRules(expected, decision) && (custom === undefined || isSameEffect(custom, decision.custom));
}

/** Whether the action, the rule that decided and the token rules that logged are the same. */
export function isSameByRules(left: ExpectedDecision, right: ExpectedDecision): boolean {
  return (
    left.action === right.action &&
    left.rule === right.rule &&
    left.logged.length === right.logged.length &&
    left.logged.every((id, i) => id === right.logged[i])
  );
}
