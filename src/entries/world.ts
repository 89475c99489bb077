/**
 * Reads your own configuration, from Terraform or from saved responses of the interface, as a world.
 *
 * @module
 */

export type { Diagnostic, Level, Location, Placed, Span, TextEdit } from "../core/diagnostic.ts";
export type { PatchOperation } from "../core/json/patch.ts";
export type { TextPosition } from "../core/json-source.ts";
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
export type { ResourceKind } from "../import/reading.ts";
export type { AssumedToken } from "../import/replay/assumed-token.ts";
export type { Difference, DifferenceKind, DifferenceSide } from "../import/replay/difference-table.ts";
export { type ExpectedChange, readExpectedChanges } from "../import/replay/expected-changes.ts";
export type { RequestExample, TokenExample } from "../import/replay/printable.ts";
export { createReplay, type Replay, type ReplayFile, type ReplayOptions } from "../import/replay/replay.ts";
export type {
  DifferenceCounts,
  EdgeCounts,
  FileCounts,
  ReplayCounts,
} from "../import/replay/replay-report.ts";
export type { ReplaySettings, ReplayZone } from "../import/replay/replay-zone.ts";
export type { RecordedTokenState } from "../import/replay/tally.ts";
export type { ImportFile } from "../import/source-file.ts";
export { terraformMockFile } from "../import/terraform/mock-file.ts";
export type { TrafficFormat } from "../import/traffic/format.ts";
export {
  createTrafficReader,
  type TrafficReader,
  type TrafficReaderOptions,
} from "../import/traffic/reader.ts";
export type {
  EdgeAnswer,
  RecordedRequest,
  Recording,
  RejectedRecord,
  Silence,
  TrafficSink,
} from "../import/traffic/recorded-request.ts";
export { type RecordedRequests, requestsFrom } from "../import/traffic/requests-from.ts";
export type { Effect, Undecided } from "../import/undecided.ts";
export { type AnsweredRequest, couldChange } from "../import/world/could-change.ts";
export type { AcceptedResource, ImportSummary } from "../import/world/report.ts";
export type { SourceMap } from "../import/world/source-map.ts";
export { type ImportedWorld, type ImportOptions, worldFrom } from "../import/world-from.ts";
export type { World } from "../service/world/schema.ts";
