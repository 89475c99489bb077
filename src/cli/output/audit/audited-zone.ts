/** The audit of a zone with its files, and the findings in them. */

import { type Diagnostic, diagnostic, type Placed, type Rules } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { type PlacedSource, place } from "../../../core/place.ts";
import type { OperationAudit } from "../../../engine/tokens/analysis/audit/audit-result.ts";
import { auditOutcomes } from "../../../engine/tokens/analysis/audit/outcomes.ts";
import { pointer, quote } from "../../../errors.ts";
import type { OpenApiAudit, UnreadScheme } from "../../../import/openapi/audit-openapi.ts";
import type { OpenApiOperation } from "../../../import/openapi/read-openapi.ts";
import { couldChange } from "../../../import/world/could-change.ts";
import type { WorldZone } from "../../../service/world/rulesets/world-zones.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { describeClaims, describeGiven, describeRequest } from "../given-members.ts";
import { notAZoneRules } from "../results/not-a-zone.ts";

/** A document with the places of its values. */
export interface PlacedDocument extends PlacedSource {
  readonly file: string;
  /** The value, unchecked. */
  readonly value: unknown;
}

/** The audit of a zone against a document. */
export interface AuditedZone {
  readonly zone: WorldZone;
  /** The world. */
  readonly source: WorldSource;
  readonly document: PlacedDocument;
  readonly audit: OpenApiAudit;
}

/** The undecided parts of the configuration that could change the outcome of an operation, as sentences. */
export function openParts(
  { zone, source: { undecided } }: AuditedZone,
  { operation, zoneOperations }: OperationAudit<OpenApiOperation>,
): readonly string[] {
  const { host } = operation;
  const requests = zoneOperations.length === 0 ? [{}] : zoneOperations.map((id) => ({ operation: id }));
  const parts = requests.flatMap((request) => couldChange(undecided, { zone: zone.id, host, ...request }));
  return [...new Set(parts.map(({ message }) => message))];
}

const tags = ["tokens", "openapi"];

const otherRules = {
  ...notAZoneRules,
  "could-change": {
    tags,
    level: "note",
    description: "The configuration leaves something undecided that could change the outcome.",
    help: "Resolve what is undecided; without --partial the command prints what to run.",
  },
  "scheme-not-read": {
    tags,
    level: "warning",
    description:
      "No token configuration reads the credential of a security scheme, so no rule can verify it.",
    help: "Add the header or cookie of the scheme to `token_sources` of a configuration, if it holds a token.",
  },
  "not-audited": {
    tags,
    level: "warning",
    description: "A part of the document is left out of the audit.",
    help: "Change the document as the message says, or check the operations of this part by hand.",
  },
  undocumented: {
    tags,
    level: "note",
    description: "The zone has an operation that the document lacks.",
    help: "Add the operation to the document, or remove it from the zone.",
  },
} as const satisfies Rules;

/** Every kind of finding: the outcomes, and those about the document and the zone. */
export const auditRules: Rules = {
  ...Object.fromEntries(
    Object.entries(auditOutcomes).flatMap(([id, { level, ...texts }]) =>
      level === "none" ? [] : [[id, { ...texts, level, tags }]],
    ),
  ),
  ...otherRules,
};

/** `METHOD host/path` of an operation. */
export function operationName({
  method,
  host,
  endpoint,
}: Pick<OpenApiOperation, "method" | "host" | "endpoint">) {
  return `${method} ${host}${endpoint}`;
}

/** The diagnostic about a documented operation; undefined when there is nothing to report. */
export function operationFinding(audited: OperationAudit<OpenApiOperation>): Diagnostic | undefined {
  const { operation, outcome, reason } = audited;
  const { level, description, help } = auditOutcomes[outcome];
  if (level === "none") return undefined;
  const details = describeContradiction(audited).join("\n");
  const because = reason === undefined ? "" : ` The reason: ${reason}.`;
  const message = `${operationName(operation)}: ${description}${because}`;
  // Checks of rules share the id `undecided`, whose help is another one.
  return {
    rule: outcome,
    level,
    message,
    help,
    ...(details !== "" && { details }),
    pointer: operation.pointer,
  };
}

/** The diagnostic about an outcome that undecided parts of the configuration could change; undefined when none could. */
export function openFinding(
  audited: AuditedZone,
  operation: OperationAudit<OpenApiOperation>,
): Diagnostic | undefined {
  const parts = openParts(audited, operation);
  if (parts.length === 0) return undefined;
  const message = `${operationName(operation.operation)}: The outcome \`${operation.outcome}\` could change.`;
  const { pointer } = operation.operation;
  return diagnostic(otherRules, "could-change", message, { details: parts.join("\n"), pointer });
}

/** The schemes that no configuration reads. */
export function schemeFindings({ audit, document }: AuditedZone): readonly Placed[] {
  return place(audit.unreadSchemes.map(schemeFinding), document);
}

function schemeFinding({ scheme, operations }: UnreadScheme): Diagnostic {
  const { name, source, reason, pointer } = scheme;
  const uses = `The security scheme ${quote(name)} of ${formatCount(operations.length, "operation")}`;
  const cause = source ? `no token configuration has the source \`${source}\`` : (reason ?? "");
  const message = `${uses} cannot be verified by rules: ${cause}.`;
  const level = source === undefined ? "note" : "warning";
  return diagnostic(otherRules, "scheme-not-read", message, { level, pointer });
}

/** The parts of the document that are left out. */
export function leftOutFindings({ document, audit }: AuditedZone): readonly Placed[] {
  return place(
    audit.document.dropped.map(({ message, pointer = "" }) =>
      diagnostic(otherRules, "not-audited", message, { pointer }),
    ),
    document,
  );
}

/** The operations of the zone that the document lacks. */
export function undocumentedFindings({ zone, source, audit }: AuditedZone): readonly Placed[] {
  const indexes = new Map(zone.input.operations?.map(({ operation_id }, i) => [operation_id, i] as const));
  const found = audit.undocumented.map((operation) => {
    const message = `The document lacks the operation ${quote(operation.operation_id)}: ${operationName(operation)}.`;
    const at = pointer("operations", indexes.get(operation.operation_id) ?? 0);
    return diagnostic(otherRules, "undocumented", message, { pointer: at });
  });
  return place(found, source, zone.at);
}

/** The request that contradicts the document, and its treatment, in lines. */
export function describeContradiction({
  contradiction,
}: Pick<OperationAudit, "contradiction">): readonly string[] {
  if (contradiction === undefined) return [];
  const { request, placeholderTokens, timeMs, action, rule, operationId, tokens } = contradiction;
  const states = Object.entries(tokens).map(([id, state]) => `token of ${id} ${state}`);
  const decided = rule === undefined ? [] : [`by rule ${rule}`];
  const matched = operationId === undefined ? [] : [`operation ${operationId}`];
  return [
    ...describeRequest(request),
    ...describeGiven(request).map((line) => line.trimStart()),
    ...placeholderTokens.map(
      ({ value, kid, alg, claims }) =>
        `(${value} is a placeholder for a valid token: kid ${kid}, alg ${alg}${describeClaims(claims)})`,
    ),
    ...(timeMs === undefined ? [] : [`(evaluated at ${new Date(timeMs).toISOString()})`]),
    [`${action} ${decided.join("")}`.trim(), ...matched, ...states].join(", "),
  ];
}
