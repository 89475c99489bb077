/** Matchers for verdicts, for `expect.extend`. They do not import a test runner. */
import { anyValue, type KindsOf, optionsOf, requireArgument } from "../../core/arguments.ts";
import { didYouMean } from "../../core/suggest.ts";
import { type Reason, reasons } from "../../engine/tokens/model.ts";
import { decidingRuleId, neededFields } from "../../engine/tokens/verdict/decider.ts";
import { actionMismatches, unstatedOutcome } from "../../engine/tokens/verdict/expectation.ts";
import { type ZoneIds, zoneIds } from "../../engine/tokens/verdict/lazy-verdict.ts";
import { unevaluatedOutcome } from "../../engine/tokens/verdict/unevaluated.ts";
import {
  type Outcome,
  outcomeNames,
  type Verdict,
  type VerdictAction,
} from "../../engine/tokens/verdict/verdict.ts";
import { quote } from "../../errors.ts";

/** Expectations of a verdict beside its action; all of them must be met. An id that the zone does not have is an Error. */
export interface ExpectedVerdict {
  /** The id of the rule that decided. */
  readonly rule?: string;
  /** The result of the check of a token: of one that decided in `rule`, or without `rule` of any token. */
  readonly reason?: Reason;
  /** The id of the configuration whose token has the `reason`. */
  readonly config?: string;
  /** The id of the request's operation. */
  readonly operation?: string;
  /** The reason for the action. When no rule was evaluated (`not_an_operation`, `no_rule`), it must be stated. */
  readonly outcome?: Outcome;
}

/** The matchers of `expect(verdict)`. */
export interface VerdictMatchers<R = unknown> {
  /** The request is blocked. */
  toBlock(expected?: ExpectedVerdict): R;
  /** The request is allowed and logged. */
  toLog(expected?: ExpectedVerdict): R;
  /** A custom rule challenges the request. */
  toChallenge(expected?: ExpectedVerdict): R;
  /** The request is allowed, and some rule was evaluated; `{ outcome: "no_rule" }` accepts that none was. */
  toAllow(expected?: ExpectedVerdict): R;
  /** The rule covers the request's operation, whether or not it acted. An id that the zone does not have is an Error. */
  toBeCoveredBy(rule: string): R;
}

/** The result of a matcher. */
export interface MatcherResult {
  /** Whether the expectation is met. */
  readonly pass: boolean;
  /** The message of the failure, of the negated matcher when `pass` is true. */
  readonly message: () => string;
}

/**
 * The matchers: `expect.extend(verdictMatchers)`. Messages of failures include the verdict's explanation.
 *
 * For their types in vitest 4 and 5, add this to one file of your tests:
 *
 *     import type { VerdictMatchers } from "edgeproof/testing";
 *     declare global {
 *       namespace Chai {
 *         interface Assertion extends VerdictMatchers<void> {}
 *       }
 *     }
 *
 * @example
 * ```ts
 * const zone = await compileZone({ configs: [], rules: [] });
 * const verdict = await zone.evaluate({ method: "GET", url: "https://api.example.com/" });
 * verdictMatchers.toAllow(verdict, { outcome: "no_rule" }).pass; // => true
 * verdictMatchers.toAllow(verdict).pass; // => false
 * ```
 */
export const verdictMatchers = {
  toBlock(this: unknown, received: unknown, expected?: ExpectedVerdict): MatcherResult {
    return matchAction(received, "block", expected, isNegated(this));
  },
  toLog(this: unknown, received: unknown, expected?: ExpectedVerdict): MatcherResult {
    return matchAction(received, "log", expected, isNegated(this));
  },
  toChallenge(this: unknown, received: unknown, expected?: ExpectedVerdict): MatcherResult {
    return matchAction(received, "challenge", expected, isNegated(this));
  },
  toAllow(this: unknown, received: unknown, expected?: ExpectedVerdict): MatcherResult {
    return matchAction(received, "allow", expected, isNegated(this));
  },
  toBeCoveredBy(this: unknown, received: unknown, rule: string): MatcherResult {
    const verdict = readVerdict(received);
    checkIds(verdict, { rule });
    if (verdict.outcome === "not_an_operation") return failAlways(verdict, isNegated(this));
    const ids = verdict.rules.map(({ id }) => id);
    const message = `the covering rules are ${ids.join(", ") || "none"}; rule ${rule}`;
    return matcherResult(
      verdict,
      ids.includes(rule),
      `${message} was expected`,
      `${message} was not expected`,
    );
  },
} as const satisfies Record<keyof VerdictMatchers, (received: unknown, expected: never) => MatcherResult>;

/** Whether the matcher is negated: test runners call it with their state. */
function isNegated(state: unknown): boolean {
  return typeof state === "object" && state !== null && "isNot" in state && state.isNot === true;
}

/** Fails a matcher as well as its negation, because no rule was evaluated. */
function failAlways(verdict: Verdict, isNot: boolean): MatcherResult {
  const [mismatch = ""] = unstatedOutcome(verdict);
  return matcherResult(verdict, isNot, mismatch, mismatch);
}

/** Fails a matcher as well as its negation, because the verdict depends on what the test did not say. */
function failUndecided(verdict: Verdict, isNot: boolean): MatcherResult {
  const needed = neededFields(verdict) ?? "";
  return matcherResult(verdict, isNot, needed, needed);
}

const expectedMembers: KindsOf<ExpectedVerdict> = {
  rule: anyValue,
  reason: anyValue,
  config: anyValue,
  operation: anyValue,
  outcome: anyValue,
};

/** @throws {TypeError} for a member or a reason that does not exist: it would never be compared */
function checkExpected(matcher: string, expected: ExpectedVerdict): void {
  requireArgument("expected", expected, optionsOf<ExpectedVerdict>(matcher, expectedMembers));
  checkName("reason", expected.reason, reasons);
  checkName("outcome", expected.outcome, outcomeNames);
}

function checkName(member: string, name: string | undefined, names: readonly string[]): void {
  if (name === undefined || names.includes(name)) return;
  const suggestion = typeof name === "string" ? didYouMean(name, names) : "";
  throw new TypeError(`\`${member}\` must be one of ${names.join(", ")}; found ${quote(name)}${suggestion}`);
}

const idNouns: Readonly<Record<keyof ZoneIds, string>> = {
  rule: "rules",
  config: "configurations",
  operation: "operations",
};

/** @throws {Error} for an id that the verdict's zone does not have: no verdict has it, so that `.not` always passes */
function checkIds(verdict: Verdict, expected: ExpectedVerdict): void {
  const ids = zoneIds(verdict);
  if (ids === undefined) return;
  for (const kind of Object.keys(idNouns) as (keyof ZoneIds)[]) checkId(kind, expected[kind], ids[kind]);
}

function checkId(kind: keyof ZoneIds, id: string | undefined, known: readonly string[] | undefined): void {
  if (id === undefined || (known?.includes(id) ?? isRequestOperation(id))) return;
  const suggestion = didYouMean(id, known ?? []) || ".";
  throw new Error(
    `\`${kind}\` must be one of the zone's ${idNouns[kind]}, ${listIds(known)}; found \`${id}\`${suggestion}`,
  );
}

/** The id of an operation in a zone without a list of operations. */
function isRequestOperation(id: string): boolean {
  return /^\S+ [^\s/]+\//.test(id);
}

/** Maximum number of ids in a message. */
const maxListedIds = 10;

function listIds(ids: readonly string[] | undefined): string {
  if (ids === undefined) return "which are named like `GET api.example.com/`";
  if (ids.length === 0) return "of which it has none";
  const more = ids.length > maxListedIds ? ` and ${ids.length - maxListedIds} more` : "";
  return ids.slice(0, maxListedIds).join(", ") + more;
}

/** The actions that a test can expect; a verdict that is undecided meets no expectation. */
type MatchedAction = Exclude<VerdictAction, "undecided">;

const matcherNames: Readonly<Record<MatchedAction, keyof VerdictMatchers>> = {
  block: "toBlock",
  log: "toLog",
  allow: "toAllow",
  challenge: "toChallenge",
};

function matchAction(
  received: unknown,
  action: MatchedAction,
  expected: ExpectedVerdict = {},
  isNot = false,
): MatcherResult {
  checkExpected(matcherNames[action], expected);
  const verdict = readVerdict(received);
  checkIds(verdict, expected);
  if (verdict.action === "undecided") return failUndecided(verdict, isNot);
  if (isNot && expected.outcome === undefined && unevaluatedOutcome(verdict))
    return failAlways(verdict, isNot);
  const mismatches = [
    ...actionMismatches(verdict, { action, outcome: expected.outcome }),
    ...ruleMismatch(verdict, expected),
    ...reasonMismatch(verdict, expected),
    ...operationMismatch(verdict, expected),
  ];
  const wanted = JSON.stringify({ action, ...expected });
  return matcherResult(verdict, mismatches.length === 0, mismatches.join("; "), `${wanted} was not expected`);
}

function matcherResult(
  verdict: Verdict,
  pass: boolean,
  mismatch: string,
  negatedMismatch: string,
): MatcherResult {
  return { pass, message: () => `${pass ? negatedMismatch : mismatch}\n\n${verdict.explain()}` };
}

function readVerdict(received: unknown): Verdict {
  if (isVerdict(received)) return received;
  const advice = received instanceof Promise ? "; await it first, or use `.resolves`" : "";
  throw new TypeError(`The matcher expects the verdict of an evaluated request${advice}.`);
}

function isVerdict(received: unknown): received is Verdict {
  return typeof received === "object" && received !== null && "action" in received && "explain" in received;
}

function ruleMismatch(verdict: Verdict, { rule: wanted }: ExpectedVerdict): string[] {
  const rule = decidingRuleId(verdict);
  if (wanted === undefined || rule === wanted) return [];
  return [`rule ${wanted} was expected to decide, but ${rule === undefined ? "no rule" : rule} did`];
}

/** With a rule, only the checks that decided its expression count; without, every token of the request. */
function reasonMismatch(verdict: Verdict, { rule, reason, config }: ExpectedVerdict): string[] {
  if (reason === undefined && config === undefined) return [];
  const checks = rule === undefined ? checksOfTokens(verdict) : checksOfRule(verdict, rule);
  const checked = checks.filter((check) => config === undefined || check.config === config);
  const subject = rule === undefined ? "" : `in rule ${rule} `;
  if (checked.length === 0 && config !== undefined) {
    const other = `rule ${rule} was not decided by a token of the configuration ${config}`;
    return [rule === undefined ? `no rule references the configuration ${config}` : other];
  }
  const found = checked.flatMap((check) => check.reason ?? []);
  if (reason === undefined || found.includes(reason)) return [];
  return [`reason ${reason} was expected, but ${subject}tokens were ${found.join(", ") || "not checked"}`];
}

/** The outcome of a check is not known when only the presence of the token counted. */
interface CheckedToken {
  readonly config: string;
  readonly reason: Reason | undefined;
}

/** The outcomes for all tokens of a request. */
function checksOfTokens({ trace }: Verdict): CheckedToken[] {
  return trace.tokens.map(({ configId: config, reason, present }) => {
    return { config, reason: reason ?? (present ? undefined : "missing") };
  });
}

/** The outcomes that decided a rule's expression. */
function checksOfRule(verdict: Verdict, rule: string): CheckedToken[] {
  const expression = verdict.trace.expressions.find(({ ruleId }) => ruleId === rule);
  return (expression?.decidedBy ?? []).flatMap(({ config, reason, value }): CheckedToken[] => {
    const check = reasons.find((known) => known === reason);
    // A token that is not present is missing, whichever of the two functions asked.
    return config === undefined ? [] : [{ config, reason: check ?? (value ? undefined : "missing") }];
  });
}

function operationMismatch({ operation }: Verdict, { operation: wanted }: ExpectedVerdict): string[] {
  if (wanted === undefined || operation?.operation_id === wanted) return [];
  return [`operation ${wanted} was expected, but it is ${operation?.operation_id ?? "none"}`];
}
