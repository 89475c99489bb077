/**
 * Lookback: searches the records that were observed before a query was created or changed. Most pages are read in
 * transactions of their own; the last ones in the transaction that stores the query, so that no record is missed.
 */

import type { ReadTransaction, Store } from "../../store/port.ts";
import { createPacer } from "./pacer.ts";

/** A record in the order in which records were observed. */
export interface ObservedRecord {
  readonly id: string;
  /** From 1. */
  readonly position: number;
}

/** A page of observed records, as a query of the store. */
export type ObservedPage = ReturnType<typeof pageAfter>;

/** The searched records, and the order of the search. */
export interface Lookback<R extends ObservedRecord, F> {
  readonly pageSize: number;
  readonly readPage: (tx: ReadTransaction, page: ObservedPage) => Promise<readonly R[]>;
  /** Returns the matches in a page. */
  readonly search: (page: readonly R[]) => readonly F[] | Promise<readonly F[]>;
}

/** The matches so far, and the last record that was searched. */
export interface LookbackState<F> {
  readonly found: readonly F[];
  readonly last: ObservedRecord;
}

/**
 * Before the first record. Records of position 0 are not searched: they are stored only because they match a query.
 */
const start: ObservedRecord = { position: 1, id: "" };

/** Searches all records, each page in a transaction of its own. */
export function lookBack<R extends ObservedRecord, F>(
  store: Store,
  lookback: Lookback<R, F>,
): Promise<LookbackState<F>> {
  return searchPages(lookback, { found: [], last: start }, (page) =>
    store.read((tx) => lookback.readPage(tx, page)),
  );
}

/** Searches the records that were observed since, in a transaction that excludes further ones. Returns all matches. */
export async function finishLookback<R extends ObservedRecord, F>(
  tx: ReadTransaction,
  lookback: Lookback<R, F>,
  state: LookbackState<F>,
): Promise<readonly F[]> {
  return (await searchPages(lookback, state, (page) => lookback.readPage(tx, page))).found;
}

async function searchPages<R extends ObservedRecord, F>(
  { pageSize, search }: Lookback<R, F>,
  state: LookbackState<F>,
  readPage: (page: ObservedPage) => Promise<readonly R[]>,
): Promise<LookbackState<F>> {
  const found = [...state.found];
  const pace = createPacer();
  let { last } = state;
  for (;;) {
    const page = await readPage(pageAfter(last, pageSize));
    const end = page.at(-1);
    if (!end) return { found, last };
    for (const match of await search(page)) found.push(match);
    last = end;
    await pace();
  }
}

/** No other condition: SQLite would read all records that it holds for, page after page. */
function pageAfter({ position, id }: ObservedRecord, limit: number) {
  return {
    order: [{ field: "position", direction: "asc" }],
    after: [position, id],
    limit,
  } as const;
}
