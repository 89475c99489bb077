/** Audits a zone against an OpenAPI document: whether the rules enforce the documented security. */

import { optionsOf, requireArgument } from "../../core/arguments.ts";
import { auditOperations } from "../../engine/tokens/analysis/audit/audit-operations.ts";
import type { OperationAudit, ZoneAudit } from "../../engine/tokens/analysis/audit/audit-result.ts";
import type { AuditOptions } from "../../engine/tokens/analysis/audit/auditor.ts";
import { analysisMembers } from "../../engine/tokens/analysis/option-names.ts";
import { inputProblem } from "../../engine/tokens/input-problem.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { InvalidInputError } from "../../errors.ts";
import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiOptions,
  openApiMembers,
  readOpenApi,
} from "./read-openapi.ts";
import type { SecurityScheme } from "./security-schemes.ts";

/** Options of an audit against a document. */
export interface OpenApiAuditOptions extends AuditOptions, OpenApiOptions {}

const openApiAuditOptions = optionsOf<OpenApiAuditOptions>("auditOpenApi", {
  ...analysisMembers,
  ...openApiMembers,
});

/** A scheme of the document that no token configuration of the zone reads. */
export interface UnreadScheme {
  /** The scheme. */
  readonly scheme: SecurityScheme;
  /** Pointers of the operations that it secures, without repetition. */
  readonly operations: readonly string[];
}

/** The result of an audit against a document. */
export interface OpenApiAudit extends ZoneAudit<OpenApiOperation> {
  /** The document, with the parts that were not audited. */
  readonly document: OpenApiDocument;
  /** Schemes that secure an operation and that no token configuration reads. */
  readonly unreadSchemes: readonly UnreadScheme[];
}

/**
 * Audits a zone against an OpenAPI document (2.0, 3.0 or 3.1), given as parsed JSON or YAML. The analysis covers all
 * requests; each request that it shows is confirmed by the real engine.
 *
 * @example
 * ```ts
 * const document = {
 *   openapi: "3.0.3",
 *   servers: [{ url: "https://api.example.com/v1" }],
 *   security: [{ bearer: [] }],
 *   paths: { "/orders/{id}": { get: { operationId: "getOrder" } }, "/health": { get: { security: [] } } },
 *   components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
 * };
 * const { operations } = auditOpenApi(document, { configs: [], rules: [] });
 * operations.map(({ operation, outcome }) => `${operation.method} ${operation.endpoint}: ${outcome}`);
 * // => ["GET /v1/orders/{var1}: no-token-source", "GET /v1/health: public"]
 * operations[0]?.contradiction?.request.url; // => "https://api.example.com/v1/orders/x"
 * ```
 * @throws InvalidInputError when the document or the zone is invalid, with every problem, and when a server of the
 * document has no host and `hosts` is missing
 */
export function auditOpenApi(
  document: unknown,
  zone: ZoneInput,
  auditOptions: OpenApiAuditOptions = {},
): OpenApiAudit {
  requireArgument("options", auditOptions, openApiAuditOptions);
  const { hosts = [], ignore = [], ...options } = auditOptions;
  const read = readOpenApi(document, { hosts, ignore });
  if (!read.ok) throw new InvalidInputError("The document cannot be read", read.problems);
  const { withoutHost, operations } = read.value;
  if (withoutHost.length > 0) {
    const problems = withoutHost.map(({ pointer = "", message }) => inputProblem(pointer, message));
    throw new InvalidInputError("The document needs `hosts`", problems);
  }
  const audit = auditOperations(zone, operations, options);
  return { ...audit, document: read.value, unreadSchemes: unreadSchemes(audit.operations, read.value) };
}

function unreadSchemes(
  audited: readonly OperationAudit<OpenApiOperation>[],
  { schemes }: OpenApiDocument,
): readonly UnreadScheme[] {
  const uses = new Map<string, Set<string>>();
  for (const { operation, unreadSchemes } of audited) {
    for (const name of unreadSchemes) {
      const pointers = uses.get(name) ?? new Set<string>();
      uses.set(name, pointers.add(operation.pointer));
    }
  }
  return schemes.flatMap((scheme) => {
    const operations = uses.get(scheme.name);
    return operations ? [{ scheme, operations: [...operations] }] : [];
  });
}
