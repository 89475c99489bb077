/** `edgeproof`: the whole simulator, its errors and its storage port. */

// Create an edge

export { createEdge, type Edge, type EdgeOptions } from "../edge.ts";
export type {
  FaultCounts,
  FaultEffects,
  FaultMatch,
  FaultPoint,
  FaultRule,
  Faults,
} from "../service/faults.ts";
export { type IdSource, seededIds } from "../service/ids.ts";
export type { Limits } from "../service/limits.ts";
export type { Settings } from "../service/settings.ts";
export type { Clock } from "../service/time.ts";
export type { World } from "../service/world/schema.ts";

// Results and errors

export type { Diagnostic, Level } from "../core/diagnostic.ts";
export {
  ApiError,
  type Code,
  type CodedDiagnostic,
  catalogue,
  InvalidInputError,
  problem,
} from "../errors.ts";

// Records, services and storage

export { type Profile, profiles } from "../core/profiles.ts";
export { type Area, DependencyUnavailableError, type Source } from "../errors.ts";
export type { AnswerRecord } from "../http/records/answer-record.ts";
export type { RecordedToken } from "../http/records/decoded-token.ts";
export type { VerdictRecord } from "../http/records/verdict-record.ts";
export type { BrandService } from "../service/brand/brand.ts";
export type { DomainRecord } from "../service/brand/domains/feed-record.ts";
export type { InvalidRecord, ObserveCounts, ObserveOptions, UsedPart } from "../service/brand/feed.ts";
export type { Feed } from "../service/brand/feed-batches.ts";
export type { ScanRecord } from "../service/brand/logos/scan-record.ts";
export type { LookbackRange } from "../service/brand/lookback/lookback-runner.ts";
export { AccountSettingsError, type BrandSettings } from "../service/brand/settings/account-settings.ts";
export { idsFrom } from "../service/ids.ts";
export type { ImageServices } from "../service/images/services.ts";
export { defaultLimits } from "../service/limits.ts";
export { type Permission, permissions } from "../service/permissions.ts";
export type { CollectionTable } from "../store/definition.ts";
export { createMemoryStore } from "../store/memory/memory-store.ts";
export {
  type BlobStore,
  MissingBlobError,
  type Query,
  type ReadTransaction,
  type Store,
  UniqueViolationError,
  type WriteTransaction,
} from "../store/port.ts";
