/**
 * Claims on blobs, and the removal of those without a claim: a process that dies after it put a blob and before it stored
 * the record that names it leaves one, and so does the release of the last claim. Claiming and removing both change the
 * blob's row, so that one of them comes first, also across processes. Files are removed while the row is locked, and a
 * claim looks for them while it has the lock: whatever was interrupted, a blob that is claimed has its bytes. Objects of a
 * bucket are removed after the transaction in which their rows were, since no other row ever names them.
 */

import { type RawBuilder, sql } from "kysely";
import { addTo } from "../../../core/groups.ts";
import { countKeys } from "../../argument-checks.ts";
import { MissingBlobError } from "../../port.ts";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";
import { blobTable, claimsColumn, objectColumn, provisionalColumn } from "../layout.ts";
import type { BlobDatabase, BlobFiles } from "./backend.ts";
import { listToRemove } from "./bucket/object-list.ts";

/** Maximum number of keys of one statement. */
const batchSize = 500;

/** Blobs that one transaction removes: it locks their rows while files are removed. */
const removedAtOnce = 100;

const provisional = sql.ref(provisionalColumn);
const claims = sql<number>`coalesce(${sql.ref(claimsColumn)}, 0)`;

/** @throws {MissingBlobError} when a blob does not exist */
export async function claimBlobs(
  run: RunStatement,
  dialect: SqlDialect,
  files: BlobFiles | undefined,
  keys: readonly string[],
  count: number,
): Promise<void> {
  const wanted = new Map(keys.map((key) => [dialect.encodeKey(key), key]));
  for (const [times, batch] of equallyOften(dialect, keys)) {
    const set = { [claimsColumn]: sql`${claims} + ${number(times * count)}`, [provisionalColumn]: null };
    const claim = dialect.builder.updateTable(blobTable).set(set).where(isOneOf(dialect, batch));
    for (const { key } of (await run(claim.returning("key").compile())).rows) wanted.delete(key as string);
  }
  for (const key of wanted.values()) throw new MissingBlobError(key);
  const missing = await files?.findMissing(keys);
  if (missing !== undefined) throw new MissingBlobError(missing);
}

export async function releaseBlobs(
  run: RunStatement,
  dialect: SqlDialect,
  keys: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const [times, batch] of equallyOften(dialect, keys)) {
    const left = sql`${claims} - ${number(times)}`;
    const set = {
      [claimsColumn]: sql`case when ${left} > 0 then ${left} else 0 end`,
      [provisionalColumn]: sql`case when ${left} > 0 then null else ${number(nowMs)} end`,
    };
    const release = dialect.builder.updateTable(blobTable).set(set).where(isOneOf(dialect, batch));
    await run(release.where(provisional, "is", null).compile());
  }
}

export async function countClaims(
  run: RunStatement,
  dialect: SqlDialect,
  keys: readonly string[],
): Promise<number[]> {
  const found = new Map<unknown, number>();
  for (const [, batch] of equallyOften(dialect, [...new Set(keys)])) {
    const select = dialect.builder.selectFrom(blobTable).select(["key", claims.as("claims")]);
    for (const row of (await run(select.where(isOneOf(dialect, batch)).compile())).rows)
      found.set(row["key"], Number(row["claims"]));
  }
  return keys.map((key) => found.get(dialect.encodeKey(key)) ?? 0);
}

/** Numbers of statements are real. */
function number(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as double precision)`;
}

/** The keys as the table has them, in batches of keys that are in the list equally often. */
function* equallyOften(
  dialect: SqlDialect,
  keys: readonly string[],
): Generator<readonly [times: number, batch: readonly string[]]> {
  const byTimes = new Map<number, string[]>();
  for (const [key, times] of countKeys(keys)) addTo(byTimes, times, dialect.encodeKey(key));
  for (const [times, encoded] of byTimes) for (const batch of batchesOf(encoded)) yield [times, batch];
}

export function* batchesOf(keys: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < keys.length; from += batchSize) yield keys.slice(from, from + batchSize);
}

export function isOneOf(dialect: SqlDialect, keys: readonly unknown[]) {
  return dialect.inKeys(sql.ref("key"), sql`${dialect.bindSet(keys)}`);
}

/**
 * Removes the blobs without a claim that were put or released up to a time (milliseconds since 1970), one batch at a
 * time. The claims are looked at in the statement that removes a row.
 *
 * @returns their number
 */
export async function removeUnclaimed(
  { dialect, read, write }: BlobDatabase,
  files: BlobFiles | undefined,
  untilMs: number,
): Promise<number> {
  const { builder } = dialect;
  const old = builder
    .selectFrom(blobTable)
    .select("key")
    .where(provisional, "<=", untilMs)
    .limit(removedAtOnce);
  for (let removed = 0; ; ) {
    const { rows } = await read((run) => run(old.compile()));
    if (rows.length === 0) return removed;
    const keys = rows.map((row) => row["key"]);
    removed += await write(async (run) => {
      const remove = builder.deleteFrom(blobTable).where(isOneOf(dialect, keys));
      const returned = remove.where(provisional, "<=", untilMs).returning(["name", objectColumn]);
      const gone = (await run(returned.compile())).rows;
      await files?.remove(gone.map((row) => JSON.parse(row["name"] as string) as string));
      const objects = gone.map((row) => row[objectColumn] as string | null);
      await listToRemove(
        run,
        dialect,
        objects.filter((object) => object !== null),
      );
      return gone.length;
    });
  }
}
