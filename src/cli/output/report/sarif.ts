/** Prints a report as SARIF 2.1.0, the format from which editors and code hosts read the findings of tools. */
import { type Location, type Rule, type TextEdit, worstFirst } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import type { TextPosition } from "../../../core/line-index.ts";
import { formatJson } from "../../command.ts";
import { version } from "../../version.ts";
import { printPointer } from "../places.ts";
import { cleanName, cleanText } from "./clean-text.ts";
import { describeMissingFact, type MissingFact, missingFactsOf } from "./missing-facts.ts";
import {
  type AcceptedDiagnostic,
  acceptedOf,
  type CaseDiagnostic,
  diagnosticsOf,
  headline,
  helpOf,
  type Report,
} from "./report.ts";
import { type ReportPath, uriOf } from "./repository-path.ts";

/** Maximum results: GitHub shows no more of a run. */
export const maxSarifResults = 5_000;

/**
 * A log with one run, which has the rules of its results. When there are too many results, the worst are kept and a
 * notification counts the others.
 */
export function printSarif(report: Report, pathOf: ReportPath): string {
  const all = [...diagnosticsOf(report), ...acceptedOf(report)];
  const kept = all.length > maxSarifResults ? worstFirst(all).slice(0, maxSarifResults) : all;
  const used = new Set(kept.map(({ rule }) => rule));
  const rules = Object.entries(report.rules).filter(([id]) => used.has(id));
  const ruleIndex = new Map(rules.map(([id], i) => [id, i]));
  const results = kept.map((finding) => ({
    ruleId: finding.rule,
    ruleIndex: ruleIndex.get(finding.rule) ?? -1,
    level: finding.level,
    message: { text: textOf(finding) },
    locations: [describeLocation(finding.at, pathOf)],
    partialFingerprints: { primaryLocationLineHash: finding.id },
    ...(isAccepted(finding) && { suppressions: [describeSuppression(finding)] }),
    ...(finding.edits && { fixes: [describeFix(report, finding, finding.edits, pathOf)] }),
  }));
  const driver = { name: "edgeproof", version, rules: rules.map(describeRule) };
  const notifications = [
    ...noteLeftOut(all.length - kept.length),
    ...missingFactsOf(report).map(noteMissing),
  ];
  const notified = notifications.length > 0 && { toolExecutionNotifications: notifications };
  const invocations = [{ executionSuccessful: true, ...notified }];
  return formatJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, invocations, columnKind: "utf16CodeUnits", results }],
  });
}

function isAccepted(finding: CaseDiagnostic): finding is CaseDiagnostic & AcceptedDiagnostic {
  return "isInSource" in finding;
}

/** Section 3.35: why the finding does not count. */
function describeSuppression({ isInSource, reason }: AcceptedDiagnostic) {
  const kind = isInSource ? "inSource" : "external";
  return { kind, status: "accepted", justification: cleanText(reason) };
}

function noteLeftOut(count: number) {
  if (count === 0) return [];
  const text = `${formatCount(count, "result")} left out: a run has at most ${maxSarifResults}`;
  return [{ level: "warning", message: { text } }];
}

/** Checks that were not evaluated are no results. */
function noteMissing(missing: MissingFact) {
  return { level: "note", message: { text: describeMissingFact(missing) }, properties: missing };
}

function textOf(finding: CaseDiagnostic): string {
  return cleanText([headline(finding), finding.details].filter(Boolean).join("\n"));
}

const severities = { error: "error", warning: "warning", note: "recommendation" } as const;

function describeRule([id, rule]: readonly [id: string, rule: Rule]) {
  const { description, why, help, docs, level, tags, code, source } = rule;
  return {
    id,
    shortDescription: { text: description },
    fullDescription: { text: why === undefined ? description : `${description} ${why}` },
    help: { text: help },
    defaultConfiguration: { level },
    properties: {
      tags,
      precision: "very-high",
      "problem.severity": severities[level],
      // No `helpUri` (section 3.49.12): the page is a file of the package, and has no address that opens.
      ...(docs !== undefined && { docs: `docs/${docs}` }),
      ...(code !== undefined && { code }),
      ...(source !== undefined && { source }),
    },
  };
}

function describeLocation(at: Location, pathOf: ReportPath) {
  const { file, start, end } = at;
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(pathOf(file)) },
      region: regionOf({ start, end }),
    },
    logicalLocations: [{ fullyQualifiedName: cleanName(printPointer(at)) }],
  };
}

function regionOf({ start, end }: { readonly start: TextPosition; readonly end?: TextPosition | undefined }) {
  const from = { startLine: start.line, startColumn: start.column };
  return end ? { ...from, endLine: end.line, endColumn: end.column } : from;
}

/** A fix that a code host can apply (section 3.55). */
function describeFix(
  report: Report,
  finding: CaseDiagnostic,
  edits: readonly TextEdit[],
  pathOf: ReportPath,
) {
  const replacements = edits.map((edit) => ({
    deletedRegion: regionOf(edit),
    insertedContent: { text: edit.text },
  }));
  const artifactLocation = { uri: uriOf(pathOf(finding.at.file)) };
  return {
    description: { text: cleanText(helpOf(report, finding)) },
    artifactChanges: [{ artifactLocation, replacements }],
  };
}
