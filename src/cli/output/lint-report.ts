/** What `edgeproof lint` found, as text, JSON or SARIF 2.1.0. */

import type { JsonSource, Place } from "../../core/json-source.ts";
import { checks } from "../../engine/proxy/checks/catalogue.ts";
import type { Validation, Violation } from "../../engine/proxy/model.ts";
import { asJsonText } from "../command.ts";
import { printSarifLog } from "./sarif.ts";

/** One application of a file, and what was found. */
export interface Linted {
  readonly file: string;
  readonly source: JsonSource;
  /** Pointer of the application in the file; empty when the file is just one. */
  readonly at: string;
  readonly validation: Validation;
}

interface Found {
  readonly file: string;
  readonly place: Place;
  readonly pointer: string;
  readonly violation: Violation;
}

function foundIn(linted: readonly Linted[]): readonly Found[] {
  return linted.flatMap(({ file, source, at, validation }) =>
    validation.violations.map((violation) => {
      const pointer = `${at}${violation.pointers[0] ?? ""}`;
      return { file, pointer, place: source.locate(pointer), violation };
    }),
  );
}

export function printText(linted: readonly Linted[]): string {
  const found = foundIn(linted).flatMap(({ file, place, pointer, violation }) => [
    `${file}:${place.line}:${place.column}: error ${violation.code} ${violation.check} at ${pointer || "/"}`,
    `  ${violation.message}`,
    `  mend: ${violation.fix}${violation.patch ? " (--fix does it)" : ""}`,
  ]);
  const open = linted.flatMap(({ file, at, validation }) =>
    validation.notEvaluated.map(({ check, code, needs }) => {
      return `${file}${at}: not evaluated: ${code} ${check}, which needs ${needs.join(" and ")}`;
    }),
  );
  const wrong = linted.filter(({ validation }) => validation.violations.length > 0).length;
  const summary = `${linted.length} application${linted.length === 1 ? "" : "s"}, ${wrong} with violations`;
  return `${[...found, ...open, summary].join("\n")}\n`;
}

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
  return asJsonText(report);
}

export function printSarif(linted: readonly Linted[]): string {
  const rules = checks.map(({ id, what, fix, code }) => ({ id, what, fix, properties: { code } }));
  const results = foundIn(linted).map(({ file, place, pointer, violation: { check, code, message } }) => {
    return { rule: check, level: "error" as const, message: `${code}: ${message}`, file, place, pointer };
  });
  return printSarifLog(rules, results);
}
