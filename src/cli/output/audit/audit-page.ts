/** The page of `edgeproof check --openapi --html`: the matrix of operations and outcomes in one file. */

import type { Placed } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { maskText } from "../../../core/text/secrets.ts";
import { type AuditOutcome, auditOutcomes } from "../../../engine/tokens/analysis/audit/outcomes.ts";
import type { OpenApiAudit } from "../../../import/openapi/audit-openapi.ts";
import { escapeControlCharacters } from "../escape-control-characters.ts";
import { escapeHtml, printHtmlHead } from "../html.ts";
import { countOutcomes } from "./audit-output.ts";
import {
  type AuditedZone,
  describeContradiction,
  leftOutFindings,
  openParts,
  operationName,
  schemeFindings,
  undocumentedFindings,
} from "./audited-zone.ts";

const style = `
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #ccc; padding: .3rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: #f4f4f4; }
td.mark { text-align: center; font-weight: bold; }
.none { background: #e3f4e3; } .error { background: #fbe0e0; } .warning { background: #fdf2d0; }
pre { margin: 0; white-space: pre-wrap; }
small { color: #555; }
`;

type Audited = OpenApiAudit["operations"][number];

/** The page in pieces, one for each operation: with many operations it is long. */
export function* printAuditPage(audited: AuditedZone): Generator<string> {
  const { document, zone, audit } = audited;
  const outcomes = countOutcomes(audited) as readonly (readonly [AuditOutcome, number])[];
  const title = `Audit of zone ${zone.id} against ${document.file}`;
  const counts = outcomes.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  yield `${printHtmlHead(title, style).join("\n")}\n`;
  yield `<h1>${safe(title)}</h1>\n`;
  yield `<p>${safe(formatCount(audit.operations.length, "documented operation"))}${counts ? `: ${counts}` : ""}</p>\n`;
  yield* printMatrix(
    audited,
    outcomes.map(([outcome]) => outcome),
  );
  yield* printList("Security schemes that rules cannot verify", schemeFindings(audited));
  yield* printList("Parts of the document that are left out", leftOutFindings(audited));
  yield* printList("Operations of the zone that the document lacks", undocumentedFindings(audited));
  yield `<h2>Outcomes</h2>\n<dl>${outcomes.map(describeOutcome).join("")}</dl>\n</body></html>\n`;
}

function* printMatrix(audited: AuditedZone, outcomes: readonly AuditOutcome[]): Generator<string> {
  const { document, audit } = audited;
  const heads = outcomes.map((outcome) => `<th scope="col">${outcome}</th>`).join("");
  yield `<table><thead><tr><th scope="col">operation</th><th scope="col">security</th>${heads}<th scope="col">request</th></tr></thead>\n<tbody>\n`;
  for (const operation of audit.operations) {
    const { line } = document.place(operation.operation.pointer).start;
    const marks = outcomes.map((outcome) => printMark(outcome, operation.outcome)).join("");
    const name = `<th scope="row">${safe(operationName(operation.operation))}<br><small>${safe(operation.operation.operation_id)}, line ${line}</small></th>`;
    const open = openParts(audited, operation).map((part) => `could change: ${part}`);
    const details = [
      ...describeContradiction(operation),
      ...(operation.reason ? [operation.reason] : []),
      ...open,
    ].join("\n");
    yield `<tr>${name}<td>${safe(securityOf(operation))}</td>${marks}<td><pre>${safe(details)}</pre></td></tr>\n`;
  }
  yield "</tbody></table>\n";
}

function printMark(outcome: AuditOutcome, own: AuditOutcome): string {
  if (outcome !== own) return "<td></td>";
  return `<td class="mark ${auditOutcomes[outcome].level}" title="${outcome}">&#9679;</td>`;
}

function securityOf({ operation: { security } }: Audited): string {
  if (security.length === 0) return "public";
  return security
    .map((schemes) => (schemes.length === 0 ? "nothing" : schemes.map(({ name }) => name).join(" and ")))
    .join(", or ");
}

function* printList(title: string, findings: readonly Placed[]): Generator<string> {
  if (findings.length === 0) return;
  yield `<h2>${title}</h2>\n<ul>\n`;
  for (const { message, at } of findings) {
    yield `<li>${safe(message)} <small>${safe(at.file)}, line ${at.start.line}</small></li>\n`;
  }
  yield "</ul>\n";
}

function describeOutcome([outcome]: readonly [AuditOutcome, number]): string {
  const { description, help } = auditOutcomes[outcome];
  return `<dt>${outcome}</dt><dd>${safe(description)} ${safe(help)}</dd>`;
}

/** Line ends of a block stay; other control characters are made visible. */
function safe(text: string): string {
  return escapeHtml(text.split("\n").map(maskText).map(escapeControlCharacters).join("\n"));
}
