/**
 * The report that commands print with `--format sarif|junit|github|markdown`.
 *
 * A command builds one `Report` and passes it to `printReport` (formats.ts), with its own `text` and `json`:
 *
 * - A rule is a kind of finding. Its id is stable: code hosts keep dismissed findings by it.
 * - A case is one tested thing that is reported in every run, whether it passes or not: a rule of a zone, an
 *   application, a request, an operation. Its name says which one, not what was found, so that the same case has the
 *   same name tomorrow. Printers make equal names unique.
 * - A finding is a fault of a case. A case that `failed` (its result is not the wanted one) or has an `error` (it could
 *   not be evaluated) has at least one. A `passed` case can have findings of other levels than `error`. A `skipped` case was left
 *   out deliberately; its `message` says why.
 *
 * All strings may be untrusted: names and messages contain what files contain. Printers escape and shorten them.
 */
import type { TextPosition } from "../../../core/line-index.ts";

/** An error fails the command, a warning is probably a mistake, a note may be intended. */
export type ReportLevel = "error" | "warning" | "note";

/** A kind of finding. */
export interface ReportRule {
  /** Unique and stable. */
  readonly id: string;
  /** One sentence. */
  readonly description: string;
  /** A paragraph. Default: the description. */
  readonly fullDescription?: string;
  /** How to fix a finding, in one sentence. */
  readonly help: string;
  /** URI of its documentation. */
  readonly helpUri?: string;
  /** Level of its findings unless they say otherwise. Default `error`. */
  readonly level?: ReportLevel;
  /** Words for filters, at most 20. */
  readonly tags?: readonly string[];
  /** Further members of the SARIF rule. */
  readonly properties?: Readonly<Record<string, string | number>>;
}

/** A place in a file. */
export interface ReportLocation {
  /** The file as the user named it; `-` is standard input. */
  readonly file: string;
  readonly start: TextPosition;
  /** Position after the last character. */
  readonly end?: TextPosition;
  /** RFC 6901 pointer into the file, or the address of a resource. */
  readonly pointer?: string;
}

/** A fault of a case. */
export interface ReportFinding {
  /** Id of its rule. */
  readonly rule: string;
  readonly level: ReportLevel;
  /** One sentence. */
  readonly message: string;
  /** Lines that explain it. */
  readonly details?: string;
  /** Default: the location of the case. */
  readonly location?: ReportLocation;
}

export type CaseStatus = "passed" | "failed" | "error" | "skipped";

/** A tested thing. */
export interface ReportCase {
  /** What the case belongs to: a zone, a file. */
  readonly group: string;
  readonly name: string;
  readonly status: CaseStatus;
  /** The result in one line, or the reason for skipping. */
  readonly message?: string;
  readonly findings: readonly ReportFinding[];
  readonly location: ReportLocation;
  /** Duration of its evaluation in seconds. Default 0. */
  readonly seconds?: number;
}

/** What a command found. */
export interface Report {
  /** Name of the command. */
  readonly command: string;
  readonly rules: readonly ReportRule[];
  readonly cases: readonly ReportCase[];
}

/** A finding with its case, rule and location. */
export interface PlacedFinding extends ReportFinding {
  readonly case: ReportCase;
  readonly location: ReportLocation;
}

/** Every finding of a report, in the order of the cases. */
export function findingsOf(report: Report): readonly PlacedFinding[] {
  return report.cases.flatMap((one) =>
    one.findings.map((finding) => ({ location: one.location, ...finding, case: one })),
  );
}

/** The levels, worst first. */
export const reportLevels: readonly ReportLevel[] = ["error", "warning", "note"];

/** The findings by level, worst first; those of the same level keep their order. */
export function worstFirst<T extends { readonly level: ReportLevel }>(findings: readonly T[]): readonly T[] {
  return reportLevels.flatMap((level) => findings.filter((finding) => finding.level === level));
}

/** The number of cases with a status. */
export function countCases(cases: readonly ReportCase[], status: CaseStatus): number {
  return cases.filter((one) => one.status === status).length;
}
