/** Prints the results of `edgeproof lint` as text, JSON or SARIF 2.1.0. */

import type { JsonSource, TextPosition } from "../../core/json-source.ts";
import { checks } from "../../engine/proxy/checks/catalogue.ts";
import type { Validation, Violation } from "../../engine/proxy/model.ts";
import { formatJson } from "../command.ts";
import { printSarifLog } from "./sarif.ts";

/** An application of a file, and its validation. */
export interface Linted {
  readonly file: string;
  readonly source: JsonSource;
  /** RFC 6901 pointer to the application in the file; empty when the file is a single application. */
  readonly at: string;
  readonly validation: Validation;
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

/** Prints a SARIF log. */
export function printSarif(linted: readonly Linted[]): string {
  const rules = checks.map(({ id, rule, fix, code }) => {
    return { id, description: rule, fix, properties: { code } };
  });
  const results = locateViolations(linted).map(({ violation: { check, code, message }, ...location }) => {
    return { rule: check, level: "error" as const, message: `${code}: ${message}`, ...location };
  });
  return printSarifLog(rules, results);
}
