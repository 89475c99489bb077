/**
 * The result of every command that checks something, from which all formats and the exit code derive.
 *
 * A command builds one `Report` and passes it to `printReport` (formats.ts):
 *
 * - A case is one thing that was to be looked at, and is in the report of every run, whether it passes or not: a rule of
 *   a zone, an application, a request, an operation. Its name says which one, not what was found, so that the same case
 *   has the same name tomorrow. Printers make equal names unique.
 * - A diagnostic is what was found in a case.
 * - `passed` and `failed` cases were evaluated. An `undecided` case could not be, and has a diagnostic that says why. A
 *   `skipped` case was left out; its `message` says why.
 *
 * All strings may be untrusted: names and messages contain what files contain. Printers escape and shorten them.
 */
import {
  type Diagnostic,
  isAtLeast,
  type Level,
  type Location,
  levels,
  type Placed,
  type Rules,
} from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { maskValue } from "../../../core/text/secrets.ts";
import { createIds } from "./acceptance/finding-ids.ts";

/** The kinds of things that commands look at: the noun with which it is counted, and whether a case of it means that something was evaluated. */
export const caseKinds = {
  rule: { noun: "rule", isEvaluated: true },
  configuration: { noun: "configuration", isEvaluated: true },
  application: { noun: "application", isEvaluated: true },
  pattern: { noun: "pattern", isEvaluated: true },
  variant: { noun: "variant", isEvaluated: true },
  operation: { noun: "operation", isEvaluated: true },
  request: { noun: "request", isEvaluated: true },
  mutant: { noun: "mutant", isEvaluated: true },
  picture: { noun: "picture", isEvaluated: true },
  name: { noun: "name", isEvaluated: true },
  zone: { noun: "zone", isEvaluated: false },
  file: { noun: "file", isEvaluated: false },
  resource: { noun: "resource", isEvaluated: true },
} as const satisfies Readonly<Record<string, { readonly noun: string; readonly isEvaluated: boolean }>>;

/** A kind of case. */
export type CaseKind = keyof typeof caseKinds;

/** A check of a case that was not evaluated. */
export interface Unchecked {
  readonly rule: string;
  readonly code?: number;
  /** The facts that are missing. */
  readonly needs: readonly string[];
}

export type CaseStatus = "passed" | "failed" | "undecided" | "skipped";

/** A finding that is accepted, with the reason. */
export interface AcceptedDiagnostic extends Placed {
  readonly id: string;
  readonly reason: string;
  readonly until?: string;
  /** Whether a comment in the source accepts it. */
  readonly isInSource: boolean;
}

/** A thing that was to be looked at. */
export interface ReportCase {
  readonly kind: CaseKind;
  /** The number of things, when the case represents many that have no diagnostics of their own. Default 1. */
  readonly count?: number;
  /** The owner of the case: a zone, a file. */
  readonly group: string;
  readonly name: string;
  readonly status: CaseStatus;
  /** The result in one line, or the reason for skipping. */
  readonly message?: string;
  readonly diagnostics: readonly (Placed & { readonly id?: string })[];
  /** Findings that are accepted. Default: none. */
  readonly accepted?: readonly AcceptedDiagnostic[];
  /** Level from which a diagnostic fails it. Default `error`. */
  readonly failOn?: Level;
  readonly unchecked?: readonly Unchecked[];
  /** Whether `--fix` applies the fixes of its diagnostics. Default false. */
  readonly canFix?: boolean;
  readonly location: Location;
  /** Duration of its evaluation in seconds. Default 0. */
  readonly seconds?: number;
}

/** A case that was left out; its message says why. */
export function skippedCase(of: Omit<ReportCase, "status" | "diagnostics">): ReportCase {
  return { ...of, status: "skipped", diagnostics: [] };
}

/** The cases and findings of a command. */
export interface Report {
  /** Name of the command. */
  readonly command: string;
  readonly rules: Rules;
  readonly cases: readonly ReportCase[];
  /** The last line for people. Default: what was evaluated, and the counts of the diagnostics. */
  readonly summary?: string;
  /** The statement when no case was evaluated, as a sentence. Default: `Nothing was evaluated.` */
  readonly missing?: string;
  /** The addition when nothing was evaluated, as a sentence. */
  readonly whenEmpty: string;
  /** The place of that statement: the file to which something can be added. */
  readonly inputs: Location;
}

/** A diagnostic with its id and its case. */
export interface CaseDiagnostic extends Placed {
  readonly id: string;
  readonly case: ReportCase;
}

/**
 * A report without secrets, of which every format is printed. Diagnostics keep the ids that they have with their secrets;
 * a fix that has a secret is left out, since an editor would write the mask.
 */
export function maskReport(report: Report): Report {
  const found = diagnosticsOf(report).values();
  const cases = report.cases.map(({ diagnostics, ...rest }) => ({
    ...maskValue(rest),
    diagnostics: diagnostics.map(() => maskDiagnostic(found.next().value as CaseDiagnostic)),
  }));
  return { ...report, ...maskValue({ summary: report.summary, whenEmpty: report.whenEmpty }), cases };
}

function maskDiagnostic({ case: _, fix, edits, ...rest }: CaseDiagnostic): Placed & { readonly id: string } {
  const repair = { ...(fix && { fix }), ...(edits && { edits }) };
  const hasSecret = JSON.stringify(maskValue(repair)) !== JSON.stringify(repair);
  return { ...maskValue(rest), ...(!hasSecret && repair) };
}

/** Every diagnostic of a report, in the order of the cases. */
export function diagnosticsOf({ cases }: Pick<Report, "cases">): readonly CaseDiagnostic[] {
  const idOf = createIds();
  return cases.flatMap((reportCase) =>
    reportCase.diagnostics.map((found) => ({
      ...found,
      id: found.id ?? idOf(found, reportCase),
      case: reportCase,
    })),
  );
}

/** Every finding that is accepted. */
export function acceptedOf({
  cases,
}: Pick<Report, "cases">): readonly (AcceptedDiagnostic & CaseDiagnostic)[] {
  return cases.flatMap((reportCase) =>
    (reportCase.accepted ?? []).map((found) => ({ ...found, case: reportCase })),
  );
}

/** `failed` when a diagnostic has the level `failOn` or a worse one. */
export function statusOf(
  diagnostics: readonly { readonly level: Level }[],
  failOn: Level,
): "passed" | "failed" {
  return diagnostics.some(({ level }) => isAtLeast(level, failOn)) ? "failed" : "passed";
}

/** The number of things in cases with a status. */
export function countCases(cases: readonly ReportCase[], status: CaseStatus): number {
  return cases.filter((reportCase) => reportCase.status === status).length;
}

/** The evaluated cases, by kind; kinds that only contain others, such as the other parts of a zone, are left out. */
export function evaluatedCounts(cases: readonly ReportCase[]): ReadonlyMap<CaseKind, number> {
  const counts = new Map<CaseKind, number>();
  for (const { kind, status, count = 1 } of cases) {
    const isEvaluated = status === "passed" || status === "failed";
    if (isEvaluated && count > 0 && caseKinds[kind].isEvaluated)
      counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  return counts;
}

/** The advice for a diagnostic: its own help, else that of its rule. */
export function helpOf({ rules }: Pick<Report, "rules">, { rule, help }: Diagnostic): string {
  return help ?? rules[rule]?.help ?? "";
}

/** The message with its code and the command to run, for formats without members for them. */
export function headline({ code, message, run }: Placed): string {
  return `${code === undefined ? "" : `${code}: `}${message}${run === undefined ? "" : ` Run: ${run}.`}`;
}

/** Whether a diagnostic says that something was not decided. */
export function leavesOpen({ rules }: Pick<Report, "rules">, { rule }: Diagnostic): boolean {
  return rules[rule]?.leavesOpen === true;
}

/** The summary of a report: its own, or what was evaluated and found. */
export function summaryOf({ cases, summary }: Report): string {
  const evaluated = [...evaluatedCounts(cases)].map(([kind, count]) =>
    formatCount(count, caseKinds[kind].noun),
  );
  const counts = `${evaluated.join(", ") || "nothing evaluated"}: ${countLevels(cases)}`;
  const undecided = countCases(cases, "undecided");
  const left = cases
    .filter(({ status }) => status === "skipped")
    .reduce((sum, { count = 1 }) => sum + count, 0);
  const accepted = acceptedOf({ cases }).length;
  const rest = [
    undecided > 0 && `${undecided} undecided`,
    left > 0 && `${left} left out`,
    accepted > 0 && `${accepted} accepted`,
  ].filter(Boolean);
  return summary ?? [counts, ...rest].join(", ");
}

/** The numbers of diagnostics by level. */
export function countLevels(cases: readonly ReportCase[]): string {
  const all = cases.flatMap(({ diagnostics }) => diagnostics);
  const counts = levels.map((level) =>
    formatCount(all.filter((diagnostic) => diagnostic.level === level).length, level),
  );
  return counts.join(", ");
}
