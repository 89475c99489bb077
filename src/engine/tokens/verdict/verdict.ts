/** The types of verdicts on requests (`chosen`). */

import type { Operation } from "../model.ts";
import type { CustomVerdict } from "../rulesets/ruleset-verdict.ts";
import type { Trace } from "./trace.ts";

/** The action of token rules on a request. `log` allows and records it. */
export type TokenAction = "allow" | "log" | "block";

/** Every {@link VerdictAction}. */
export const verdictActions = ["allow", "log", "block", "challenge", "undecided"] as const;

/**
 * The action on a request. Custom rules can also end in a `challenge`; `undecided` when it depends on what the test did
 * not say, which `custom.needs` names.
 */
export type VerdictAction = (typeof verdictActions)[number];

/** Every {@link Outcome}. */
export const outcomeNames = [
  "not_an_operation",
  "no_rule",
  "passed",
  "fired",
  "custom_rule",
  "undecided",
] as const;

/** The reason for the action (closed union), in the order of the checks. */
export type Outcome = (typeof outcomeNames)[number];

/** Every {@link RuleOutcome}. */
export const ruleOutcomes = ["fired", "passed", "shadowed", "disabled", "not_reached"] as const;

/**
 * The result of a matching rule. `shadowed`: not evaluated, because an earlier rule decided; `not_reached`: not
 * evaluated, because a custom rule did.
 */
export type RuleOutcome = (typeof ruleOutcomes)[number];

/** The rule that decided. */
export interface DecidingRule {
  /** Unique in its zone. */
  readonly id: string;
  /** For people. */
  readonly title?: string;
  /** The action when the rule's expression is false. */
  readonly action: "log" | "block";
}

/** A matching rule with its result. */
export interface RuleResult extends DecidingRule {
  /** The result. */
  readonly result: RuleOutcome;
}

/** The payloads of the tokens that were checked and are valid, by configuration id, in an object without prototype. */
export type VerifiedClaims = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The plain form of a verdict. */
export interface PlainVerdict {
  /** The action on the request. */
  readonly action: VerdictAction;
  /** `no_rule`: no enabled rule matches the operation; `custom_rule`: a custom rule decided. */
  readonly outcome: Outcome;
  /** The request's operation; absent when it matches none, and then no rule is evaluated. */
  readonly operation?: Operation;
  /** The rule that decided; absent when no rule matches, or when all were evaluated and passed. */
  readonly rule?: DecidingRule;
  /** Every matching rule, in order. */
  readonly rules: readonly RuleResult[];
  /** The tokens and expressions that were evaluated. */
  readonly trace: Trace;
  /** The claims of valid tokens. */
  readonly claims: VerifiedClaims;
  /** The decision of the custom rules; absent when the zone and its account have no rulesets. */
  readonly custom?: CustomVerdict;
}

/** The decision on a request, with its reasons. */
export interface Verdict extends PlainVerdict {
  /** A few lines for people: the operation, the deciding rule, the checks and their reasons. */
  explain(): string;
  /** The plain form, for `JSON.stringify`. */
  toJSON(): PlainVerdict;
}
