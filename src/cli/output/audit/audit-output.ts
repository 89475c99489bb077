/** An audit in the report of `check`: a case for each operation and scheme. */

import type { Diagnostic, Placed } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
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
    const count = audit.operations.filter((operation) => operation.outcome === outcome).length;
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
  const missing = missingParts(audited);
  const open = missing === undefined ? [] : audit.operations.filter(isOpen);
  const each =
    open.length > 1 ? audit.operations.filter((operation) => !isOpen(operation)) : audit.operations;
  const operations = each.map((operation): UngroupedCase => {
    const finding = operationFinding(operation);
    const open = openFinding(audited, operation);
    return {
      kind: "operation",
      name: operationName(operation.operation),
      status: statusOf(finding),
      message: open ? `${operation.outcome} (could change)` : operation.outcome,
      location: document.place(operation.operation.pointer),
      diagnostics: place(
        [finding, open].filter((found) => found !== undefined),
        document,
      ),
    };
  });
  const others = [
    ...schemeFindings(audited).map((finding, i) =>
      caseOf(`scheme ${audit.unreadSchemes[i]?.scheme.name}`, finding),
    ),
    ...leftOutFindings(audited).map((finding) => caseOf(`part ${finding.at.pointer}`, finding, "undecided")),
    ...undocumentedFindings(audited).map((finding, i) => {
      return caseOf(`operation of the zone ${audit.undocumented[i]?.operation_id}`, finding);
    }),
  ];
  const ignored = place(audit.document.ignored, document).map(({ at: location, message }) => {
    return skippedCase({ kind: "file", group, name: `part ${location.pointer}`, message, location });
  });
  const together = open.length > 1 ? [openCase(audited, open, missing ?? "")] : [];
  return [...together, ...operations, ...others, ...ignored].map((auditCase) => ({ group, ...auditCase }));
}

type Audited = AuditedZone["audit"]["operations"][number];

/** Whether a request without a valid token gets through, although the document secures the operation. */
function isOpen({ outcome }: Audited): boolean {
  return auditOutcomes[outcome].level === "error" && outcome !== "undecided";
}

/** The kind of entry that the zone lacks, so that no rule can protect an operation; undefined when it has all. */
function missingParts({ zone: { input } }: AuditedZone): string | undefined {
  if (input.operations?.length === 0) return "no operations";
  return input.rules.some(({ enabled }) => enabled !== false) ? undefined : "no enabled token rule";
}

/** One case of all operations that are open for the same reason. */
function openCase({ zone, document }: AuditedZone, open: readonly Audited[], missing: string): UngroupedCase {
  const location = document.place("/paths");
  const outcome = open[0]?.outcome ?? "unprotected";
  const message = `The zone \`${zone.id}\` has ${missing}, so that requests without a valid token get through to each of the ${open.length} operations that the document secures.`;
  const help =
    missing === "no operations"
      ? "Add the operations to the zone, or leave their list out, and require a valid token in a rule."
      : auditOutcomes.unprotected.help;
  const found: Diagnostic = { rule: outcome, level: "error", message, help, pointer: "/paths" };
  return {
    kind: "operation",
    count: open.length,
    name: "documented operations",
    status: "failed",
    message: outcome,
    location,
    diagnostics: place([found], document),
  };
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
