/** An account's domain queries, compiled: once for each revision of them. */
import { compileQueries, type Matcher } from "../../../engine/brand/matching/matcher.ts";
import type { MatchOptions } from "../../../engine/brand/model.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { DomainQueryRecord } from "../../../store/records/brand.ts";
import { requireScope, type ServiceContext } from "../../context.ts";
import { parseTimestamp } from "../../time.ts";
import { readState } from "../account-state.ts";

/** The compiled queries of an account. */
export interface Watch {
  /** Which state of the queries was compiled. */
  readonly revision: number;
  /** Finds the patterns of all queries in a name. It knows nothing of `min_time` and `max_time`. */
  readonly matcher: Matcher;
  readonly queries: ReadonlyMap<number, WatchedQuery>;
}

/** One query, ready to judge. */
export interface WatchedQuery {
  readonly query: DomainQueryRecord;
  /** Whether `min_time` and `max_time`, both inclusive, let a name through that was first seen then. */
  accepts(firstSeenMs: number): boolean;
}

/** Gives an account's queries as they stand now. */
export type OpenWatch = (account: string) => Promise<Watch>;

/** Keeps the compiled queries of the accounts that were used last. @throws {TypeError} for wrong options */
export function createWatches(context: ServiceContext): OpenWatch {
  const { store, settings, limits } = context;
  const cache = new Map<string, Watch>();
  compileQueries([], settings.brand);

  function remember(account: string, watch: Watch): Watch {
    cache.delete(account);
    cache.set(account, watch);
    if (cache.size > limits.compiledAccounts) cache.delete(cache.keys().next().value!);
    return watch;
  }

  return async (account) => {
    const { revision } = await store.read(async (tx) => {
      await requireScope(tx, "brand", "accounts", account);
      return readState(tx, account, "domains");
    });
    const kept = cache.get(account);
    if (kept?.revision === revision) return kept;
    const { state, queries } = await store.read((tx) => readQueries(tx, account));
    const options = { ...settings.brand, ...state.options };
    return remember(account, compileWatch(state.revision, queries, options));
  };
}

async function readQueries(tx: ReadTransaction, account: string) {
  const queries = await tx.find("brand_domain_queries", account, {
    order: [{ field: "query_id", direction: "asc" }],
  });
  return { state: await readState(tx, account, "domains"), queries };
}

/** Compiles queries, whether they are stored or not. */
export function compileWatch(
  revision: number,
  queries: readonly DomainQueryRecord[],
  options: MatchOptions,
): Watch {
  return {
    revision,
    matcher: compileQueries(queries, options),
    queries: new Map(queries.map((query) => [query.query_id, { query, accepts: compileBounds(query) }])),
  };
}

function compileBounds({ parameters }: DomainQueryRecord): (firstSeenMs: number) => boolean {
  const min = parseTimestamp(parameters.min_time ?? "") ?? Number.NEGATIVE_INFINITY;
  const max = parseTimestamp(parameters.max_time ?? "") ?? Number.POSITIVE_INFINITY;
  return (firstSeenMs) => firstSeenMs >= min && firstSeenMs <= max;
}
