/** Lists of domain matches, and their dismissal. */
import { anyObject, requireArgument } from "../../../core/arguments.ts";
import { createRevisionCache, type RevisionCache } from "../../../core/revision-cache.ts";
import { domainMatchParameters } from "../../../schemas/brand.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { DomainMatchRecord, DomainQueryRecord, LookbackProgress } from "../../../store/records/brand.ts";
import { notFound, requireRecord, requireScope, type ServiceContext } from "../../context.ts";
import { maxShortOffset } from "../../paging.ts";
import { acceptQuery } from "../../query.ts";
import { inQueue, readState } from "../account-state.ts";
import { type ListRequest, type OrderRules, orderOf, readId } from "../list-request.ts";
import { joinedProgress, withProgress } from "../lookback/pending-lookback.ts";
import { bestPatterns, type CompiledQueries, type QueryCompiler } from "./compiled-domain-queries.ts";
import { conditionsOf } from "./domain-search.ts";
import { createListCache, type ListCache } from "./list-cache.ts";
import { listMultipleQueries, type MatchDetail, type MultiQueryRequest } from "./multi-query-list.ts";

const area = "brand";

export interface MatchRequest extends ListRequest {
  /** The ids of one or several queries. */
  readonly query_id: readonly string[];
  /** A part of the name, normalized as names are: of its Unicode form or of its A-labels. */
  readonly domain_search?: string | undefined;
  /** Default false. */
  readonly include_dismissed?: boolean | undefined;
  /** Default false. */
  readonly include_domain_id?: boolean | undefined;
  /** Default `first_seen`. */
  readonly orderBy?: OrderName | undefined;
  /** Also computes `found` of the matches that were stored without it, by an earlier version. */
  readonly recompute?: boolean | undefined;
}

/** A name in a list of matches. */
export interface ListedMatch {
  readonly match: DomainMatchRecord;
  /** In a list of several queries: the queries that the name matches, by id. */
  readonly details?: readonly MatchDetail[];
  /** `match.found` was computed for this list, by the query and the options of now. */
  readonly recomputed?: true;
}

export interface MatchList {
  readonly matches: readonly ListedMatch[];
  /** Number of matches on all pages. */
  readonly total: number;
  /** How far the lookbacks of the queries came together; absent when none had one. */
  readonly lookback?: LookbackProgress;
}

/** Names that the queries have found. */
export interface DomainMatchService {
  /** Matches of one query, or of several queries with each name once. */
  list(account: string, request: MatchRequest): Promise<MatchList>;
  /** Hides a match of one query, or lists it again. A second call changes nothing. */
  setDismissed(account: string, queryId: string, domainId: string, dismissed: boolean): Promise<void>;
}

type OrderName = "domain" | "first_seen" | "registrar";

/** Orders and their default directions (`chosen`); ties are ordered by name. */
const orders: OrderRules<OrderName, OrderName> = {
  first_seen: { field: "first_seen", direction: "desc" },
  domain: { field: "domain", direction: "asc" },
  registrar: { field: "registrar", direction: "asc" },
};

export function domainMatchService({ store }: ServiceContext, compile: QueryCompiler): DomainMatchService {
  const cache = createListCache();
  const known = createRevisionCache<Queries>(maxQuerySets);
  return {
    list: async (account, given) => {
      requireArgument("request", given, anyObject);
      const { recompute, ...request } = given;
      const query = acceptQuery(domainMatchParameters, request, area);
      const { limit, offset } = query;
      const ids = [...new Set(query.query_id)];
      const slice = { limit, offset };
      const order = orderOf(query, orders);
      const filter = { includeDismissed: query.include_dismissed, search: query.domain_search };
      const long = ids.length > 1 || filter.search !== undefined || slice.offset > maxShortOffset;
      const listed = await store.read(
        async (tx): Promise<MatchList> => {
          const queries = await requireQueries(tx, account, ids, known);
          const queryIds = queries.map((query) => query.query_id);
          const lookback = joinedProgress(await progressOf(tx, account, queries));
          const common = lookback && { lookback };
          const { where, total: counted } = await conditionsOf(tx, account, queryIds, filter);
          const list = { filter: JSON.stringify(filter), where, known: counted };
          const [only, second] = queries;
          if (!only || second) {
            return {
              ...(await listMultipleQueries(tx, account, queries, { ...list, order, slice }, cache)),
              ...common,
            };
          }
          const own = [{ field: "query_id", op: "eq", value: only.query_id } as const, ...where];
          const total = counted ?? (await countMatches(tx, account, only, list, cache));
          const found = await tx.find("brand_domain_matches", account, {
            where: own,
            order: [order],
            ...slice,
          });
          return { matches: found.map((match) => ({ match })), total, ...common };
        },
        { long },
      );
      if (!recompute) return listed;
      const compiled = await compile(account);
      return { ...listed, matches: listed.matches.map((match) => recomputed(match, compiled)) };
    },
    setDismissed: (account, queryId, domainId, dismissed) =>
      store.write(
        async (tx) => {
          const { query_id } = await requireRecord(
            tx,
            "brand_domain_queries",
            account,
            readId("query_id", queryId),
          );
          const domain_id = Number(readId("domain_id", domainId));
          const where = [
            { field: "query_id", op: "eq", value: query_id },
            { field: "domain_id", op: "eq", value: domain_id },
          ] as const;
          const [match] = await tx.find("brand_domain_matches", account, { where });
          if (!match || String(domain_id) !== domainId)
            throw notFound(area, `match of domain query ${query_id} with the domain`, domainId);
          await tx.replace("brand_domain_matches", { ...match, dismissed });
        },
        inQueue(account, "domains"),
      ),
  };
}

/** Adds the pattern of a match that was stored without it, when its query finds the name now. */
function recomputed(listed: ListedMatch, { matcher }: CompiledQueries): ListedMatch {
  const { match, details } = listed;
  const isComplete = match.found && details?.every((detail) => detail.found) !== false;
  if (isComplete) return listed;
  const patterns = bestPatterns(matcher.match(match.domain));
  const found = match.found ?? patterns.get(match.query_id);
  return {
    match: { ...match, ...(found && { found }) },
    ...(details && {
      details: details.map((detail) => {
        const own = detail.found ?? patterns.get(detail.query_id);
        return own ? { ...detail, found: own } : detail;
      }),
    }),
    recomputed: true,
  };
}

type Queries = readonly DomainQueryRecord[];

/** Maximum number of sets of queries that are kept, until a query of their account changes. */
const maxQuerySets = 100;

/** The queries with these ids, in their order; kept until a query changes. @throws {ApiError} 7002 for an unknown id */
async function requireQueries(
  tx: ReadTransaction,
  account: string,
  ids: readonly string[],
  known: RevisionCache<Queries>,
): Promise<Queries> {
  await requireScope(tx, area, "accounts", account);
  const { revision } = await readState(tx, account, "domains");
  return known.get(JSON.stringify([account, ids]), revision, async () => ({
    revision,
    value: await readQueries(tx, account, ids),
  }));
}

async function readQueries(tx: ReadTransaction, account: string, ids: readonly string[]): Promise<Queries> {
  const where = [{ field: "id", op: "in", value: ids }] as const;
  const found = await tx.find("brand_domain_queries", account, { where, limit: ids.length });
  const byId = new Map(found.map((query) => [query.id, query]));
  return ids.map((id) => {
    const query = byId.get(id);
    if (!query) throw notFound(area, "domain query", id);
    return query;
  });
}

/** The lookbacks of queries as they are now: the end of a pending one does not change the revision. */
async function progressOf(
  tx: ReadTransaction,
  account: string,
  queries: Queries,
): Promise<readonly LookbackProgress[]> {
  const found: LookbackProgress[] = [];
  for (const known of queries) {
    const isPending = known.lookback?.state === "pending";
    const query = isPending ? await tx.get("brand_domain_queries", account, known.id) : known;
    const { lookback } = query ? await withProgress(tx, "domains", query) : known;
    if (lookback) found.push(lookback);
  }
  return found;
}

/** The number of matches of one query. A search is counted once, until a match changes. */
async function countMatches(
  tx: ReadTransaction,
  account: string,
  { query_id }: DomainQueryRecord,
  { filter, where }: Pick<MultiQueryRequest, "filter" | "where">,
  cache: ListCache,
): Promise<number> {
  const own = [{ field: "query_id", op: "eq", value: query_id } as const, ...where];
  const count = () => tx.count("brand_domain_matches", account, own);
  if (!where.some(({ op }) => op === "contains")) return count();
  const changes = await tx.changes("brand_domain_matches", account, "query_id", [query_id]);
  return cache.total(JSON.stringify([account, [query_id], filter]), changes, count);
}
