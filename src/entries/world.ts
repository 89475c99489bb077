/**
 * Reads your own configuration, from Terraform or from saved responses of the interface, as a world.
 *
 * @module
 */

// Import a configuration

export type { ImportFile } from "../import/source-file.ts";
export type { ImportSummary } from "../import/world/report.ts";
export { type ImportedWorld, type ImportOptions, worldFrom } from "../import/world-from.ts";
export type { PreviousApplication } from "../service/world/applications.ts";
export type { World } from "../service/world/schema.ts";

// Replay recorded traffic

export { createReplay, type Replay, type ReplayOptions } from "../import/replay/replay.ts";
export type { ReplayCounts } from "../import/replay/replay-report.ts";
export type { ReplayZone } from "../import/replay/replay-zone.ts";
export {
  createTrafficReader,
  type TrafficReader,
  type TrafficReaderOptions,
} from "../import/traffic/reader.ts";
export { type RecordedRequests, requestsFrom } from "../import/traffic/requests-from.ts";

// Parts of imports and replays

export type { Diagnostic, Level, Location, Placed, TextEdit } from "../core/diagnostic.ts";
export type { PatchOperation } from "../core/json/patch.ts";
export {
  type IssuerKeys,
  type KeysFromJwksOptions,
  keysFromJwks,
} from "../import/keys/keys-from-jwks.ts";
export { type KeyRule, keyRules } from "../import/keys/rejected-key.ts";
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
export type { Security } from "../import/openapi/security.ts";
export type { SecurityScheme } from "../import/openapi/security-schemes.ts";
export type { Difference, DifferenceKind } from "../import/replay/difference-table.ts";
export { type ExpectedChange, readExpectedChanges } from "../import/replay/expected-changes.ts";
export type { RequestExample } from "../import/replay/printable.ts";
export type { FileCounts } from "../import/replay/replay-report.ts";
export type { ReplaySettings } from "../import/replay/replay-zone.ts";
export { terraformMockFile } from "../import/terraform/mock-file.ts";
export type { RecordedRequest, RejectedRecord, TrafficSink } from "../import/traffic/recorded-request.ts";
export type { Undecided } from "../import/undecided.ts";
export { couldChange } from "../import/world/could-change.ts";
export type { AcceptedResource } from "../import/world/report.ts";
export type { SourceMap } from "../import/world/source-map.ts";
