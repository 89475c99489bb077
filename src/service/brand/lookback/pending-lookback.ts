/** The stored state of lookbacks that are longer than a request. */
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { LookbackProgress, LookbackRecord } from "../../../store/records/brand.ts";
import {
  type LookbackKey,
  type LookbackQuery,
  lookbackCollections,
  type QuerySearch,
  type SearchedPiece,
} from "./lookback-kind.ts";
import { addRange, gapsIn } from "./ranges.ts";
import { newestPosition, nthNewestPosition } from "./search-pages.ts";

/** Time for which a process may be silent before another one takes over its lookback, in milliseconds. */
const leaseMs = 60_000;

/** Whether a lookback searches more than so many records. */
export async function hasMoreRecords(
  tx: ReadTransaction,
  { part, scope }: Pick<LookbackKey, "part" | "scope">,
  count: number,
): Promise<boolean> {
  return (await nthNewestPosition(tx, lookbackCollections[part].observed, scope, count + 1)) !== undefined;
}

/** The part of a lookback that was searched before its query was stored. */
export type StartedLookback = Pick<LookbackRecord, "piece" | "done" | "searched" | "dense">;

/**
 * Stores a pending lookback of a query, instead of one that it has: of the records that are stored now, since later ones are
 * searched when they arrive. This process is expected to run it. Stores only that it is done when nothing is left. Returns
 * the query with its state.
 *
 * @param started by default nothing
 */
export async function startLookback<Q extends LookbackQuery>(
  tx: WriteTransaction,
  part: LookbackKey["part"],
  query: Q,
  nowMs: number,
  started: StartedLookback = { searched: 0 },
): Promise<Q> {
  const { scope, id } = query;
  const { queries, lookbacks, observed } = lookbackCollections[part];
  const before = (await newestPosition(tx, observed, scope)) + 1;
  const total = totalOf({ before, ...started });
  const record = { scope, id, before, leased_until: nowMs + leaseMs, total, ...started };
  await tx.delete(lookbacks, scope, id);
  const state = started.done && isSearched(record) ? "done" : "pending";
  if (state === "pending") await tx.insert(lookbacks, record);
  const stored = { ...query, lookback: { state, ...countsOf(record) } as const };
  await tx.replace(queries, stored);
  return stored;
}

/** Ends a pending lookback without a result, when its query is deleted or changed. */
export async function dropLookback(tx: WriteTransaction, { part, scope, id }: LookbackKey): Promise<void> {
  await tx.delete(lookbackCollections[part].lookbacks, scope, id);
}

/** A query with the progress of its lookback. */
export async function withProgress<Q extends LookbackQuery>(
  tx: ReadTransaction,
  part: LookbackKey["part"],
  query: Q,
): Promise<Q> {
  if (query.lookback?.state !== "pending") return query;
  const record = await tx.get(lookbackCollections[part].lookbacks, query.scope, query.id);
  return record ? { ...query, lookback: { state: "pending", ...countsOf(record) } } : query;
}

/** The progress of several lookbacks together: pending or failed if one of them is; undefined without any. */
export function joinedProgress(all: readonly LookbackProgress[]): LookbackProgress | undefined {
  const [first, second] = all;
  if (!first || !second) return first;
  const states = new Set(all.map(({ state }) => state));
  const state = states.has("pending") ? "pending" : states.has("failed") ? "failed" : "done";
  const sum = (member: "total" | "searched") => all.reduce((total, each) => total + each[member], 0);
  return { state, total: sum("total"), searched: sum("searched") };
}

/** The outcome of searched pieces. */
export interface StoredPieces {
  /** Records of the pieces that were stored: those that no other process has stored, of a query that was not deleted. */
  readonly searched: number;
  /** Matches that are new. */
  readonly added: number;
  /** Whether the query was changed after it was searched, so that nothing was stored. */
  readonly isOutdated: boolean;
}

/**
 * Stores the matches of searched pieces and that they were searched, and that a process works on the lookback. A piece that
 * another process has stored, even in part, and those of a deleted or changed query change nothing.
 */
export async function storePieces(
  tx: WriteTransaction,
  key: LookbackKey,
  search: QuerySearch,
  pieces: readonly SearchedPiece[],
  nowMs: number,
): Promise<StoredPieces> {
  const { queries, lookbacks } = lookbackCollections[key.part];
  let added = 0;
  const before = await tx.get(lookbacks, key.scope, key.id);
  const query = before && (await tx.get(queries, key.scope, key.id));
  const isOutdated = query !== undefined && !(await search.isCurrent(tx, query));
  if (!query || isOutdated) return { searched: 0, added, isOutdated };
  let current: LookbackRecord = { ...before, leased_until: nowMs + leaseMs };
  for (const { range, searched, dense = 0, store } of pieces) {
    const [gap] = gapsIn(range, current.done ?? []);
    if (gap?.[0] !== range[0] || gap[1] !== range[1]) continue;
    added += await store(tx);
    current = {
      ...current,
      done: addRange(current.done ?? [], range),
      searched: current.searched + searched,
      ...(current.dense !== undefined && { dense: current.dense + dense }),
    };
  }
  current = { ...current, total: totalOf(current) };
  if (isSearched(current)) await endLookback(tx, key, { state: "done", ...countsOf(current) });
  else await tx.replace(lookbacks, current);
  return { searched: current.searched - before.searched, added, isOutdated };
}

/** Ends a lookback of which nothing is left to search. */
export async function storeEnd(tx: WriteTransaction, key: LookbackKey): Promise<void> {
  const current = await readRecord(tx, key);
  if (current && isSearched(current)) await endLookback(tx, key, { state: "done", ...countsOf(current) });
}

function isSearched({ before, done = [] }: LookbackRecord): boolean {
  return gapsIn([1, before], done).length === 0;
}

/** The searched records and the positions that are left, which have at most one each: counting a million would take seconds. */
function totalOf({
  before,
  done = [],
  searched,
}: Pick<LookbackRecord, "before" | "done" | "searched">): number {
  return gapsIn([1, before], done).reduce((total, [from, to]) => total + to - from, searched);
}

/** Whether no process is expected to work on a lookback. */
export function isAbandoned({ leased_until = 0 }: LookbackRecord, nowMs: number): boolean {
  return leased_until <= nowMs;
}

/** Has this process continue an abandoned lookback; false when it ended, or another process did the same before. */
export async function takeOver(tx: WriteTransaction, key: LookbackKey, nowMs: number): Promise<boolean> {
  const current = await readRecord(tx, key);
  if (!current || !isAbandoned(current, nowMs)) return false;
  const taken = { ...current, leased_until: nowMs + leaseMs };
  return tx.replace(lookbackCollections[key.part].lookbacks, taken);
}

/** Ends a lookback that an error stopped. */
export async function storeFailure(tx: WriteTransaction, key: LookbackKey, error: string): Promise<void> {
  const current = await readRecord(tx, key);
  if (current) await endLookback(tx, key, { state: "failed", ...countsOf(current), error });
}

function readRecord(
  tx: ReadTransaction,
  { part, scope, id }: LookbackKey,
): Promise<LookbackRecord | undefined> {
  return tx.get(lookbackCollections[part].lookbacks, scope, id);
}

async function endLookback(
  tx: WriteTransaction,
  key: LookbackKey,
  lookback: LookbackProgress,
): Promise<void> {
  await dropLookback(tx, key);
  const { queries } = lookbackCollections[key.part];
  const query = await tx.get(queries, key.scope, key.id);
  if (query) await tx.replace(queries, { ...query, lookback });
}

function countsOf({ total, searched, dense }: Pick<LookbackRecord, "total" | "searched" | "dense">) {
  return { total, searched, ...(dense !== undefined && { dense }) };
}
