/** The result of `edgeproof eval`: text, JSON, and a report with a case for each request. */

import { diagnostic, type Location, type Rules } from "../../../core/diagnostic.ts";
import { maskAddress, maskText, maskValue } from "../../../core/text/secrets.ts";
import { shortenGivenIds } from "../../../core/text/uuid.ts";
import type { NamedDecision } from "../../../engine/tokens/names/decision-names.ts";
import { nameOfRuleset, printRuleName } from "../../../engine/tokens/names/part-names.ts";
import { challengeKinds } from "../../../engine/tokens/rulesets/actions.ts";
import { neededFields } from "../../../engine/tokens/verdict/decider.ts";
import { type Decision, decisionOf, meetsExpectation } from "../../../engine/tokens/verdict/decision.ts";
import { type CustomEffect, printEffect } from "../../../engine/tokens/verdict/effect.ts";
import { actionMismatches, unstatedOutcome } from "../../../engine/tokens/verdict/expectation.ts";
import type { Verdict } from "../../../engine/tokens/verdict/verdict.ts";
import { startOf } from "../../../import/origin.ts";
import { whenIntended } from "../../../testing/suites/generate-words.ts";
import { formatJson, type Output } from "../../command.ts";
import type { Expectation } from "../../input/requests/expectation.ts";
import type { RequestLine } from "../../input/requests/requests-file.ts";
import { standardInput } from "../../standard-input.ts";
import { type Report, type ReportCase, statusOf } from "../report/report.ts";
import { printTable } from "../table.ts";
import { reasonOf, ruleOf } from "../verdict-line.ts";
import { lineWidth } from "../wrap.ts";
import { givenOptions, runGiven } from "./given-advice.ts";
import { notAZone, notAZoneRules } from "./not-a-zone.ts";
import { type Reason, statusOfReasons, undecidedAt, undecidedRules } from "./undecided.ts";

/** A request that was to be evaluated. */
interface Asked {
  readonly request: RequestLine;
  /** Its place in its file. */
  readonly at: Location;
  /** Id of the zone; undefined when no zone has the host. */
  readonly zone: string | undefined;
  /** The expected action or decision; undefined when any is. */
  readonly expected: RequestLine["expect"];
  /** The same with the ids of the zone. */
  readonly expectation: Expectation;
  /** Duration of the evaluation. */
  readonly seconds: number;
  /** Undecided parts that could change the verdict, or prevent it. */
  readonly undecided: readonly Reason[];
}

/** A request and its verdict, which is undecided when it depends on values that the request does not have. */
export interface Evaluated extends Asked {
  readonly verdict: Verdict;
}

/** A request, with its verdict when that is decided. */
export type Answer = Evaluated | (Asked & { readonly verdict?: never });

/** Whether a request has a verdict. */
export function isEvaluated(answer: Answer): answer is Evaluated {
  return answer.verdict !== undefined;
}

/** Whether a verdict differs from the expected one. */
export function isUnexpected({ verdict, expectation }: Evaluated): boolean {
  const { expected, problems } = expectation;
  if (expected === undefined) return problems.length > 0;
  const { outcome } = statedBy(expected);
  return (
    !isAsExpected(verdict, expected) ||
    actionMismatches(verdict, { action: verdict.action, outcome }).length > 0
  );
}

type Expected = NonNullable<Expectation["expected"]>;

function statedBy(expected: Expected): Partial<NamedDecision> {
  if (typeof expected !== "string") return expected;
  return { action: isChallengeKind(expected) ? "challenge" : expected };
}

function isChallengeKind(expected: string): expected is (typeof challengeKinds)[number] {
  return (challengeKinds as readonly string[]).includes(expected);
}

/** Whether an action is the expected one, or all that an expected decision states. */
function isAsExpected(verdict: Verdict, expected: Expected): boolean {
  if (typeof expected === "string")
    return expected === (isChallengeKind(expected) ? verdict.custom?.kind : verdict.action);
  const { action, rule, logged, custom } = expected as Decision;
  return meetsExpectation(
    { action, logged, custom, ...(rule !== undefined && { rule }) },
    decisionOf(verdict),
  );
}

/** The difference from the expected verdict. */
export function describeUnexpected({ verdict, expected, expectation }: Evaluated): string {
  const { problems, show } = expectation;
  const plain = typeof expected === "string" && isChallengeKind(expected) && verdict.custom?.kind;
  const got =
    typeof expected === "string" ? plain || verdict.action : printDecision(show(decisionOf(verdict)));
  const isStated = expected === undefined || statedBy(expected).outcome !== undefined;
  return [
    `expected ${printDecision(expected)}, got ${got}`,
    ...problems,
    ...needsOf(verdict).map(({ message }) => withGiven(message.replace(/\.$/, ""), verdict)),
    ...(isStated ? [] : unstatedOutcome(verdict)),
  ].join("; ");
}

function withGiven(message: string, { custom }: Verdict): string {
  const options = givenOptions(custom?.needs ?? []);
  return options === "" ? message : `${message}, or ${options}`;
}

/** An action or a decision in a few words. */
function printDecision(expected: Evaluated["expected"] | NamedDecision): string {
  if (typeof expected !== "object") return expected ?? "-";
  const { action, rule, logged, outcome, custom = {} } = expected;
  const by = [
    action,
    ...(rule === undefined ? [] : [`by ${nameOf(rule)}`]),
    ...(outcome === undefined ? [] : [`(${outcome})`]),
  ].join(" ");
  return [
    by,
    ...(logged.length === 0 ? [] : [`logged by ${logged.map(nameOf).join(", ")}`]),
    ...printEffect(withTexts(custom)),
  ].join(", ");
}

function nameOf(rule: string | object): string {
  return typeof rule === "string" ? rule : printRuleName(rule);
}

function withTexts({
  skipped,
  logged,
  undecided,
  ...rest
}: NonNullable<NamedDecision["custom"]>): CustomEffect {
  const { rulesets, rules, ...others } = skipped ?? {};
  return {
    ...rest,
    skipped: { ...others, rulesets: rulesets?.map(nameOfRuleset), rules: rules?.map(nameOf) },
    logged: logged?.map(nameOf),
    undecided: undecided?.map(nameOf),
  };
}

export function titleOf({ name, method, url }: RequestLine): string {
  return name === undefined ? `${method} ${maskAddress(url)}` : maskText(name);
}

/** Prints the verdicts as a table for people. When any are expected, the first column marks the others as failed. */
export function printText(answers: readonly Answer[], output: Output): string {
  const hasExpected = answers.some(({ expected }) => expected !== undefined);
  const isShort = lineWidth(output) !== undefined;
  const showsExpected = !isShort || answers.some((answer) => answer.expected !== undefined && !isMet(answer));
  // The lines of unexpected verdicts have the whole expectation, and `--explain` the reasons.
  const showsReason =
    !isShort || !answers.every((answer) => isEvaluated(answer) && answer.expected !== undefined);
  const titles = answers.map(withoutDecision);
  const shown = withoutOrigin(titles, isShort);
  const rows = answers.map((answer, i) => [
    ...(hasExpected ? [resultCell(answer)] : []),
    verdictCell(answer),
    ...(hasExpected && showsExpected ? [expectedCell(answer, isShort)] : []),
    shown[i] ?? "",
    isEvaluated(answer) ? ruleOf(answer.verdict, answer.expectation.names) : "-",
    ...(showsReason ? [isEvaluated(answer) ? reasonOf(answer.verdict) : messagesOf(answer)] : []),
  ]);
  const outcome = hasExpected ? ["result", "verdict"] : ["verdict"];
  const expected = hasExpected && showsExpected ? ["expected"] : [];
  const header = [...outcome, ...expected, "request", "rule", ...(showsReason ? ["reason"] : [])];
  return printTable(output, header, rows, { unshortened: outcome, name: "request" });
}

function messagesOf({ undecided, zone }: Answer): string {
  const messages = undecided.map(({ message }) => message).join(" ");
  return zone === undefined ? `not_a_zone: ${messages}` : messages;
}

/** The title without the decision at the end of the name of a generated request: the verdict and the rule are columns. */
function withoutDecision({ request, expected }: Answer): string {
  const title = titleOf(request);
  const action = typeof expected === "object" ? expected.action : expected;
  const end = title.lastIndexOf(`: ${action}`);
  const isDecision = end > 0 && /^(?:$| by |, logged by )/.test(title.slice(end + 2 + (action?.length ?? 0)));
  return isDecision ? title.slice(0, end) : title;
}

/** Titles without `https://`; for a terminal also without the host that all of them have. */
function withoutOrigin(titles: readonly string[], isShort: boolean): readonly string[] {
  const origins = titles.map((title) => /\bhttps?:\/\/[^/?#\s]+/.exec(title)?.[0]);
  const [origin] = origins;
  if (!isShort || origin === undefined || titles.length < 2 || origins.some((other) => other !== origin))
    return titles.map((title) => title.replace(/\bhttps:\/\//, ""));
  return titles.map((title) => title.replace(origin, ""));
}

function isMet(answer: Answer): boolean {
  return isEvaluated(answer) && !isUnexpected(answer);
}

function resultCell(answer: Answer): string {
  if (answer.expected === undefined) return "-";
  return isMet(answer) ? "ok" : "FAIL";
}

/** @param isShort whether only what differs is shown, and ids are shortened */
function expectedCell(answer: Answer, isShort: boolean): string {
  const stated = printDecision(answer.expected);
  if (!isShort) return stated;
  if (isMet(answer)) return "";
  const action = typeof answer.expected === "object" ? answer.expected.action : undefined;
  const differs = action !== undefined && isEvaluated(answer) && action !== answer.verdict.action;
  return differs ? action : shortenGivenIds(stated);
}

/** An answer that could be another one is marked. */
function verdictCell({ verdict, undecided }: Answer): string {
  if (verdict === undefined || verdict.action === "undecided") return "undecided";
  return undecided.length > 0 ? `${verdict.action} (could change)` : verdict.action;
}

/** Prints the explanation of each verdict. */
export function printExplanations(answers: readonly Answer[]): string {
  return answers
    .map(({ request, verdict, undecided }) => {
      const mark = verdict ? "could change" : "undecided";
      const lines = [
        ...(verdict ? [verdict.explain()] : []),
        ...undecided.map(({ message }) => `${mark}: ${message}`),
      ];
      return [titleOf(request), ...lines, ""].join("\n");
    })
    .join("\n");
}

/** The needs of an undecided verdict, as a reason; empty for any other answer. */
function needsOf(verdict: Verdict | undefined): readonly Reason[] {
  const message = verdict && neededFields(verdict);
  return message === undefined ? [] : [{ message, ...runGiven("eval", verdict?.custom?.needs ?? []) }];
}

/** Prints the JSON of `evalOutput`. */
export function printJson(answers: readonly Answer[], again: ReadonlyMap<string, string>): string {
  const list = answers.map((answer) => {
    const { request, at, zone, verdict, expected, undecided } = answer;
    const { name, method, url } = request;
    const run = isEvaluated(answer) && isUnexpected(answer) ? again.get(at.file) : undefined;
    const reasons = [...needsOf(verdict), ...undecided];
    const marks = reasons.length > 0 && { undecided: reasons.map(({ message }) => message) };
    return {
      ...(name !== undefined && { name }),
      method,
      url,
      ...(expected && { expected }),
      ...(zone === undefined && { outcome: "not_a_zone" }),
      ...(verdict && { verdict }),
      ...marks,
      ...(run !== undefined && { help: whenIntended, run }),
    };
  });
  return formatJson(maskValue(list));
}

/** The report of an evaluation. */
export const evalRules = {
  ...undecidedRules,
  ...notAZoneRules,
  "unexpected-verdict": {
    level: "error",
    description: "The verdict on a request differs from the expected one.",
    help: "Correct the rules, or the expected verdict of the request.",
    tags: ["tokens"],
  },
} as const satisfies Rules;

/** The context of a report of verdicts. */
export interface EvalReportOptions {
  /** Cases of the parts of the world that are left out. */
  readonly left: readonly ReportCase[];
  /** The files of the requests. */
  readonly files: readonly string[];
  /** Whether requests may be undecided; not those with an expected verdict. */
  readonly partial: boolean;
  /** The commands that write generated suites again, by file. */
  readonly again: ReadonlyMap<string, string>;
}

export function evalReport(answers: readonly Answer[], options: EvalReportOptions): Report {
  const { left, files } = options;
  const cases = [...answers.map((answer) => caseOf(answer, options)), ...left];
  const whenEmpty =
    answers.length === 0 ? `Add a request to ${files.join(", ")}.` : "Every request is undecided.";
  const inputs = startOf(files[0] ?? standardInput);
  return { command: "eval", rules: evalRules, cases, whenEmpty, inputs };
}

function caseOf(answer: Answer, { partial, again }: EvalReportOptions): ReportCase {
  const { request, at: location, zone, seconds } = answer;
  const base = {
    kind: "request",
    group: zone ?? "no zone",
    name: titleOf(request),
    location,
    seconds,
  } as const;
  if (!isEvaluated(answer))
    return {
      ...base,
      status: partial && answer.expected !== undefined ? "failed" : statusOfReasons(answer.undecided),
      diagnostics:
        zone === undefined
          ? [notAZone(messagesOf(answer), location)]
          : undecidedAt(answer.undecided, location),
    };
  const { verdict } = answer;
  if (verdict.action === "undecided" && answer.expected === undefined) {
    const reasons = [...needsOf(verdict), ...answer.undecided];
    return { ...base, status: "undecided", diagnostics: undecidedAt(reasons, location) };
  }
  const details = verdict.explain();
  const run = again.get(location.file);
  const advice = run !== undefined && { help: whenIntended, run };
  const found = diagnostic(evalRules, "unexpected-verdict", describeUnexpected(answer), {
    details,
    ...advice,
  });
  const unexpected = isUnexpected(answer) ? [{ ...found, at: location }] : [];
  const open = undecidedAt(answer.undecided, location).map((part) => ({ ...part, level: "note" as const }));
  const diagnostics = [...unexpected, ...open];
  return {
    ...base,
    status: statusOf(diagnostics, "error"),
    message: [
      `${verdict.action}: ${reasonOf(verdict)}`,
      ...answer.undecided.map(({ message }) => `could change: ${message}`),
    ].join("; "),
    diagnostics,
  };
}
