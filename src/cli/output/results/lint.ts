/** The result of `edgeproof lint`: text, JSON, and a report with a case for each application. */

import { isJsonObject } from "../../../core/json-value.ts";
import { checks } from "../../../engine/proxy/checks/catalogue.ts";
import type { CheckLevel, Validation, Violation, Warning } from "../../../engine/proxy/model.ts";
import type { Undecided } from "../../../import/world/report.ts";
import { formatJson } from "../../command.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { formatCount } from "../progress.ts";
import type { Report, ReportCase, ReportLevel, ReportLocation, ReportRule } from "../report/report.ts";

/** An application of a file, and its validation. */
export interface Linted {
  readonly file: string;
  readonly source: WorldSource;
  /** RFC 6901 pointer to the application in the file; empty when the file is a single application. */
  readonly at: string;
  /** The application. */
  readonly body: unknown;
  readonly validation: Validation;
  /** Duration of the validation. */
  readonly seconds: number;
}

/** An application that is not validated, since a member of it is not known. */
export interface UndecidedApplication {
  readonly part: Undecided;
  readonly location: ReportLocation;
}

/** Levels in reports. */
const reportLevels: Readonly<Record<CheckLevel, ReportLevel>> = {
  error: "error",
  restriction: "warning",
  warning: "warning",
  note: "note",
};

/** A finding of any level, with its place in the file. */
interface LocatedFinding {
  readonly level: ReportLevel;
  readonly location: ReportLocation;
  readonly finding: Violation | Warning;
}

function locateFindings({ source, at, validation }: Linted): readonly LocatedFinding[] {
  return [...validation.violations, ...validation.warnings].map((finding) => ({
    level: reportLevels["level" in finding ? finding.level : "error"],
    location: source.place(`${at}${finding.pointers[0] ?? ""}`),
    finding,
  }));
}

/** Prints a report for people. */
export function printText(linted: readonly Linted[], undecided: readonly UndecidedApplication[]): string {
  const found = linted
    .flatMap(locateFindings)
    .flatMap(({ level, location, finding }) => [
      printPlace(location, `${level} ${finding.code} ${finding.check}`),
      `  ${finding.message}`,
      `  fix: ${finding.fix}${finding.patch ? " (applied by --fix)" : ""}`,
    ]);
  const notEvaluated = linted.flatMap(({ file, at, validation }) =>
    validation.notEvaluated.map(({ check, code, needs }) => {
      return `${file}${at}: not evaluated: ${code} ${check}, which needs ${needs.join(" and ")}`;
    }),
  );
  const invalid = linted.filter(({ validation }) => validation.violations.length > 0).length;
  const summary = `${linted.length} application${linted.length === 1 ? "" : "s"}, ${invalid} with violations`;
  const missing = undecided.flatMap(({ part, location }) => [
    printPlace(location, `error ${undecidedRule.id}`),
    `  ${part.message}`,
    `  run: ${part.run}`,
  ]);
  return `${[...found, ...missing, ...notEvaluated, summary].join("\n")}\n`;
}

function printPlace({ file, start: { line, column }, pointer }: ReportLocation, what: string): string {
  return `${file}:${line}:${column}: ${what} at ${pointer || "/"}`;
}

/** Prints the JSON of `lintOutput`. */
export function printJson(linted: readonly Linted[], undecided: readonly UndecidedApplication[]): string {
  const report = linted.map(({ file, source, at, validation }) => {
    const located = <F extends Violation | Warning>(finding: F) => {
      return { ...finding, ...positionOf(source.place(`${at}${finding.pointers[0] ?? ""}`), file) };
    };
    return {
      file,
      pointer: at,
      valid: validation.violations.length === 0,
      violations: validation.violations.map(located),
      warnings: validation.warnings.map(located),
      not_evaluated: validation.notEvaluated,
      messages: validation.messages,
    };
  });
  const missing = undecided.map(({ part: { message, run, location } }) => ({
    file: location.file,
    pointer: location.pointer,
    valid: false,
    violations: [],
    warnings: [],
    not_evaluated: [],
    messages: [],
    undecided: { message, run },
  }));
  return formatJson([...report, ...missing]);
}

/** The place of a violation: a line and column, and another file than the given one when it is in one. */
function positionOf({ file, start }: ReportLocation, given: string) {
  return { ...(file !== given && { file }), ...start };
}

/**
 * The page of the checks as an absolute URI (SARIF 2.1.0, section 3.49.12) by the name of the package, which stays when
 * the repository moves.
 */
const codesPage = "npm:edgeproof/docs/proxy-codes.md";

const rules: readonly ReportRule[] = checks.map(({ id, rule, why, fix, code, level, phase, source }) => {
  const texts = { description: rule, fullDescription: `${rule} ${why}`, help: fix };
  const more = { helpUri: `${codesPage}#${id}`, level: reportLevels[level] };
  return { id, ...texts, ...more, tags: ["proxy", phase], properties: { code, source } };
});

const undecidedRule = {
  id: "undecided-application",
  description: "A member of the application is not known, so that it cannot be validated.",
  help: "Resolve the value: see the message, or `edgeproof world --help`.",
  tags: ["proxy"],
} as const satisfies ReportRule;

export function lintReport(linted: readonly Linted[], undecided: readonly UndecidedApplication[]): Report {
  const cases = [...linted.map(caseOf), ...undecided.map(undecidedCase)];
  return { command: "lint", rules: [...rules, undecidedRule], cases };
}

function undecidedCase({ part, location }: UndecidedApplication): ReportCase {
  const message = `${part.message} Run: ${part.run}.`;
  return {
    group: part.location.file,
    name: `application ${location.pointer ?? ""}`,
    status: "error",
    findings: [{ rule: undecidedRule.id, level: "error", message, location }],
    location,
  };
}

function caseOf(one: Linted): ReportCase {
  const { file, source, at, body, validation, seconds } = one;
  const { violations, notEvaluated } = validation;
  return {
    group: file,
    name: nameOf(body, at),
    status: violations.length > 0 ? "failed" : "passed",
    ...(notEvaluated.length > 0 && { message: describeNotEvaluated(notEvaluated) }),
    location: source.place(at),
    findings: locateFindings(one).map(({ level, location, finding: { check, code, message } }) => {
      return { rule: check, level, message: `${code}: ${message}`, location };
    }),
    seconds,
  };
}

function describeNotEvaluated(notEvaluated: Validation["notEvaluated"]): string {
  const facts = [...new Set(notEvaluated.flatMap(({ needs }) => needs))];
  return `${formatCount(notEvaluated.length, "check")} not evaluated, for lack of ${facts.join(", ")}`;
}

/** Its host name and protocol, which identify an application; else its place in the file. */
function nameOf(body: unknown, at: string): string {
  const { dns, protocol } = isJsonObject(body) ? body : {};
  const host = isJsonObject(dns) ? dns["name"] : undefined;
  const parts = [host, protocol].filter((part) => typeof part === "string");
  return `application ${parts.join(" ") || at || "/"}`;
}
