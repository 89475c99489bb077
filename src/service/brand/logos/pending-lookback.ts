/** The stored state of lookbacks that are longer than a request. */
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type {
  LogoLookback,
  LogoLookbackRecord,
  LogoQueryRecord,
  LogoScanRecord,
} from "../../../store/records/brand.ts";
import { densePosition, type FoundScan, retained } from "./logo-lookback.ts";
import { storeLogoMatches } from "./logo-store.ts";

/** Pictures of one page, and of one that is searched densely, which takes a hundred times as long. */
const pageSizes = { regions: 100, dense: 10 } as const;

const newestFirst = [{ field: "position", direction: "desc" }] as const;

/** Whether an account has more than so many pictures to search. */
export async function hasMoreScans(tx: ReadTransaction, account: string, count: number): Promise<boolean> {
  const query = { where: [retained], order: newestFirst, offset: count, limit: 1 };
  return (await tx.find("brand_logo_scans", account, query)).length > 0;
}

/**
 * Stores a pending lookback of a new query: of the pictures that are stored now, since later ones are searched when they
 * arrive. Returns the query with its state.
 */
export async function startLookback(
  tx: WriteTransaction,
  query: LogoQueryRecord,
  denseLookback: number,
): Promise<LogoQueryRecord> {
  const { scope, id } = query;
  const [newest] = await tx.find("brand_logo_scans", scope, { order: newestFirst, limit: 1 });
  const progress = { total: await tx.count("brand_logo_scans", scope, [retained]), searched: 0, dense: 0 };
  const dense_from = await densePosition(tx, scope, denseLookback);
  const before = (newest?.position ?? 0) + 1;
  await tx.insert("brand_logo_lookbacks", { scope, id, before, dense_from, ...progress });
  const started = { ...query, lookback: { state: "pending", ...progress } as const };
  await tx.replace("brand_logo_queries", started);
  return started;
}

/** A query with the progress of its lookback. */
export async function withProgress(tx: ReadTransaction, query: LogoQueryRecord): Promise<LogoQueryRecord> {
  if (query.lookback?.state !== "pending") return query;
  const record = await tx.get("brand_logo_lookbacks", query.scope, query.id);
  return record ? { ...query, lookback: { state: "pending", ...countsOf(record) } } : query;
}

/** The next pictures of a pending lookback; none when all were searched. */
export function nextScans(
  tx: ReadTransaction,
  { scope, before, dense_from }: LogoLookbackRecord,
): Promise<readonly LogoScanRecord[]> {
  const where = [retained, { field: "position", op: "lt", value: before }] as const;
  const limit = before > dense_from ? pageSizes.dense : pageSizes.regions;
  return tx.find("brand_logo_scans", scope, { where, order: newestFirst, limit });
}

/**
 * Stores the matches of a page and the position after it; without a page the lookback is done. When another process has
 * stored the page, or the query was deleted, nothing is stored.
 */
export async function storeProgress(
  tx: WriteTransaction,
  record: LogoLookbackRecord,
  page: readonly LogoScanRecord[],
  found: readonly FoundScan[],
): Promise<void> {
  const { scope, id } = record;
  const current = await tx.get("brand_logo_lookbacks", scope, id);
  if (current?.before !== record.before) return;
  const last = page.at(-1);
  if (!last) {
    await endLookback(tx, current, { state: "done", ...countsOf(current) });
    return;
  }
  const queryId = Number(id);
  await storeLogoMatches(
    tx,
    scope,
    found.map((each) => ({ queryId, ...each })),
  );
  await tx.replace("brand_logo_lookbacks", {
    ...current,
    before: last.position,
    searched: current.searched + page.length,
    dense: current.dense + page.filter(({ position }) => position >= current.dense_from).length,
  });
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
