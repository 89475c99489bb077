/** The kinds of lookbacks: of domain queries over observed names, and of logo queries over scanned pictures. */
import type { WriteTransaction } from "../../../store/port.ts";
import type {
  DomainQueryRecord,
  LogoQueryRecord,
  LookbackRecord,
  PositionRange,
} from "../../../store/records/brand.ts";
import type { BrandPart } from "../account-state.ts";

/** The collections of a kind. */
export interface LookbackCollections {
  /** The part of brand protection, which is the kind of its lookbacks. */
  readonly part: BrandPart;
  /** The queries. */
  readonly queries: "brand_domain_queries" | "brand_logo_queries";
  /** The pending lookbacks of queries, with the same ids. */
  readonly lookbacks: "brand_domain_lookbacks" | "brand_logo_lookbacks";
  /** The records that are searched. */
  readonly observed: "brand_domains" | "brand_logo_scans";
}

/** The collections of each kind. */
export const lookbackCollections = {
  domains: {
    part: "domains",
    queries: "brand_domain_queries",
    lookbacks: "brand_domain_lookbacks",
    observed: "brand_domains",
  },
  logos: {
    part: "logos",
    queries: "brand_logo_queries",
    lookbacks: "brand_logo_lookbacks",
    observed: "brand_logo_scans",
  },
} as const satisfies Record<BrandPart, LookbackCollections>;

/** Identifies a lookback: its kind, the account, and the id of the query. */
export interface LookbackKey extends Pick<LookbackRecord, "scope" | "id"> {
  readonly part: BrandPart;
}

/** A query of either kind. */
export type LookbackQuery = DomainQueryRecord | LogoQueryRecord;

/** A range of positions that was searched. */
export interface SearchedPiece {
  readonly range: PositionRange;
  /** Number of its records. */
  readonly searched: number;
  /** Number of matches that were found. */
  readonly matches: number;
  /** Of pictures: the number of those that were searched densely. A piece with some took long, and is stored at once. */
  readonly dense?: number;
  /**
   * Stores the matches in the transaction that stores the progress, and returns the number of new ones. May be called again
   * after a conflict.
   */
  readonly store: (tx: WriteTransaction) => Promise<number>;
}

/** The search of one query, which keeps in memory what all steps need. */
export interface QuerySearch {
  /** Whether the pieces that it has searched are those of a query and its account as they are stored now. */
  isCurrent(tx: WriteTransaction, query: LookbackQuery): Promise<boolean>;
  /**
   * Searches pieces, in their order, as far as the results are asked for. One piece may be searched as several.
   *
   * @throws the abort reason
   */
  searchPieces(record: LookbackRecord, pieces: Iterable<PositionRange>): AsyncIterable<SearchedPiece>;
}

/**
 * Prepares the search of a stored query, as it is now.
 *
 * @throws {AccountSettingsError} when another version of edgeproof has written the account
 */
export type PrepareSearch<Q extends LookbackQuery> = (query: Q, signal: AbortSignal) => Promise<QuerySearch>;

/** Prepares the searches of each kind. */
export interface PrepareSearches {
  readonly domains: PrepareSearch<DomainQueryRecord>;
  readonly logos: PrepareSearch<LogoQueryRecord>;
}
