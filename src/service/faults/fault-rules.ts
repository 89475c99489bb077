/** Rules of faults: their shape, and the check of a list of them. */
import * as z from "zod";
import { failure, type Result, success } from "../../core/result.ts";
import { type CodedDiagnostic, InvalidInputError, pointer, problem, quote } from "../../errors.ts";
import { genericCodes } from "../context.ts";
import { type FaultRule, faultPoints, faultStatuses } from "../faults.ts";
import { schemaProblems } from "../schema-problems.ts";
import { type FaultTarget, type MatchRequest, matcherOf } from "./match.ts";

/** Maximum of `delayMs`: a minute, longer than the default time-outs of clients that are tested. `chosen` */
export const maxDelayMs = 60_000;

/** Maximum of `retryAfter`, in seconds: a day. `chosen` */
export const maxRetryAfter = 86_400;

/** Maximum number of rules: each is looked at with each request. `chosen` */
const maxRules = 100;

/** Maximum of counts and bytes. */
const maxCount = 2 ** 31 - 1;

const count = z.int().min(1).max(maxCount).optional();

const matchMembers = {
  endpoint: z
    .string()
    .optional()
    .describe("Id of an endpoint, such as `tokens.rules.list`, or the start of ids, such as `tokens.rules`."),
  path: z
    .string()
    .optional()
    .describe("Path of endpoints as documented, such as `/zones/{zone_id}/token_validation/rules`."),
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).optional(),
};

const members = {
  at: z.enum(faultPoints).optional().describe("Where the fault happens. Default `answer`."),
  match: z.strictObject(matchMembers).optional().describe("The requests that count. Default: all."),
  every: count.describe("Every n-th that counts is faulty. Default 1."),
  times: count.describe("Number of times that the fault happens. Default: without end."),
  status: z.literal(faultStatuses).optional().describe("Status of the answer."),
  retryAfter: z.int().min(0).max(maxRetryAfter).optional().describe("`Retry-After`, in seconds."),
  delayMs: z.int().min(0).max(maxDelayMs).optional().describe("Time that the answer is late."),
  cut: z
    .int()
    .min(0)
    .max(maxCount)
    .optional()
    .describe("Bytes of the body after which the connection ends; 0: no answer."),
  after: z.boolean().optional().describe("Whether the service processes the request first."),
};

/** A list of rules, as far as a schema can say it. */
export const faultRulesSchema = z.array(z.strictObject(members)).max(maxRules);

/** A rule with the test of the requests that count. */
export interface CompiledRule {
  readonly rule: FaultRule;
  readonly matches: MatchRequest;
}

/**
 * Reads a list of rules.
 *
 * @param targets the endpoints that rules can match
 * @returns the rules, or every problem with its pointer
 */
export function readFaultRules(
  value: unknown,
  targets: readonly FaultTarget[],
): Result<readonly CompiledRule[]> {
  const parsed = faultRulesSchema.safeParse(value, { reportInput: true });
  const found: CodedDiagnostic[] = [];
  const compiled: CompiledRule[] = [];
  if (parsed.success) {
    for (const [i, rule] of (parsed.data as readonly FaultRule[]).entries()) {
      const fault = (at: string, message: string) => void found.push(invalid(pointer(i) + at, message));
      checkEffects(rule, fault);
      const matches = matcherOf(rule.match ?? {}, targets, (at, message) => fault(`/match${at}`, message));
      compiled.push({ rule: Object.freeze(structuredClone(rule)), matches });
    }
  } else {
    const membersAt = (path: readonly PropertyKey[]) =>
      Object.keys(path.at(-1) === "match" ? matchMembers : members);
    for (const issue of parsed.error.issues)
      found.push(...schemaProblems(issue, { area: "shared", at: "", root: "the list of faults", membersAt }));
  }
  const [first, ...rest] = found;
  return first ? failure(first, ...rest) : success(compiled);
}

/** @throws {InvalidInputError} with every problem and its pointer */
export function requireFaultRules(value: unknown, targets: readonly FaultTarget[]): readonly CompiledRule[] {
  const read = readFaultRules(value, targets);
  if (!read.ok) throw new InvalidInputError("the faults are not valid", read.problems);
  return read.value;
}

function invalid(at: string, message: string): CodedDiagnostic {
  return problem(genericCodes.shared.invalid, message, at);
}

/** The members that faults of dependencies cannot have. */
const answerMembers = ["match", "retryAfter", "cut", "after"] as const;

function checkEffects(rule: FaultRule, fault: (at: string, message: string) => void): void {
  const { at = "answer", status, retryAfter, delayMs, cut } = rule;
  const effects = at === "answer" ? [status, delayMs, cut] : [status, delayMs];
  if (effects.every((effect) => effect === undefined))
    fault(
      "",
      `A fault must have ${at === "answer" ? "`status`, `delayMs` or `cut`" : "`status` or `delayMs`"}.`,
    );
  if (retryAfter !== undefined && status === undefined)
    fault("/retryAfter", "`retryAfter` needs `status`: it is a header of an injected answer.");
  if (at === "answer") return;
  for (const member of answerMembers)
    if (rule[member] !== undefined)
      fault(`/${member}`, `${quote(member)} is only for faults at \`answer\`; this one is at ${quote(at)}.`);
  if (status === 429)
    fault("/status", `A fault at ${quote(at)} must have the status 500 or 503; found \`429\`.`);
}
