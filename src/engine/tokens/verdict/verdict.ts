/** The shape of the verdict on a request (`chosen`). */

import type { Operation } from "../model.ts";
import type { Trace } from "./trace.ts";

/** What is done with the request. `log` lets it through and records it. */
export type VerdictAction = "allow" | "log" | "block";

/** Why it is done (closed union), in the order in which they can arise. */
export type Outcome = "not_an_operation" | "no_rule" | "passed" | "fired";

/** What became of a covering rule. `shadowed`: an earlier rule had decided already. */
export type RuleOutcome = "fired" | "passed" | "shadowed" | "disabled";

/** The rule that decided. */
export interface DecidingRule {
  readonly id: string;
  readonly title?: string;
  readonly action: "log" | "block";
}

/** A covering rule with its own result. */
export interface RuleResult extends DecidingRule {
  readonly result: RuleOutcome;
}

/** The payloads of the tokens that were checked and are valid, by configuration id. No prototype. */
export type VerifiedClaims = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The plain form of a verdict. */
export interface PlainVerdict {
  readonly action: VerdictAction;
  /** `no_rule`: no enabled rule covers the operation. */
  readonly outcome: Outcome;
  /** The request's operation; absent when it matches none, and then no rule acts on it. */
  readonly operation?: Operation;
  /** The rule that decided; absent when none did because none covers, or because all were evaluated and passed. */
  readonly rule?: DecidingRule;
  /** Every covering rule, in order. */
  readonly rules: readonly RuleResult[];
  readonly trace: Trace;
  readonly claims: VerifiedClaims;
}

/** What was decided about a request, and why. */
export interface Verdict extends PlainVerdict {
  /** Says on a few lines which operation, which rule, which check, and why. */
  explain(): string;
  /** What `JSON.stringify` writes. */
  toJSON(): PlainVerdict;
}
