/** The result of `edgeproof lint`: text, JSON, and a report with a case for each application. */

import { isJsonObject } from "../../../core/json-value.ts";
import { checks } from "../../../engine/proxy/checks/catalogue.ts";
import type { Validation, Violation } from "../../../engine/proxy/model.ts";
import type { Undecided } from "../../../import/world/report.ts";
import { formatJson } from "../../command.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { formatCount } from "../progress.ts";
import type { Report, ReportCase, ReportLocation, ReportRule } from "../report/report.ts";

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

interface LocatedViolation {
  readonly location: ReportLocation;
  readonly violation: Violation;
}

function locateViolations(linted: readonly Linted[]): readonly LocatedViolation[] {
  return linted.flatMap(({ source, at, validation }) =>
    validation.violations.map((violation) => {
      return { location: source.place(`${at}${violation.pointers[0] ?? ""}`), violation };
    }),
  );
}

/** Prints a report for people. */
export function printText(linted: readonly Linted[], undecided: readonly UndecidedApplication[]): string {
  const found = locateViolations(linted).flatMap(({ location, violation }) => [
    `${printPlace(location, `error ${violation.code} ${violation.check}`)}`,
    `  ${violation.message}`,
    `  fix: ${violation.fix}${violation.patch ? " (applied by --fix)" : ""}`,
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
  const report = linted.map(({ file, source, at, validation }) => ({
    file,
    pointer: at,
    valid: validation.violations.length === 0,
    violations: validation.violations.map((violation) => ({
      ...violation,
      ...positionOf(source.place(`${at}${violation.pointers[0] ?? ""}`), file),
    })),
    not_evaluated: validation.notEvaluated,
    messages: validation.messages,
  }));
  const missing = undecided.map(({ part: { message, run, location } }) => ({
    file: location.file,
    pointer: location.pointer,
    valid: false,
    violations: [],
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

const rules: readonly ReportRule[] = checks.map(({ id, rule, why, fix, code, phase }) => {
  const texts = { description: rule, fullDescription: `${rule} ${why}`, help: fix };
  return { id, ...texts, tags: ["proxy", phase], properties: { code } };
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

function caseOf({ file, source, at, body, validation, seconds }: Linted): ReportCase {
  const { violations, notEvaluated } = validation;
  const location = (pointer: string) => source.place(pointer);
  return {
    group: file,
    name: nameOf(body, at),
    status: violations.length > 0 ? "failed" : "passed",
    ...(notEvaluated.length > 0 && { message: describeNotEvaluated(notEvaluated) }),
    location: location(at),
    findings: violations.map(({ check, code, message, pointers }) => {
      const place = location(`${at}${pointers[0] ?? ""}`);
      return { rule: check, level: "error", message: `${code}: ${message}`, location: place };
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
