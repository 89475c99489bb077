/** The table of blob keys with the checksums of their bytes, in order, wherever the bytes are. */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { damagedBlobError } from "../../port.ts";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";
import { blobTable, checksumColumn, objectColumn, provisionalColumn } from "../layout.ts";
import type { BlobContext } from "./backend.ts";
import { batchesOf, isOneOf } from "./blob-claims.ts";

/** Number of keys that are read at a time. */
const batchSize = 100;
/** Maximum length of a prefix that the index finds, in characters; columns hold at least so much unchanged. */
const orderedPrefix = 100;

/** The bytes of a blob. */
export interface BlobContent {
  readonly bytes: Uint8Array;
  /** Whether the table holds the bytes, or a file, or an object of a bucket. */
  readonly place: "table" | "file" | { readonly object: string };
}

/** Stores a key with the checksum of its bytes, and the bytes when the table holds them. A claimed blob stays claimed. */
export async function recordKey(
  run: RunStatement,
  { builder, encodeKey }: SqlDialect,
  key: string,
  { bytes, place }: BlobContent,
  nowMs: number,
): Promise<void> {
  const insert = builder.insertInto(blobTable).values({
    key: encodeKey(key),
    name: JSON.stringify(key),
    bytes: place === "table" ? bytes : null,
    [objectColumn]: typeof place === "string" ? null : place.object,
    [provisionalColumn]: nowMs,
    [checksumColumn]: checksumOf(bytes),
  });
  const previous = (column: string) => sql.ref(`${blobTable}.${column}`);
  const next = (column: string) => sql.ref(`excluded.${column}`);
  const provisional = sql`case when ${previous(provisionalColumn)} is null then null else ${next(provisionalColumn)} end`;
  const checksums =
    place === "file"
      ? sql`substr(${next(checksumColumn)} || coalesce(' ' || ${previous(checksumColumn)}, ''), 1, ${maxChecksums})`
      : next(checksumColumn);
  const set = {
    bytes: next("bytes"),
    [objectColumn]: next(objectColumn),
    [provisionalColumn]: provisional,
    [checksumColumn]: checksums,
  };
  await run(insert.onConflict((conflict) => conflict.column("key").doUpdateSet(set)).compile());
}

/**
 * Maximum length of the checksums of a file. The file is replaced after its row, perhaps by several processes at once,
 * or never, when its process dies: it holds the bytes of one of the last puts.
 */
const maxChecksums = 1000;

/** Length and SHA-256 of bytes. */
function checksumOf(bytes: Uint8Array): string {
  return `${bytes.byteLength}:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** The row of a blob. */
export interface BlobRow {
  /** Null when a file or an object has the bytes. */
  readonly bytes: Uint8Array | null;
  /** The object that has the bytes; undefined without one. */
  readonly object: string | undefined;
  /** The checksums of the last puts; undefined when there are none, as before format 4. */
  readonly checksums: readonly string[] | undefined;
}

/** The rows of keys, by key; none for a key that is not in the table. */
export async function readRows(
  run: RunStatement,
  dialect: SqlDialect,
  keys: readonly string[],
): Promise<ReadonlyMap<string, BlobRow>> {
  const named = new Map(keys.map((key) => [dialect.encodeKey(key), key]));
  const found = new Map<string, BlobRow>();
  for (const batch of batchesOf([...named.keys()])) {
    const select = dialect.builder
      .selectFrom(blobTable)
      .select(["key", "bytes", objectColumn, checksumColumn]);
    for (const row of (await run(select.where(isOneOf(dialect, batch)).compile())).rows)
      found.set(named.get(row["key"] as string) as string, blobRow(row));
  }
  return found;
}

function blobRow(row: Readonly<Record<string, unknown>>): BlobRow {
  const checksums = (row[checksumColumn] as string | null)?.split(" ");
  const object = (row[objectColumn] as string | null) ?? undefined;
  return { bytes: row["bytes"] as Uint8Array | null, object, checksums };
}

/** The object that the row of a key names, if any. */
export async function selectObject(run: RunStatement, dialect: SqlDialect, key: string): Promise<string[]> {
  const select = dialect.builder.selectFrom(blobTable).select(objectColumn);
  const named = select.where("key", "=", dialect.encodeKey(key)).where(objectColumn, "is not", null);
  return (await run(named.compile())).rows.map((row) => row[objectColumn] as string);
}

/** @throws {Error} when the bytes are not those of any checksum */
export function assertIntact(key: string, bytes: Uint8Array, checksums: readonly string[] | undefined): void {
  if (checksums === undefined) return;
  const found = checksumOf(bytes);
  if (!checksums.includes(found)) throw damagedBlobError(key, found, checksums[0] ?? "");
}

/** Removes the row of a blob. */
export async function removeKey(run: RunStatement, dialect: SqlDialect, key: string): Promise<void> {
  await run(dialect.builder.deleteFrom(blobTable).where("key", "=", dialect.encodeKey(key)).compile());
}

/** All keys with a prefix, one batch at a time, in bounded memory. */
export async function* listKeys(context: BlobContext, prefix: string): AsyncIterable<string> {
  const start = prefix.slice(0, orderedPrefix);
  let last: unknown;
  for (;;) {
    const from = last;
    const rows = await context.read(async (run) => {
      const { builder, encodeKey } = context.dialect;
      const select = builder.selectFrom(blobTable).select(["key", "name"]).orderBy("key").limit(batchSize);
      const rest =
        from === undefined ? select.where("key", ">=", encodeKey(start)) : select.where("key", ">", from);
      return (await run(rest.compile())).rows;
    });
    for (const row of rows) {
      const key = JSON.parse(row["name"] as string) as string;
      if (!key.startsWith(start)) return;
      if (key.startsWith(prefix)) yield key;
    }
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.["key"];
  }
}
