/** Matchers for verdicts, for `expect.extend`. They need no test runner to be imported. */
import type { Reason } from "../../engine/tokens/model.ts";
import type { Verdict, VerdictAction } from "../../engine/tokens/verdict/verdict.ts";

/** What a verdict may be expected to have beside its action; everything given must hold. */
export interface ExpectedVerdict {
  /** The id of the rule that decided. */
  readonly rule?: string;
  /** The outcome for some token that was asked about. */
  readonly reason?: Reason;
  /** The configuration of which `reason` is meant. */
  readonly config?: string;
  /** The id of the request's operation. */
  readonly operation?: string;
}

/** What the matchers add to `expect(verdict)`. */
export interface VerdictMatchers<R = unknown> {
  /** The request is blocked. */
  toBlock(expected?: ExpectedVerdict): R;
  /** The request is let through and recorded. */
  toLog(expected?: ExpectedVerdict): R;
  /** The request is let through. */
  toAllow(expected?: ExpectedVerdict): R;
  /** The rule covers the request's operation, whatever became of it. */
  toBeCoveredBy(rule: string): R;
}

/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * The matchers: `expect.extend(verdictMatchers)`. Failures show the verdict's whole explanation.
 *
 * For types under vitest, put this into one file of your tests:
 *
 *     import "vitest";
 *     import type { VerdictMatchers } from "edgeproof/testing";
 *     declare module "vitest" {
 *       interface Matchers<T = any> extends VerdictMatchers<T> {}
 *     }
 *
 * @example
 * ```ts
 * const zone = await compileZone({ configs: [], rules: [] });
 * const verdict = await zone.evaluate({ method: "GET", url: "https://api.example.com/" });
 * verdictMatchers.toAllow(verdict).pass; // => true
 * verdictMatchers.toBlock(verdict, { reason: "expired" }).pass; // => false
 * ```
 */
export const verdictMatchers = {
  toBlock: (received: unknown, expected?: ExpectedVerdict) => judge(received, "block", expected),
  toLog: (received: unknown, expected?: ExpectedVerdict) => judge(received, "log", expected),
  toAllow: (received: unknown, expected?: ExpectedVerdict) => judge(received, "allow", expected),
  toBeCoveredBy: (received: unknown, rule: string): MatcherResult => {
    const verdict = readVerdict(received);
    const ids = verdict.rules.map(({ id }) => id);
    const message = `the covering rules are ${ids.join(", ") || "none"}; rule ${rule}`;
    return answer(verdict, ids.includes(rule), `${message} was expected`, `${message} was not expected`);
  },
} as const satisfies Record<keyof VerdictMatchers, (received: unknown, expected: never) => MatcherResult>;

function judge(received: unknown, action: VerdictAction, expected: ExpectedVerdict = {}): MatcherResult {
  const verdict = readVerdict(received);
  const faults = [
    ...(verdict.action === action ? [] : [`action ${action} was expected, but it is ${verdict.action}`]),
    ...ruleFault(verdict, expected),
    ...reasonFault(verdict, expected),
    ...operationFault(verdict, expected),
  ];
  const wanted = JSON.stringify({ action, ...expected });
  return answer(verdict, faults.length === 0, faults.join("; "), `${wanted} was not expected`);
}

function answer(verdict: Verdict, pass: boolean, fault: string, negatedFault: string): MatcherResult {
  return { pass, message: () => `${pass ? negatedFault : fault}\n\n${verdict.explain()}` };
}

function readVerdict(received: unknown): Verdict {
  if (isVerdict(received)) return received;
  const advice = received instanceof Promise ? "; await it first, or use `.resolves`" : "";
  throw new TypeError(`The matcher takes the verdict of an evaluated request${advice}.`);
}

function isVerdict(received: unknown): received is Verdict {
  return typeof received === "object" && received !== null && "action" in received && "explain" in received;
}

function ruleFault({ rule }: Verdict, { rule: wanted }: ExpectedVerdict): string[] {
  if (wanted === undefined || rule?.id === wanted) return [];
  return [`rule ${wanted} was expected to decide, but ${rule ? `${rule.id} did` : "none did"}`];
}

function reasonFault(verdict: Verdict, { reason, config }: ExpectedVerdict): string[] {
  if (reason === undefined && config === undefined) return [];
  const checked = verdict.trace.tokens.filter((token) => config === undefined || token.configId === config);
  const reasons = checked.flatMap((token) => token.reason ?? (token.present ? [] : ["missing" as const]));
  if (checked.length === 0 && config !== undefined) return [`no rule asked the configuration ${config}`];
  if (reason === undefined || reasons.includes(reason)) return [];
  return [`reason ${reason} was expected, but tokens were ${reasons.join(", ") || "not checked"}`];
}

function operationFault({ operation }: Verdict, { operation: wanted }: ExpectedVerdict): string[] {
  if (wanted === undefined || operation?.operation_id === wanted) return [];
  return [`operation ${wanted} was expected, but it is ${operation?.operation_id ?? "none"}`];
}
