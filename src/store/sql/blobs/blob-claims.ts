/**
 * Claims on blobs, and the removal of abandoned ones: a process that dies after it put a blob and before it stored the
 * record that names it leaves an unclaimed blob. Claiming and removing both change the blob's row, so that one of them
 * comes first, also across processes.
 */
import { sql } from "kysely";
import { missingBlobError } from "../../port.ts";
import type { RunStatement, SqlDialect, SqlEngine } from "../engines/engine.ts";
import { blobTable, provisionalColumn } from "../layout.ts";

/** Minimum age of an unclaimed blob that is removed, in milliseconds: far longer than any request or import. */
export const abandonedMs = 86_400_000;

/** Replaces the time of a blob that is being removed; it cannot be claimed any more. */
export const removalMark = 0;

/** Maximum number of keys of one statement. */
const batchSize = 500;

const column = sql.ref(provisionalColumn);

/** @throws {DependencyUnavailableError} when a blob does not exist or is being removed */
export async function claimBlobs(
  run: RunStatement,
  dialect: SqlDialect,
  keys: readonly string[],
): Promise<void> {
  const wanted = new Map(keys.map((key) => [dialect.encodeKey(key), key]));
  for (const batch of batchesOf([...wanted.keys()])) {
    const claim = dialect.builder
      .updateTable(blobTable)
      .set({ [provisionalColumn]: null })
      .where(isOneOf(dialect, batch))
      .where(sql<boolean>`(${column} is null or ${column} <> ${removalMark})`)
      .returning("key");
    for (const { key } of (await run(claim.compile())).rows) wanted.delete(key as string);
  }
  for (const key of wanted.values()) throw missingBlobError(key);
}

export async function releaseBlobs(
  run: RunStatement,
  dialect: SqlDialect,
  keys: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const batch of batchesOf(keys.map((key) => dialect.encodeKey(key)))) {
    const release = dialect.builder.updateTable(blobTable).set({ [provisionalColumn]: nowMs });
    await run(release.where(isOneOf(dialect, batch)).where(column, "is", null).compile());
  }
}

/** Keys for one statement each. */
export function* batchesOf(keys: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < keys.length; from += batchSize) yield keys.slice(from, from + batchSize);
}

/** The rows of encoded keys. */
export function isOneOf(dialect: SqlDialect, keys: readonly unknown[]) {
  return dialect.inKeys(sql.ref("key"), sql`${dialect.bindSet(keys)}`);
}

/** Removes the unclaimed blobs that were put before a time (milliseconds since 1970), one batch at a time. */
export async function sweepBlobs(
  engine: SqlEngine,
  beforeMs: number,
  removeBytes: (key: string) => Promise<void> = async () => {},
): Promise<void> {
  const { dialect } = engine;
  const { builder } = dialect;
  const old = builder.selectFrom(blobTable).select(["key", "name"]).where(column, "<", beforeMs);
  for (;;) {
    const { rows } = await engine.read((run) => run(old.limit(batchSize).compile()));
    if (rows.length === 0) return;
    const keys = rows.map((row) => row["key"]);
    const mark = builder
      .updateTable(blobTable)
      .set({ [provisionalColumn]: removalMark })
      .where(column, "<", beforeMs)
      .where(isOneOf(dialect, keys))
      .returning(["key", "name"]);
    const marked = (await engine.write((run) => run(mark.compile()))).rows;
    for (const row of marked) await removeBytes(JSON.parse(row["name"] as string) as string);
    if (marked.length === 0) continue;
    const markedKeys = marked.map((row) => row["key"]);
    const remove = builder.deleteFrom(blobTable).where(isOneOf(dialect, markedKeys));
    await engine.write((run) => run(remove.where(column, "=", removalMark).compile()));
  }
}
