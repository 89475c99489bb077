/** Prepares the search of observed names for a stored query. */
import type { DomainQueryRecord, PositionRange } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import type { PrepareSearch, SearchedPiece } from "../lookback/lookback-kind.ts";
import { createPacer, type Pace } from "../lookback/pacer.ts";
import { pageWithin } from "../lookback/search-pages.ts";
import { readSettings } from "../settings/account-settings.ts";
import { type CompiledQueries, compileDraft, isCompiledWith } from "./compiled-domain-queries.ts";
import { findNames, pageSize, readPositions, storeFoundNames } from "./domain-lookback.ts";

/** The searches of domain queries. One of a query whose patterns or options have changed is not current any more. */
export function prepareDomainSearch(context: ServiceContext): PrepareSearch<DomainQueryRecord> {
  return async (query, signal) => {
    const { scope: account, query_id: queryId, parameters } = query;
    const compiled = await compileDraft(context, account, query);
    return {
      isCurrent: async (tx, now) =>
        JSON.stringify((now as DomainQueryRecord).parameters) === JSON.stringify(parameters) &&
        isCompiledWith(await readSettings(tx, context, account), compiled),
      searchPieces: async function* (_record, pieces) {
        // One pacer for all pieces: each of them is short.
        const search = { context, account, queryId, compiled, signal, pace: createPacer() };
        for (const piece of pieces) yield* searchPiece(search, piece);
      },
    };
  };
}

/** The query whose names are searched. */
interface NameSearch {
  readonly context: ServiceContext;
  readonly account: string;
  readonly queryId: number;
  readonly compiled: CompiledQueries;
  readonly signal: AbortSignal;
  readonly pace: Pace;
}

/** Names that are stored as a piece of their own: they can all match. */
const namesOfPiece = 1_000;

/** Searches a piece as smaller ones. @throws the abort reason */
async function* searchPiece(
  { context, account, queryId, compiled, signal, pace }: NameSearch,
  [from, to]: PositionRange,
): AsyncGenerator<SearchedPiece, void, undefined> {
  for (let next = from; next < to; ) {
    signal.throwIfAborted();
    const page = pageWithin(next, to, pageSize);
    const names = await context.store.read((tx) => readPositions(tx, account, page));
    for (let i = 0; i === 0 || i < names.length; i += namesOfPiece) {
      const some = names.slice(i, i + namesOfPiece);
      const found = await findNames(some, compiled);
      const hasMore = i + namesOfPiece < names.length || names.length === pageSize;
      const end = hasMore ? (some.at(-1)?.position ?? next) + 1 : to;
      yield {
        range: [next, end],
        searched: some.length,
        matches: found.length,
        store: (tx) => storeFoundNames(tx, account, queryId, compiled, found),
      };
      next = end;
      await pace();
    }
  }
}
