/** Lists of logo matches. */
import type { ApiError } from "../../../errors.ts";
import { logoMatchParameters } from "../../../schemas/brand.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { LogoMatchRecord, LookbackProgress } from "../../../store/records/brand.ts";
import { notFound, requireRecord, type ServiceContext } from "../../context.ts";
import { maxShortOffset } from "../../paging.ts";
import { acceptQuery } from "../../query.ts";
import { inQueue } from "../account-state.ts";
import { type ListRequest, type OrderRules, orderOf, readId } from "../list-request.ts";
import { withProgress } from "../lookback/pending-lookback.ts";

export interface LogoMatchRequest extends ListRequest {
  readonly query_id: string;
  /** Whether the scanned pictures are returned. Default false. */
  readonly download?: boolean | undefined;
  /** Default `matchedAt`. */
  readonly orderBy?: OrderName | undefined;
}

/** A match, with the scanned picture if it was requested. */
export interface ListedLogoMatch {
  readonly match: LogoMatchRecord;
  readonly image?: Uint8Array;
}

/** A page of the matches of a query. */
export interface LogoMatchList {
  readonly matches: readonly ListedLogoMatch[];
  /** Matches before paging. */
  readonly total: number;
  /** How far the lookback of the query came; absent when it had none. */
  readonly lookback?: LookbackProgress;
}

/** Pictures that the queries have found. */
export interface LogoMatchService {
  /** Matches of one query, the dismissed ones too. */
  list(account: string, request: LogoMatchRequest): Promise<LogoMatchList>;
  /** One match of one query, with the scanned picture. @throws {ApiError} 7002 */
  get(account: string, queryId: string, matchId: string): Promise<Required<ListedLogoMatch>>;
  /** Marks a match of one query as dismissed, or as not dismissed. A second call changes nothing. */
  setDismissed(account: string, queryId: string, matchId: string, dismissed: boolean): Promise<void>;
}

type OrderName = "matchedAt" | "domain" | "similarityScore" | "registrar";

/** Orders and their default directions (`chosen`); ties are ordered by match id. */
const orders: OrderRules<OrderName, "matched_at" | "domain" | "similarity_score" | "registrar"> = {
  matchedAt: { field: "matched_at", direction: "desc" },
  domain: { field: "domain", direction: "asc" },
  similarityScore: { field: "similarity_score", direction: "desc" },
  registrar: { field: "registrar", direction: "asc" },
};

const ties = { field: "match_id", direction: "asc" } as const;

export function logoMatchService({ store }: ServiceContext): LogoMatchService {
  return {
    list: async (account, request) => {
      const { query_id: id, limit, offset, ...query } = acceptQuery(logoMatchParameters, request, "brand");
      const slice = { limit, offset };
      const order = [orderOf(query, orders), ties];
      const { found, total, lookback } = await store.read(
        async (tx) => {
          const owner = await requireRecord(tx, "brand_logo_queries", account, readId("query_id", id));
          const { query_id, lookback } = await withProgress(tx, "logos", owner);
          const where = [{ field: "query_id", op: "eq", value: query_id }] as const;
          const found = await tx.find("brand_logo_matches", account, { where, order, ...slice });
          return { found, total: await tx.count("brand_logo_matches", account, where), lookback };
        },
        { long: slice.offset > maxShortOffset },
      );
      const matches: ListedLogoMatch[] = [];
      for (const match of found) {
        const image = query.download ? await store.blobs.get(match.blob) : undefined;
        matches.push({ match, ...(image && { image }) });
      }
      return { matches, total, ...(lookback && { lookback }) };
    },
    get: async (account, queryId, matchId) => {
      const match = await store.read((tx) => requireMatch(tx, account, queryId, matchId));
      const image = await store.blobs.get(match.blob);
      // A missing picture was deleted with its match after the match was read.
      if (!image) throw noMatch(match.query_id, matchId);
      return { match, image };
    },
    setDismissed: (account, queryId, matchId, dismissed) =>
      store.write(
        async (tx) => {
          const match = await requireMatch(tx, account, queryId, matchId);
          await tx.replace("brand_logo_matches", { ...match, dismissed });
        },
        inQueue(account, "logos"),
      ),
  };
}

/** @throws {ApiError} 7002 for an unknown id, 7001 for an id that is not an integer */
async function requireMatch(
  tx: ReadTransaction,
  account: string,
  queryId: string,
  matchId: string,
): Promise<LogoMatchRecord> {
  const { query_id } = await requireRecord(tx, "brand_logo_queries", account, readId("query_id", queryId));
  const match_id = Number(readId("match_id", matchId));
  const where = [
    { field: "query_id", op: "eq", value: query_id },
    { field: "match_id", op: "eq", value: match_id },
  ] as const;
  const [match] = await tx.find("brand_logo_matches", account, { where });
  if (!match || String(match_id) !== matchId) throw noMatch(query_id, matchId);
  return match;
}

function noMatch(queryId: number, matchId: string): ApiError {
  return notFound("brand", `match of logo query ${queryId}`, matchId);
}
