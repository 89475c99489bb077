/**
 * Searches the records that were observed before a query was created or changed, while a request waits. Most pages are read
 * in transactions of their own; the last ones in the transaction that stores the query, so that no record is missed.
 */
import type { ReadTransaction, Store } from "../../../store/port.ts";
import type { LookbackCollections } from "./lookback-kind.ts";
import { createPacer } from "./pacer.ts";

/** A record in the order in which records were observed. */
export interface ObservedRecord {
  readonly id: string;
  /** From 1. */
  readonly position: number;
}

/** A page of observed records, as a query of the store. */
export type ObservedPage = ReturnType<typeof pageWithin>;

/** The searched records, and the order of the search. */
export interface Lookback<R extends ObservedRecord, F> {
  readonly pageSize: number;
  /** The position of the newest record; 0 when there is none. */
  readonly newest: (tx: ReadTransaction) => Promise<number>;
  readonly readPage: (tx: ReadTransaction, page: ObservedPage) => Promise<readonly R[]>;
  /** Returns the matches in a page. */
  readonly search: (page: readonly R[]) => readonly F[] | Promise<readonly F[]>;
}

/** The matches so far, and where the search continues. */
export interface LookbackState<F> {
  readonly found: readonly F[];
  /** Records at lower positions are searched. */
  readonly next: number;
  /** Number of records that were searched. */
  readonly searched: number;
}

/** Before the first record. Records of position 0 are not searched: they are stored only because they match a query. */
const start: LookbackState<never> = { found: [], next: 1, searched: 0 };

/** Runs a read in a transaction. */
type Read = <T>(work: (tx: ReadTransaction) => Promise<T>) => Promise<T>;

/** Searches all records, each page in a transaction of its own. */
export function lookBack<R extends ObservedRecord, F>(
  store: Store,
  lookback: Lookback<R, F>,
): Promise<LookbackState<F>> {
  return searchPages(lookback, start, (work) => store.read(work));
}

/** Searches the records that were observed since, in a transaction that excludes further ones. Returns all matches. */
export function finishLookback<R extends ObservedRecord, F>(
  tx: ReadTransaction,
  lookback: Lookback<R, F>,
  state: LookbackState<F>,
): Promise<LookbackState<F>> {
  return searchPages(lookback, state, (work) => work(tx));
}

async function searchPages<R extends ObservedRecord, F>(
  { pageSize, newest, readPage, search }: Lookback<R, F>,
  state: LookbackState<F>,
  read: Read,
): Promise<LookbackState<F>> {
  const found = [...state.found];
  const pace = createPacer();
  let { next, searched } = state;
  let end = next;
  for (let width = pageSize; ; ) {
    // Others may have been observed in the meantime.
    if (next === end) end = Math.max(next, (await read(newest)) + 1);
    if (next === end) return { found, next, searched };
    const to = Math.min(next + width, end);
    const page = await read((tx) => readPage(tx, pageWithin(next, to, pageSize)));
    for (const match of await search(page)) found.push(match);
    searched += page.length;
    const last = page.at(-1);
    next = last && page.length === pageSize ? last.position + 1 : to;
    // Names that are stored without a position leave gaps.
    width = last ? pageSize : 2 * width;
    await pace();
  }
}

/** The first records of positions. Without the upper bound PostgreSQL can sort all later ones for each page. */
export function pageWithin(from: number, to: number, limit: number) {
  return { where: positionsIn(from, to), order: [{ field: "position", direction: "asc" }], limit } as const;
}

/** One direction, so that an index has the order. */
const newestFirst = [
  { field: "position", direction: "desc" },
  { field: "id", direction: "desc" },
] as const;

/** The position of the newest record; 0 when there is none. */
export async function newestPosition(
  tx: ReadTransaction,
  observed: LookbackCollections["observed"],
  account: string,
): Promise<number> {
  const newest = { order: newestFirst, limit: 1 };
  return ((await tx.positions(observed, account, newest))[0]?.[0] ?? 0) as number;
}

/** Positions that are looked at together: few enough for one statement. */
const windowSize = 8_192;

/**
 * The position of the nth newest record, n from 1; undefined when there are fewer. Looks at ranges of positions: PostgreSQL
 * can sort all rows behind a condition for one of them, while its estimates are older than a long feed.
 */
export async function nthNewestPosition(
  tx: ReadTransaction,
  observed: LookbackCollections["observed"],
  account: string,
  n: number,
): Promise<number | undefined> {
  let left = n;
  let to = (await newestPosition(tx, observed, account)) + 1;
  if (to <= n) return undefined;
  for (let width = windowSize; to > 1; ) {
    const from = Math.max(1, to - width);
    const where = positionsIn(from, to);
    const size = Math.min(left, windowSize);
    const query = { where, order: newestFirst, offset: size - 1, limit: 1 };
    const last = (await tx.positions(observed, account, query))[0]?.[0] as number | undefined;
    left -= last === undefined ? await tx.count(observed, account, where) : size;
    if (left === 0) return last;
    to = last ?? from;
    width = last === undefined ? 2 * width : windowSize;
  }
  return undefined;
}

/** The condition of the positions from the first to before the second one. */
export function positionsIn(from: number, to: number) {
  return [
    { field: "position", op: "gte", value: from },
    { field: "position", op: "lt", value: to },
  ] as const;
}
