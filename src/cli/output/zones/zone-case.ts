/** The case of a part of a zone in the report of `check`. */

import type { Diagnostic, Level, Placed, Rules } from "../../../core/diagnostic.ts";
import type { PatchOperation } from "../../../core/json/patch.ts";
import { place } from "../../../core/place.ts";
import { type AnalysisCheck, analysisChecks } from "../../../engine/tokens/analysis/findings/checks.ts";
import { isYamlText } from "../../input/files.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { type CaseKind, type ReportCase, statusOf } from "../report/report.ts";

/** A finding of the analysis, with its place in the file. */
export type FoundCheck = Placed<AnalysisCheck>;

/** Adds places; spans and fixes have one in files of JSON. */
export function placeFindings(
  findings: readonly Diagnostic<AnalysisCheck>[],
  source: WorldSource,
): readonly FoundCheck[] {
  const { file } = source.place("");
  const isJson = !source.isImported && !isYamlText(file, source.text);
  return place(findings, isJson ? { ...source, json: source.text } : source);
}

/** A part that has a case. */
export interface CheckedPart {
  readonly kind: CaseKind;
  /** The owner: a zone or an account. */
  readonly group: string;
  readonly name: string;
  /** RFC 6901 pointer in the file. */
  readonly at: string;
  readonly findings: readonly FoundCheck[];
}

/** The case. @param failOn level from which a diagnostic fails it */
export function zoneCase(
  { kind, group, name, at, findings }: CheckedPart,
  failOn: Level,
  source: WorldSource,
): ReportCase {
  const isOpen = findings.some(leavesOpen);
  const status = statusOf(findings, failOn);
  return {
    kind,
    group,
    name,
    status: status === "passed" && isOpen ? "undecided" : status,
    failOn,
    location: source.place(at),
    diagnostics: findings,
  };
}

function leavesOpen({ rule }: Placed): boolean {
  const rules: Rules = analysisChecks;
  return rules[rule]?.leavesOpen === true;
}

/** A finding with its pointers in the file. */
export function inFile(
  finding: Diagnostic<AnalysisCheck>,
  pointerOf: (within: string) => string,
): Diagnostic<AnalysisCheck> {
  const { pointer = "", fix, related } = finding;
  return {
    ...finding,
    pointer: pointerOf(pointer),
    ...(fix && { fix: fix.map((operation) => movePatch(operation, pointerOf)) }),
    ...(related && { related: related.map((part) => ({ ...part, pointer: pointerOf(part.pointer) })) }),
  };
}

function movePatch(operation: PatchOperation, pointerOf: (within: string) => string): PatchOperation {
  const path = pointerOf(operation.path);
  return operation.op === "move"
    ? { ...operation, from: pointerOf(operation.from), path }
    : { ...operation, path };
}
