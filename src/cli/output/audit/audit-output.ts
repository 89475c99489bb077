/** An audit in the report of `check`: a case for each operation and scheme. */

import type { Diagnostic, Placed } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/numbers/format-count.ts";
import { place } from "../../../core/place.ts";
import { auditOutcomes } from "../../../engine/tokens/analysis/audit/outcomes.ts";
import { type CaseStatus, type ReportCase, skippedCase } from "../report/report.ts";
import {
  type AuditedZone,
  leftOutFindings,
  openFinding,
  operationFinding,
  operationName,
  schemeFindings,
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

/** The numbers of operations by outcome, in one line. */
export function describeAudit(audited: AuditedZone): string {
  const { audit, zone } = audited;
  const counts = countOutcomes(audited).map(([outcome, count]) => `${count} ${outcome}`);
  const operations = formatCount(audit.operations.length, "documented operation");
  const ignored = audit.document.ignored.length;
  const skipped = ignored > 0 ? `${formatCount(ignored, "part")} ignored` : "";
  return [`zone ${zone.id}: ${operations}`, [...counts, skipped].filter(Boolean).join(", ")]
    .filter(Boolean)
    .join(": ");
}

/** Operations and schemes are cases; parts that cannot be read are undecided, parts that are ignored are skipped. */
export function auditCases(audited: AuditedZone): readonly ReportCase[] {
  const { zone, document, audit } = audited;
  const group = zone.id;
  const operations = audit.operations.map((one): UngroupedCase => {
    const finding = operationFinding(one);
    const open = openFinding(audited, one);
    return {
      kind: "operation",
      name: operationName(one.operation),
      status: statusOf(finding),
      message: open ? `${one.outcome} (could change)` : one.outcome,
      location: document.place(one.operation.pointer),
      diagnostics: place(
        [finding, open].filter((found) => found !== undefined),
        document,
      ),
    };
  });
  const others = [
    ...schemeFindings(audited).map((one, i) => caseOf(`scheme ${audit.unreadSchemes[i]?.scheme.name}`, one)),
    ...leftOutFindings(audited).map((one) => caseOf(`part ${one.at.pointer}`, one, "undecided")),
    ...undocumentedFindings(audited).map((one, i) => {
      return caseOf(`operation of the zone ${audit.undocumented[i]?.operation_id}`, one);
    }),
  ];
  const ignored = place(audit.document.ignored, document).map(({ at: location, message }) => {
    return skippedCase({ kind: "file", group, name: `part ${location.pointer}`, message, location });
  });
  return [...operations, ...others, ...ignored].map((one) => ({ group, ...one }));
}

type UngroupedCase = Omit<ReportCase, "group">;

function caseOf(name: string, finding: Placed, status: CaseStatus = "passed"): UngroupedCase {
  return {
    kind: "file",
    name,
    status,
    message: finding.message,
    location: finding.at,
    diagnostics: [finding],
  };
}

function statusOf(finding: Diagnostic | undefined): CaseStatus {
  if (finding?.level !== "error") return "passed";
  return finding.rule === "undecided" ? "undecided" : "failed";
}
