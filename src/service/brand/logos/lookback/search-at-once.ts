/** The lookback of a new logo query as far as its request waits for it: all of it, while it needs few dense searches. */
import type { ReadTransaction } from "../../../../store/port.ts";
import type { ServiceContext } from "../../../context.ts";
import type { StartedLookback } from "../../lookback/pending-lookback.ts";
import { addRange, gapsIn, pendingPieces } from "../../lookback/ranges.ts";
import { newestPosition } from "../../lookback/search-pages.ts";
import { type FoundScan, type PieceSearch, plannedSearches, searchPiece } from "./search-pieces.ts";

/** The pictures that are searched, and the matches, before the query is stored. */
export interface SearchedAtOnce extends StartedLookback {
  readonly piece: number;
  readonly found: readonly FoundScan[];
  readonly dense: number;
}

/**
 * Searches the stored pictures, the newest first, unless more than `lookbackAtOnce` are to be searched densely; also stops
 * when so many were searched because they have the logo.
 *
 * @throws the abort reason
 */
export async function searchAtOnce(
  { limits, store }: Pick<ServiceContext, "limits" | "store">,
  search: PieceSearch,
): Promise<SearchedAtOnce> {
  const piece = Math.max(1, limits.lookbackPiece);
  const nothing: SearchedAtOnce = { piece, found: [], searched: 0, dense: 0 };
  const before = (await store.read((tx) => newestPosition(tx, "brand_logo_scans", search.account))) + 1;
  if (plannedSearches({ before, piece }) > limits.lookbackAtOnce) return nothing;
  return searchUpTo(search, before, { ...nothing, done: [] }, limits.lookbackAtOnce);
}

/** Searches pictures that arrived meanwhile in the transaction that stores the query, if these are few. */
export async function finishAtOnce(
  { limits }: Pick<ServiceContext, "limits">,
  search: PieceSearch,
  tx: ReadTransaction,
  searched: SearchedAtOnce,
): Promise<SearchedAtOnce> {
  const { done, piece, dense } = searched;
  if (!done) return searched;
  const before = (await newestPosition(tx, "brand_logo_scans", search.account)) + 1;
  const left = gapsIn([1, before], done).reduce((sum, [from, to]) => sum + to - from, 0);
  if (left + dense > Math.max(limits.lookbackAtOnce, piece)) return searched;
  const inTransaction = { ...search, read: <T>(work: (read: ReadTransaction) => Promise<T>) => work(tx) };
  return searchUpTo(inTransaction, before, searched, limits.lookbackAtOnce);
}

async function searchUpTo(
  search: PieceSearch,
  before: number,
  searched: SearchedAtOnce,
  max: number,
): Promise<SearchedAtOnce> {
  const { piece } = searched;
  let current = searched;
  for (const range of pendingPieces({ before, piece, done: searched.done ?? [] })) {
    if (current.dense > max) break;
    const next = await searchPiece(search, { before, piece }, range);
    current = {
      piece,
      found: [...current.found, ...next.found],
      done: addRange(current.done ?? [], range),
      searched: current.searched + next.searched,
      dense: current.dense + next.dense,
    };
  }
  return current;
}
