/** The result of `edgeproof eval`: text, JSON, and a report with a case for each request. */
import { diagnostic, type Rules } from "../../../core/diagnostic.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import { type Decision, decisionOf, isSameDecision } from "../../../engine/tokens/verdict/decision.ts";
import type { Verdict } from "../../../engine/tokens/verdict/verdict.ts";
import { formatJson } from "../../command.ts";
import type { RequestLine } from "../../input/requests/requests-file.ts";
import { type Report, type ReportCase, statusOf } from "../report/report.ts";
import { printTable } from "../table.ts";
import { reasonOf, ruleOf } from "../verdict-line.ts";

/** A request and its verdict. */
export interface Evaluated {
  readonly request: RequestLine;
  /** RFC 6901 pointer to the request in its file; empty when the file is a single request. */
  readonly at: string;
  /** Id of the zone. */
  readonly zone: string;
  readonly verdict: Verdict;
  /** The expected action or decision; undefined when any is. */
  readonly expected: string | Decision | undefined;
  /** Duration of the evaluation. */
  readonly seconds: number;
  /** What is undecided and could change the verdict. */
  readonly undecided: readonly string[];
}

/** Whether a verdict differs from the expected one. */
export function isUnexpected({ verdict, expected }: Evaluated): boolean {
  if (expected === undefined) return false;
  if (typeof expected === "string") return expected !== verdict.action;
  return !isSameDecision(expected, decisionOf(verdict));
}

/** The difference from the expected verdict. */
export function describeUnexpected({ verdict, expected }: Evaluated): string {
  if (typeof expected === "string") return `expected ${expected}, got ${verdict.action}`;
  return `expected ${printDecision(expected)}, got ${printDecision(decisionOf(verdict))}`;
}

/** An action or a decision in a few words. */
function printDecision(expected: Evaluated["expected"]): string {
  if (typeof expected !== "object") return expected ?? "-";
  const { action, rule, logged } = expected;
  const by = rule === undefined ? action : `${action} by ${rule}`;
  return logged.length === 0 ? by : `${by}, logged by ${logged.join(", ")}`;
}

export function titleOf({ name, method, url }: RequestLine): string {
  return name ?? `${method} ${url}`;
}

/** Prints the verdicts as a table for people. When any are expected, the first column marks the others as failed. */
export function printText(evaluated: readonly Evaluated[], maxWidth?: number): string {
  const hasExpected = evaluated.some(({ expected }) => expected !== undefined);
  const rows = evaluated.map((one) => {
    const { request, verdict } = one;
    const row = [titleOf(request), ruleOf(verdict), reasonOf(verdict)];
    return hasExpected ? [...resultCells(one), ...row] : [verdictCell(one), ...row];
  });
  const first = hasExpected ? ["result", "verdict", "expected"] : ["verdict"];
  return printTable([...first, "request", "rule", "reason"], rows, first, maxWidth);
}

function resultCells(one: Evaluated): readonly string[] {
  const { expected } = one;
  if (expected === undefined) return ["-", verdictCell(one), "-"];
  return [isUnexpected(one) ? "FAIL" : "ok", verdictCell(one), printDecision(expected)];
}

/** An answer that could be another one is marked. */
function verdictCell({ verdict, undecided }: Evaluated): string {
  return undecided.length > 0 ? `${verdict.action} (could change)` : verdict.action;
}

/** Prints the explanation of each verdict. */
export function printExplanations(evaluated: readonly Evaluated[]): string {
  const marks = (undecided: readonly string[]) =>
    undecided.map((message) => `could change: ${message}\n`).join("");
  return evaluated
    .map(
      ({ request, verdict, undecided }) => `${titleOf(request)}\n${verdict.explain()}\n${marks(undecided)}`,
    )
    .join("\n");
}

/** Prints the JSON of `evalOutput`. */
export function printJson(evaluated: readonly Evaluated[]): string {
  const list = evaluated.map(({ request: { name, method, url }, verdict, expected, undecided }) => {
    const marks = undecided.length > 0 && { undecided };
    return {
      ...(name !== undefined && { name }),
      method,
      url,
      ...(expected && { expected }),
      verdict,
      ...marks,
    };
  });
  return formatJson(list);
}

const rules = {
  "unexpected-verdict": {
    level: "error",
    description: "The verdict on a request differs from the expected one.",
    help: "Correct the rules, or the expected verdict of the request.",
    tags: ["tokens"],
  },
} as const satisfies Rules;

export function evalReport(evaluated: readonly Evaluated[], file: string, source: JsonSource): Report {
  const cases = evaluated.map((one) => caseOf(one, file, source));
  return { command: "eval", rules, cases, whenEmpty: `${file} has no request.` };
}

function caseOf(one: Evaluated, file: string, source: JsonSource): ReportCase {
  const { request, at: pointer, zone, verdict, seconds } = one;
  const details = verdict.explain();
  const location = { file, pointer, ...source.range(pointer) };
  const found = diagnostic(rules, "unexpected-verdict", describeUnexpected(one), { details });
  const diagnostics = isUnexpected(one) ? [{ ...found, at: location }] : [];
  return {
    kind: "request",
    group: zone,
    name: titleOf(request),
    status: statusOf(diagnostics, "error"),
    message: [
      `${verdict.action}: ${reasonOf(verdict)}`,
      ...one.undecided.map((part) => `could change: ${part}`),
    ].join("; "),
    diagnostics,
    location,
    seconds,
  };
}
