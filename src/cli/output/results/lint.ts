/** The result of `edgeproof lint`: text, JSON, and a report with a case for each application. */

import type { JsonSource, TextPosition } from "../../../core/json-source.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { checks } from "../../../engine/proxy/checks/catalogue.ts";
import type { Validation, Violation } from "../../../engine/proxy/model.ts";
import { formatJson } from "../../command.ts";
import { formatCount } from "../progress.ts";
import type { Report, ReportCase, ReportRule } from "../report/report.ts";

/** An application of a file, and its validation. */
export interface Linted {
  readonly file: string;
  readonly source: JsonSource;
  /** RFC 6901 pointer to the application in the file; empty when the file is a single application. */
  readonly at: string;
  /** The application. */
  readonly body: unknown;
  readonly validation: Validation;
  /** Duration of the validation. */
  readonly seconds: number;
}

interface LocatedViolation {
  readonly file: string;
  readonly position: TextPosition;
  readonly pointer: string;
  readonly violation: Violation;
}

function locateViolations(linted: readonly Linted[]): readonly LocatedViolation[] {
  return linted.flatMap(({ file, source, at, validation }) =>
    validation.violations.map((violation) => {
      const pointer = `${at}${violation.pointers[0] ?? ""}`;
      return { file, pointer, position: source.locate(pointer), violation };
    }),
  );
}

/** Prints a report for people. */
export function printText(linted: readonly Linted[]): string {
  const found = locateViolations(linted).flatMap(({ file, position, pointer, violation }) => [
    `${file}:${position.line}:${position.column}: error ${violation.code} ${violation.check} at ${pointer || "/"}`,
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
  return `${[...found, ...notEvaluated, summary].join("\n")}\n`;
}

/** Prints the JSON of `lintOutput`. */
export function printJson(linted: readonly Linted[]): string {
  const report = linted.map(({ file, source, at, validation }) => ({
    file,
    pointer: at,
    valid: validation.violations.length === 0,
    violations: validation.violations.map((violation) => ({
      ...violation,
      ...source.locate(`${at}${violation.pointers[0] ?? ""}`),
    })),
    not_evaluated: validation.notEvaluated,
    messages: validation.messages,
  }));
  return formatJson(report);
}

const rules: readonly ReportRule[] = checks.map(({ id, rule, why, fix, code, phase }) => {
  const texts = { description: rule, fullDescription: `${rule} ${why}`, help: fix };
  return { id, ...texts, tags: ["proxy", phase], properties: { code } };
});

export function lintReport(linted: readonly Linted[]): Report {
  return { command: "lint", rules, cases: linted.map(caseOf) };
}

function caseOf({ file, source, at, body, validation, seconds }: Linted): ReportCase {
  const { violations, notEvaluated } = validation;
  const location = (pointer: string) => ({ file, pointer, ...source.range(pointer) });
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
