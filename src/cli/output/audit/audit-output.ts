/** The result of `edgeproof audit`: text, JSON, and a report with a case for each operation and scheme. */

import { auditOutcomes } from "../../../engine/tokens/analysis/audit/outcomes.ts";
import { formatJson } from "../../command.ts";
import { formatCount } from "../progress.ts";
import type { CaseStatus, Report, ReportCase } from "../report/report.ts";
import {
  type AuditedZone,
  type AuditFinding,
  auditRules,
  leftOutFindings,
  openFinding,
  openParts,
  operationFinding,
  operationName,
  placeOf,
  schemeFinding,
  undocumentedFindings,
} from "./audited-zone.ts";

/** The number of operations of each outcome that occurs, in the order of the outcomes. */
export function countOutcomes({
  audit,
}: AuditedZone): readonly (readonly [outcome: string, count: number])[] {
  return Object.keys(auditOutcomes).flatMap((outcome) => {
    const count = audit.operations.filter((one) => one.outcome === outcome).length;
    return count > 0 ? [[outcome, count] as const] : [];
  });
}

/** Prints the findings for people. */
export function printText(audited: AuditedZone): string {
  const { audit, document, zone } = audited;
  const findings = [
    ...audit.operations.flatMap((one) => operationFinding(document, one) ?? []),
    ...audit.unreadSchemes.map((one) => schemeFinding(document, one)),
    ...leftOutFindings(audited),
    ...undocumentedFindings(audited),
  ];
  const counts = countOutcomes(audited).map(([outcome, count]) => `${count} ${outcome}`);
  const operations = formatCount(audit.operations.length, "documented operation");
  const ignored = audit.document.ignored.length;
  const skipped = ignored > 0 ? `${formatCount(ignored, "part")} ignored` : "";
  const summary = [`zone ${zone.id}: ${operations}`, [...counts, skipped].filter(Boolean).join(", ")]
    .filter(Boolean)
    .join(": ");
  const marks = audit.operations.flatMap((one) => {
    return openParts(audited, one).map((part) => `could change: ${operationName(one.operation)}: ${part}`);
  });
  return `${[...findings.flatMap(printFinding), ...marks, summary].join("\n")}\n`;
}

function printFinding({ rule, level, message, details, location }: AuditFinding): readonly string[] {
  const { file, start, pointer = "" } = location;
  const help = auditRules.find(({ id }) => id === rule)?.help ?? "";
  return [
    `${file}:${start.line}:${start.column}: ${level} ${rule} at ${pointer || "/"}`,
    `  ${message}`,
    ...(details?.split("\n").map((line) => `    ${line}`) ?? []),
    `  fix: ${help}`,
  ];
}

/** Prints the JSON of `auditOutput`. */
export function printJson(audited: AuditedZone): string {
  const { zone, world, document, audit } = audited;
  const operations = audit.operations.map((one) => {
    const { operation, ...result } = one;
    const open = openParts(audited, one);
    const { security, ...documented } = operation;
    const schemes = security.map((alternative) => alternative.map(({ name }) => name));
    return {
      ...documented,
      ...document.source.locate(operation.pointer),
      security: schemes,
      ...result,
      ...(open.length > 0 && { undecided: open }),
    };
  });
  const unreadSchemes = audit.unreadSchemes.map(({ scheme, operations }) => {
    return { ...scheme, ...document.source.locate(scheme.pointer), operations };
  });
  const locations = undocumentedFindings(audited).map(({ location: { pointer = "" } }) => {
    return { pointer, ...world.source.locate(pointer) };
  });
  return formatJson({
    zone: zone.id,
    document: document.file,
    world: world.file,
    counts: Object.fromEntries(countOutcomes(audited)),
    operations,
    unreadSchemes,
    notAudited: audit.document.dropped.map((part) => ({ ...part, ...document.source.locate(part.pointer) })),
    ignored: audit.document.ignored.map((part) => ({ ...part, ...document.source.locate(part.pointer) })),
    undocumented: audit.undocumented.map((operation, i) => ({ ...operation, ...locations[i] })),
  });
}

/** The report: operations and schemes are cases, parts that are left out are skipped. */
export function auditReport(audited: AuditedZone): Report {
  const { zone, document, audit } = audited;
  const group = zone.id;
  const operations = audit.operations.map((one): ReportCase => {
    const finding = operationFinding(document, one);
    const location = placeOf(document, one.operation.pointer);
    const open = openFinding(audited, one);
    return {
      group,
      name: operationName(one.operation),
      status: statusOf(finding),
      message: open ? `${one.outcome} (could change)` : one.outcome,
      location,
      findings: [finding, open].filter((found) => found !== undefined),
    };
  });
  const others = [
    ...audit.unreadSchemes.map((one) => caseOf(`scheme ${one.scheme.name}`, schemeFinding(document, one))),
    ...leftOutFindings(audited).map((one) => caseOf(`part ${one.location.pointer}`, one, "skipped")),
    ...undocumentedFindings(audited).map((one, i) => {
      return caseOf(`operation of the zone ${audit.undocumented[i]?.operation_id}`, one);
    }),
  ];
  const ignored = audit.document.ignored.map(({ pointer, message }): ReportCase => {
    const location = placeOf(document, pointer);
    return { group, name: `part ${pointer}`, status: "skipped", message, location, findings: [] };
  });
  return {
    command: "audit",
    rules: auditRules,
    cases: [...operations, ...others.map((one) => ({ group, ...one })), ...ignored],
  };
}

function caseOf(
  name: string,
  finding: AuditFinding,
  status: CaseStatus = "passed",
): Omit<ReportCase, "group"> {
  return { name, status, message: finding.message, location: finding.location, findings: [finding] };
}

function statusOf(finding: AuditFinding | undefined): CaseStatus {
  if (finding?.level !== "error") return "passed";
  return finding.rule === "undecided" ? "error" : "failed";
}
