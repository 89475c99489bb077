/** Prints a report as SARIF 2.1.0, the format from which editors and code hosts read the findings of tools. */
import { createHash } from "node:crypto";
import { formatJson } from "../../command.ts";
import { version } from "../../version.ts";
import { formatCount } from "../progress.ts";
import { cleanName, cleanText } from "./clean-text.ts";
import {
  findingsOf,
  type PlacedFinding,
  type Report,
  type ReportLocation,
  type ReportRule,
  worstFirst,
} from "./report.ts";
import { type ReportPath, uriOf } from "./repository-path.ts";

/** Maximum results: GitHub shows no more of a run. */
export const maxSarifResults = 5_000;

/** A log with one run. When there are too many results, the worst are kept and a notification counts the others. */
export function printSarif(report: Report, pathOf: ReportPath): string {
  const all = findingsOf(report);
  const kept = all.length > maxSarifResults ? worstFirst(all).slice(0, maxSarifResults) : all;
  const ruleIndex = new Map(report.rules.map(({ id }, i) => [id, i]));
  const fingerprint = createFingerprints(pathOf);
  const results = kept.map((finding) => ({
    ruleId: finding.rule,
    ruleIndex: ruleIndex.get(finding.rule) ?? -1,
    level: finding.level,
    message: { text: textOf(finding) },
    locations: [describeLocation(finding.location, pathOf)],
    partialFingerprints: { primaryLocationLineHash: fingerprint(finding) },
  }));
  const driver = { name: "edgeproof", version, rules: report.rules.map(describeRule) };
  const invocations = [{ executionSuccessful: true, ...notifications(all.length - kept.length) }];
  return formatJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, invocations, columnKind: "utf16CodeUnits", results }],
  });
}

function notifications(leftOut: number) {
  if (leftOut === 0) return {};
  const text = `${formatCount(leftOut, "result")} left out: a run has at most ${maxSarifResults}`;
  return { toolExecutionNotifications: [{ level: "warning", message: { text } }] };
}

function textOf({ message, details }: PlacedFinding): string {
  return cleanText(details ? `${message}\n${details}` : message);
}

const severities = { error: "error", warning: "warning", note: "recommendation" } as const;

function describeRule(rule: ReportRule) {
  const { id, description, fullDescription = description, help, helpUri, level = "error", tags = [] } = rule;
  return {
    id,
    shortDescription: { text: description },
    fullDescription: { text: fullDescription },
    help: { text: help },
    ...(helpUri !== undefined && { helpUri }),
    defaultConfiguration: { level },
    properties: {
      tags,
      precision: "very-high",
      "problem.severity": severities[level],
      ...rule.properties,
    },
  };
}

function describeLocation({ file, start, end, pointer }: ReportLocation, pathOf: ReportPath) {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(pathOf(file)) },
      region: {
        startLine: start.line,
        startColumn: start.column,
        ...(end && { endLine: end.line, endColumn: end.column }),
      },
    },
    logicalLocations: [{ fullyQualifiedName: cleanName(pointer || "/") }],
  };
}

/**
 * Returns a function from findings to fingerprints. A fingerprint consists of the rule, the file, the case and the
 * member of the case, not of lines or indexes: it stays the same when other parts of the file change. Equal ones are
 * numbered.
 */
function createFingerprints(pathOf: ReportPath): (finding: PlacedFinding) => string {
  const counts = new Map<string, number>();
  return ({ rule, location, case: one }) => {
    const parts = [rule, pathOf(location.file), one.group, one.name, memberOf(location, one.location)];
    const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return `${hash}:${count}`;
  };
}

/** The pointer relative to the case. */
function memberOf({ pointer = "" }: ReportLocation, { pointer: base = "" }: ReportLocation): string {
  return pointer.startsWith(base) ? pointer.slice(base.length) : pointer;
}
