/** Records of brand protection. Scope: the account. Times are milliseconds since 1970, so that they order. */
import type { MatchOptions, StringMatch } from "../../engine/brand/model.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** One record an account for each half: `id` "domains" or "logos". */
export interface BrandStateRecord extends StoredRecord {
  /** Counts every change of the queries, so that what was compiled of them is known to be current or not. */
  readonly revision: number;
  /** Domains: how this account compares names, where that differs from the simulator's own options. */
  readonly options: MatchOptions;
}

export interface DomainQueryRecord extends StoredRecord {
  readonly query_id: number;
  readonly created: string;
  readonly updated: string;
  readonly query_tag: string;
  readonly scan: boolean;
  readonly parameters: {
    readonly string_matches: readonly StringMatch[];
    /** RFC 3339, as they were given. */
    readonly max_time?: string;
    readonly min_time?: string;
  };
}

export type ScanStatus = "none" | "pending" | "finished";

/** What a feed may know of a name. Absent: the feed did not say. */
export interface DomainFacts {
  readonly registrar?: string;
  readonly source?: string;
  readonly public_scans?: { readonly submission_id: string };
  readonly scan_status?: ScanStatus;
  readonly scan_submission_id?: number;
}

/** A name that was observed. `id` is the name itself, in lower case, with A-labels. */
export interface BrandDomainRecord extends StoredRecord, DomainFacts {
  readonly domain_id: number;
  /** Order in which names came to be searched by lookback; 0 for those that only a match made known. */
  readonly position: number;
  readonly first_seen: number;
}

/** `id` is the name, a space and the query's number: ties of any order go by name. */
export interface DomainMatchRecord extends StoredRecord, DomainFacts {
  readonly match_id: number;
  readonly query_id: number;
  readonly domain_id: number;
  readonly domain: string;
  readonly first_seen: number;
  /** Empty when nobody said. */
  readonly registrar: string;
  readonly dismissed: boolean;
}

export const brandStates = defineCollection<BrandStateRecord>({ fields: {} });
export const domainQueries = defineCollection<DomainQueryRecord>({
  fields: { query_id: "number" },
  indexes: [["query_id"]],
});
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
  // Each order with dismissed matches and without, and in both directions where there can be many ties, which go by
  // name in either: else a page of a million would look at all of them.
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
});

/** A logo that is sought. */
export interface LogoQueryRecord extends StoredRecord {
  readonly query_id: number;
  readonly tag: string;
  readonly similarity_threshold: number;
  readonly uploaded_at: string;
  /** Where the picture is kept: a key of the blob store. Its descriptor stands behind `descriptorKey` of it. */
  readonly store_path: string;
  readonly content_type: string;
}

/** A picture that logos are sought in. `id` is made of its domain, its scan and its bytes. */
export interface LogoScanRecord extends StoredRecord {
  /** Order in which pictures came to be searched by lookback; 0 for those that only a match made known. */
  readonly position: number;
  /** Empty when nobody said; so are the two below. */
  readonly domain: string;
  readonly registrar: string;
  readonly url_scan_id: string;
  readonly matched_at: number;
  /** A key of the blob store. */
  readonly blob: string;
  readonly content_type: string;
}

/** `id` is the query's number, a space and the scan's id. */
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
}

/** The blob of a picture's descriptor. */
export function descriptorKey(blob: string): string {
  return `${blob}.descriptor`;
}

export const logoQueries = defineCollection<LogoQueryRecord>({
  fields: { query_id: "number", tag: "text" },
  unique: [["tag"]],
  indexes: [["query_id"]],
});
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
    ["query_id", "-matched_at", "match_id"],
    ["query_id", "-similarity_score", "match_id"],
    ["query_id", "domain", "match_id"],
    ["query_id", "registrar", "match_id"],
  ],
  maintainedCounts: [["query_id"]],
});
