/** Records of brand protection. The scope is the account. Times are milliseconds since 1970, so that they can be ordered. */
import type { DomainMatch, MatchOptions, StringMatch } from "../../engine/brand/model.ts";
import type { LogoMatchKind, PixelBox } from "../../engine/logo/box.ts";
import type { DenseCalibration } from "../../engine/logo/dense/detector.ts";
import type { LogoRole } from "../../engine/logo/descriptor.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** The scope of the settings of all accounts. */
export const brandScope = "brand";

/** The settings that decide the matches of an account, in the scope `brand`; `id` is the account's. */
export interface BrandSettingsRecord extends StoredRecord {
  /** Comparison of names. The options of the account's own in `BrandStateRecord` have precedence. */
  readonly names: MatchOptions;
  /** Picture, in bytes. */
  readonly max_bytes: number;
  /** Picture, in pixels. */
  readonly max_pixels: number;
  /** Version of the descriptors of the account's pictures. */
  readonly descriptor_version: number;
  /** Version of the account's records, and of the searches that read them. */
  readonly schema_version: number;
}

/** One record an account for each part of brand protection: `id` "domains" or "logos". */
export interface BrandStateRecord extends StoredRecord {
  /** Increases with every change of the queries, so that outdated compiled queries are detected. */
  readonly revision: number;
  /** Of the part "domains": options of this account that differ from those of the edge. */
  readonly options: MatchOptions;
}

/** How far the lookback of a query came. The records of a domain query are names, those of a logo query pictures. */
export interface LookbackProgress {
  /** `pending` while stored records are still to be searched; `failed` when an error ended the work. */
  readonly state: "pending" | "done" | "failed";
  /** Stored records to search, when the query was created or changed; of a pending lookback at most so many. */
  readonly total: number;
  /** Of these the searched ones; of a pending lookback the newest. */
  readonly searched: number;
  /** Of pictures: those that the prefilter left, which were searched densely. */
  readonly dense?: number;
  /** The message of the error that ended a failed lookback. */
  readonly error?: string;
}

/** Positions from the first to before the second number. */
export type PositionRange = readonly [from: number, to: number];

/** A pending lookback of a query. `id` is the query's id. */
export interface LookbackRecord extends StoredRecord {
  /** Records at lower positions are searched, those in `done` excepted. */
  readonly before: number;
  /** The searched ranges: ascending, with gaps between. Absent at the start. */
  readonly done?: readonly PositionRange[];
  /** Until then, in milliseconds since 1970, a process is expected to work on it. */
  readonly leased_until?: number;
  /** Pictures: positions of a piece, of which a tenth is searched densely. Absent for names, like `dense`. */
  readonly piece?: number;
  readonly total: number;
  readonly searched: number;
  readonly dense?: number;
}

/** A domain query. */
export interface DomainQueryRecord extends StoredRecord {
  readonly query_id: number;
  readonly created: string;
  readonly updated: string;
  readonly query_tag: string;
  readonly scan: boolean;
  readonly parameters: {
    readonly string_matches: readonly StringMatch[];
    /** RFC 3339, as given. */
    readonly max_time?: string;
    readonly min_time?: string;
  };
  /**
   * Absent when `search_lookback` was false, and in records of earlier versions. While it is pending, a record of
   * `brand_domain_lookbacks` has the numbers.
   */
  readonly lookback?: LookbackProgress;
}

/** Values of `scan_status` (`chosen`). */
export const scanStatuses = ["none", "pending", "finished"] as const;

/** State of the scan of a domain. */
export type ScanStatus = (typeof scanStatuses)[number];

/** Facts about a name; a missing member is unknown. */
export interface DomainFacts {
  readonly registrar?: string;
  readonly source?: string;
  readonly public_scans?: { readonly submission_id: string };
  readonly scan_status?: ScanStatus;
  readonly scan_submission_id?: number;
}

/** An observed name. `id` is the name in lower case with A-labels. */
export interface BrandDomainRecord extends StoredRecord, DomainFacts {
  readonly domain_id: number;
  /** Order in which lookback searches names; 0 for names that are stored only because they match. */
  readonly position: number;
  readonly first_seen: number;
}

/** How a query found a name: of its patterns, the one with the best score. */
export type FoundPattern = Pick<
  DomainMatch,
  "pattern" | "distance" | "technique" | "score" | "span" | "mode" | "channel"
>;

/** A match of a name with a query. `id` is the name, a space and the query's id, so that ties are ordered by name. */
export interface DomainMatchRecord extends StoredRecord, DomainFacts {
  readonly match_id: number;
  readonly query_id: number;
  readonly domain_id: number;
  readonly domain: string;
  readonly first_seen: number;
  /** Empty when it is unknown. */
  readonly registrar: string;
  readonly dismissed: boolean;
  /** By the patterns that the query has now; `span` is a part of `domain`. Absent in records of earlier versions. */
  readonly found?: FoundPattern;
}

export const brandSettings = defineCollection<BrandSettingsRecord>({ fields: {} });
export const brandStates = defineCollection<BrandStateRecord>({ fields: {} });
export const domainQueries = defineCollection<DomainQueryRecord>({
  fields: { query_id: "number" },
  indexes: [["query_id"]],
});
export const domainLookbacks = defineCollection<LookbackRecord>({ fields: {} });
export const brandDomains = defineCollection<BrandDomainRecord>({
  fields: { position: "number" },
  indexes: [["position"]],
});
export const domainMatches = defineCollection<DomainMatchRecord>({
  fields: {
    query_id: "number",
    domain_id: "number",
    domain: "text",
    first_seen: "number",
    registrar: "text",
    dismissed: "boolean",
  },
  unique: [["domain_id", "query_id"]],
  // Each order with and without dismissed matches, and in both directions where many ties are possible: ties are in
  // ascending order of names, and without an index a page of a million matches would read all of them.
  indexes: [
    ["query_id", "-first_seen"],
    ["query_id", "first_seen"],
    ["query_id", "domain"],
    ["query_id", "registrar"],
    ["query_id", "-registrar"],
    ["query_id", "dismissed", "-first_seen"],
    ["query_id", "dismissed", "first_seen"],
    ["query_id", "dismissed", "domain"],
    ["query_id", "dismissed", "registrar"],
    ["query_id", "dismissed", "-registrar"],
  ],
  maintainedCounts: [["query_id"], ["query_id", "dismissed"]],
  changeCounters: ["query_id"],
});

/** Prefilter data of an earlier version, which nothing reads; `reindexLogos` removes it. */
export interface LogoSegmentRecord extends StoredRecord {
  readonly version: string;
  /** Key of the data in the blob store. */
  readonly blob: string;
}

/** A logo query. */
export interface LogoQueryRecord extends StoredRecord {
  readonly query_id: number;
  readonly tag: string;
  readonly similarity_threshold: number;
  readonly uploaded_at: string;
  /** Key of the picture in the blob store; `descriptorKey` makes the key of its descriptor. */
  readonly store_path: string;
  readonly content_type: string;
  /** The numbers of the dense search; absent in records of earlier versions, until the logo is first searched for. */
  readonly calibration?: DenseCalibration;
  /**
   * Absent when `search_lookback` was false, and in records of earlier versions. While it is pending, a record of
   * `brand_logo_lookbacks` has the numbers.
   */
  readonly lookback?: LookbackProgress;
}

/** A scanned picture. `id` is a hash of its domain, its scan id and its bytes. */
export interface LogoScanRecord extends StoredRecord {
  /** Order in which lookback searches pictures; 0 for pictures that are stored only because they match. */
  readonly position: number;
  /** Empty when it is unknown, like the two members below. */
  readonly domain: string;
  readonly registrar: string;
  readonly url_scan_id: string;
  readonly matched_at: number;
  /** Key of the picture in the blob store. */
  readonly blob: string;
  readonly content_type: string;
  /**
   * Id of the newest query that the picture was searched for when it was observed, 0 for none: observed again, it is
   * searched for newer queries only. Absent in records of earlier versions.
   */
  readonly searched_query?: number;
}

/** A match of a picture with a logo query. `id` is the query's id, a space and the scan's id. */
export interface LogoMatchRecord extends StoredRecord {
  readonly match_id: number;
  readonly query_id: number;
  readonly similarity_score: number;
  readonly domain: string;
  readonly registrar: string;
  readonly url_scan_id: string;
  readonly matched_at: number;
  readonly blob: string;
  readonly content_type: string;
  /** How the logo was found; absent or `region` in records of earlier versions, as `box` may be. */
  readonly kind?: LogoMatchKind | "region";
  /** The place of the logo, in pixels of the scanned picture. */
  readonly box?: PixelBox;
  /** Absent until the match is dismissed for the first time. */
  readonly dismissed?: boolean;
}

/** Prefix of the keys of pictures that any number of records may name, in all accounts. */
const sharedPrefix = "pictures/";

/** The key of a picture in the blob store: equal pictures are stored once. @param sha256 hash of its bytes */
export function pictureKey(sha256: string): string {
  return `${sharedPrefix}${sha256}`;
}

/** Whether several records may name a blob. Blobs of earlier versions, and segments, belong to one record. */
export function isSharedBlob(key: string): boolean {
  return key.startsWith(sharedPrefix);
}

/** The key of a picture's descriptor in the blob store. The version of a descriptor is its first byte. */
export function descriptorKey(blob: string, role: LogoRole): string {
  return isSharedBlob(blob) ? `${blob}.${role}.descriptor` : `${blob}.descriptor`;
}

export const logoQueries = defineCollection<LogoQueryRecord>({
  fields: { query_id: "number", tag: "text" },
  unique: [["tag"]],
  indexes: [["query_id"]],
});
export const logoLookbacks = defineCollection<LookbackRecord>({ fields: {} });
export const logoSegments = defineCollection<LogoSegmentRecord>({ fields: {} });
export const logoScans = defineCollection<LogoScanRecord>({
  fields: { position: "number" },
  indexes: [["position"]],
});
export const logoMatches = defineCollection<LogoMatchRecord>({
  fields: {
    match_id: "number",
    query_id: "number",
    similarity_score: "number",
    domain: "text",
    registrar: "text",
    matched_at: "number",
  },
  indexes: [
    ["query_id", "match_id"],
    ["query_id", "-matched_at", "match_id"],
    ["query_id", "-similarity_score", "match_id"],
    ["query_id", "domain", "match_id"],
    ["query_id", "registrar", "match_id"],
  ],
  maintainedCounts: [["query_id"]],
});
