/** `edgeproof`: the whole simulator, its errors and its storage port. */

export type { Diagnostic, Level } from "../core/diagnostic.ts";
export { type Profile, type ProfileSettings, profiles } from "../core/profiles.ts";
export { createEdge, type Edge, type EdgeOptions } from "../edge.ts";
export {
  ApiError,
  type Area,
  type Code,
  type CodedDiagnostic,
  catalogue,
  DependencyUnavailableError,
  InvalidInputError,
  problem,
  type Source,
} from "../errors.ts";
export type { AnswerRecord } from "../http/records/answer-record.ts";
export type { RecordedToken } from "../http/records/decoded-token.ts";
export type { VerdictRecord } from "../http/records/verdict-record.ts";
export type { BrandService } from "../service/brand/brand.ts";
export type { DomainRecord } from "../service/brand/domains/feed-record.ts";
export type {
  InvalidRecord,
  ObserveCounts,
  ObserveOptions,
  ObserveProgress,
  UsedPart,
} from "../service/brand/feed.ts";
export type { Feed } from "../service/brand/feed-batches.ts";
export type { LookbackRange, RangeOutcome } from "../service/brand/logos/lookback/lookback-runner.ts";
export type { ScanRecord } from "../service/brand/logos/scan-record.ts";
export {
  AccountSettingsError,
  type BrandSettings,
  type BrandSettingsService,
  type BrandVersions,
  type PictureSettings,
} from "../service/brand/settings/account-settings.ts";
export { type IdSource, idsFrom, randomIds, seededIds } from "../service/ids.ts";
export type { ImageServices } from "../service/images/services.ts";
export type { UploadFile, UploadForm } from "../service/images/uploads/form.ts";
export { defaultLimits, type Limits } from "../service/limits.ts";
export { type Permission, permissions } from "../service/permissions.ts";
export type { Settings, SettingsAccess } from "../service/settings.ts";
export type { Clock } from "../service/time.ts";
export { type World, worldJsonSchema } from "../service/world/schema.ts";
export type { CollectionTable } from "../store/definition.ts";
export { createMemoryStore } from "../store/memory/memory-store.ts";
export {
  type BlobStore,
  blobGraceMs,
  MissingBlobError,
  type Query,
  type ReadTransaction,
  type Store,
  UniqueViolationError,
  type WriteTransaction,
} from "../store/port.ts";
