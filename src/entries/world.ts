/**
 * Reads your own configuration, from Terraform or from saved responses of the interface, as a world.
 *
 * @module
 */

export type { TextPosition } from "../core/json-source.ts";
export {
  type DroppedKey,
  type IssuerKeys,
  type KeyRemark,
  type KeysFromJwksOptions,
  keysFromJwks,
} from "../import/keys/keys-from-jwks.ts";
export { type KeyRejection, keyRejections } from "../import/keys/rejected-key.ts";
export {
  auditOpenApi,
  type OpenApiAudit,
  type OpenApiAuditOptions,
  type UnreadScheme,
} from "../import/openapi/audit-openapi.ts";
export {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiOptions,
  readOpenApi,
} from "../import/openapi/read-openapi.ts";
export type { DocumentRemark } from "../import/openapi/reading-context.ts";
export type { Security } from "../import/openapi/security.ts";
export type { SecurityScheme } from "../import/openapi/security-schemes.ts";
export type { ResourceKind } from "../import/reading.ts";
export type { ImportFile } from "../import/source-file.ts";
export type {
  AcceptedResource,
  Derived,
  Dropped,
  Effect,
  ImportReport,
  SourceLocation,
  Undecided,
} from "../import/world/report.ts";
export type { SourceMap } from "../import/world/source-map.ts";
export { type ImportedWorld, type ImportOptions, worldFrom } from "../import/world-from.ts";
export type { World } from "../service/world/schema.ts";
