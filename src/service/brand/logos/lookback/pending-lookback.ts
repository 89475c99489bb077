/** The stored state of lookbacks that are longer than a request. */
import type { ReadTransaction, WriteTransaction } from "../../../../store/port.ts";
import type {
  LogoLookback,
  LogoLookbackRecord,
  LogoQueryRecord,
  PositionRange,
} from "../../../../store/records/brand.ts";
import { storeLogoMatches } from "../logo-store.ts";
import { addRange, gapsIn } from "./ranges.ts";
import { densePosition, type FoundScan, retained } from "./search-scans.ts";
import { type NewSegment, storeSegment } from "./segments.ts";

const newestFirst = [{ field: "position", direction: "desc" }] as const;

/** Whether an account has more than so many pictures to search. */
export async function hasMoreScans(tx: ReadTransaction, account: string, count: number): Promise<boolean> {
  const query = { where: [retained], order: newestFirst, offset: count, limit: 1 };
  return (await tx.find("brand_logo_scans", account, query)).length > 0;
}

/** Time for which a process may be silent before another one takes over its lookback, in milliseconds. */
const leaseMs = 60_000;

/**
 * Stores a pending lookback of a new query: of the pictures that are stored now, since later ones are searched when they
 * arrive. This process is expected to run it. Returns the query with its state.
 */
export async function startLookback(
  tx: WriteTransaction,
  query: LogoQueryRecord,
  denseLookback: number,
  nowMs: number,
): Promise<LogoQueryRecord> {
  const { scope, id } = query;
  const newest = await positionAt(tx, scope, "desc");
  const oldest = await positionAt(tx, scope, "asc");
  // Positions follow each other: counting millions of records would take minutes.
  const progress = { total: newest - oldest + Math.min(1, oldest), searched: 0, dense: 0 };
  const dense_from = await densePosition(tx, scope, denseLookback);
  const before = newest + 1;
  const leased_until = nowMs + leaseMs;
  await tx.insert("brand_logo_lookbacks", { scope, id, before, dense_from, leased_until, ...progress });
  const started = { ...query, lookback: { state: "pending", ...progress } as const };
  await tx.replace("brand_logo_queries", started);
  return started;
}

/** The position of the newest or the oldest picture; 0 when there is none. */
async function positionAt(tx: ReadTransaction, account: string, direction: "asc" | "desc"): Promise<number> {
  const query = { where: [retained], order: [{ field: "position", direction }], limit: 1 } as const;
  return (await tx.find("brand_logo_scans", account, query))[0]?.position ?? 0;
}

/** A query with the progress of its lookback. */
export async function withProgress(tx: ReadTransaction, query: LogoQueryRecord): Promise<LogoQueryRecord> {
  if (query.lookback?.state !== "pending") return query;
  const record = await tx.get("brand_logo_lookbacks", query.scope, query.id);
  return record ? { ...query, lookback: { state: "pending", ...countsOf(record) } } : query;
}

/** A range of positions that was searched, within either the pictures that are searched densely or the others. */
export interface SearchedPiece {
  readonly range: PositionRange;
  /** Number of its pictures. */
  readonly searched: number;
  readonly found: readonly FoundScan[];
  /** The prefilter data of its pictures, if they were not stored before. */
  readonly segment?: NewSegment;
}

/** The outcome of searched pieces. */
export interface StoredPieces {
  /** Pictures of the pieces that were stored: those that no other process has stored, of a query that was not deleted. */
  readonly searched: number;
  /** Matches that are new. */
  readonly added: number;
  /** Keys of the blobs to delete after the transaction. */
  readonly outdated: readonly string[];
}

/**
 * Stores the matches of searched pieces and that they were searched, and that a process works on the lookback. A piece that
 * another process has stored, even in part, and those of a deleted query change nothing.
 */
export async function storePieces(
  tx: WriteTransaction,
  { scope, id }: Pick<LogoLookbackRecord, "scope" | "id">,
  pieces: readonly SearchedPiece[],
  nowMs: number,
): Promise<StoredPieces> {
  const outdated: string[] = [];
  let added = 0;
  const before = await tx.get("brand_logo_lookbacks", scope, id);
  if (!before) return { searched: 0, added, outdated };
  let current: LogoLookbackRecord = { ...before, leased_until: nowMs + leaseMs };
  const queryId = Number(id);
  for (const { range, searched, found, segment } of pieces) {
    const [gap] = gapsIn(range, current.done ?? []);
    if (gap?.[0] !== range[0] || gap[1] !== range[1]) continue;
    const pairs = found.map((each) => ({ queryId, ...each }));
    added += await storeLogoMatches(tx, scope, pairs);
    if (segment) outdated.push(...(await storeSegment(tx, scope, segment)));
    current = {
      ...current,
      done: addRange(current.done ?? [], range),
      searched: current.searched + searched,
      dense: current.dense + (range[0] >= current.dense_from ? searched : 0),
    };
  }
  if (isSearched(current)) await endLookback(tx, current, { state: "done", ...countsOf(current) });
  else await tx.replace("brand_logo_lookbacks", current);
  return { searched: current.searched - before.searched, added, outdated };
}

/** Ends a lookback of which nothing is left to search. */
export async function storeEnd(
  tx: WriteTransaction,
  { scope, id }: Pick<LogoLookbackRecord, "scope" | "id">,
): Promise<void> {
  const current = await tx.get("brand_logo_lookbacks", scope, id);
  if (current && isSearched(current)) await endLookback(tx, current, { state: "done", ...countsOf(current) });
}

function isSearched({ before, done = [] }: LogoLookbackRecord): boolean {
  return gapsIn([1, before], done).length === 0;
}

/** Whether no process is expected to work on a lookback. */
export function isAbandoned({ leased_until = 0 }: LogoLookbackRecord, nowMs: number): boolean {
  return leased_until <= nowMs;
}

/** Has this process continue an abandoned lookback; false when it ended, or another process did the same before. */
export async function takeOver(
  tx: WriteTransaction,
  { scope, id }: Pick<LogoLookbackRecord, "scope" | "id">,
  nowMs: number,
): Promise<boolean> {
  const current = await tx.get("brand_logo_lookbacks", scope, id);
  if (!current || !isAbandoned(current, nowMs)) return false;
  return tx.replace("brand_logo_lookbacks", { ...current, leased_until: nowMs + leaseMs });
}

/** Ends a lookback that an error stopped. */
export async function storeFailure(
  tx: WriteTransaction,
  { scope, id }: Pick<LogoLookbackRecord, "scope" | "id">,
  error: string,
): Promise<void> {
  const current = await tx.get("brand_logo_lookbacks", scope, id);
  if (current) await endLookback(tx, current, { state: "failed", ...countsOf(current), error });
}

async function endLookback(
  tx: WriteTransaction,
  { scope, id }: LogoLookbackRecord,
  lookback: LogoLookback,
): Promise<void> {
  await tx.delete("brand_logo_lookbacks", scope, id);
  const query = await tx.get("brand_logo_queries", scope, id);
  if (query) await tx.replace("brand_logo_queries", { ...query, lookback });
}

function countsOf({ total, searched, dense }: LogoLookbackRecord) {
  return { total, searched, dense };
}
