/** The table of blobs: their keys in order, for both places where bytes can be. */
import { sql } from "kysely";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";
import { blobTable, provisionalColumn } from "../layout.ts";
import type { BlobContext } from "./backend.ts";

/** Keys that are read at a time. */
const batchSize = 100;
/** How much of a prefix, in characters, is looked for by order; columns keep at least that much as it is. */
const orderedPrefix = 100;

/** Notes a key, and the bytes when they are kept in the table. A blob that was claimed before stays so. */
export async function recordKey(
  run: RunStatement,
  { builder, encodeKey }: SqlDialect,
  key: string,
  bytes: Uint8Array | null,
  nowMs: number,
): Promise<void> {
  const insert = builder
    .insertInto(blobTable)
    .values({ key: encodeKey(key), name: JSON.stringify(key), bytes, [provisionalColumn]: nowMs });
  const before = sql.ref(`${blobTable}.${provisionalColumn}`);
  const stays = sql`case when ${before} is null then null else ${sql.ref(`excluded.${provisionalColumn}`)} end`;
  const set = { bytes, [provisionalColumn]: stays };
  await run(insert.onConflict((conflict) => conflict.column("key").doUpdateSet(set)).compile());
}

export async function removeKey(run: RunStatement, dialect: SqlDialect, key: string): Promise<void> {
  await run(dialect.builder.deleteFrom(blobTable).where("key", "=", dialect.encodeKey(key)).compile());
}

/** All keys with a prefix, a batch at a time, so that a million of them take no memory. */
export async function* listKeys(host: BlobContext, prefix: string): AsyncIterable<string> {
  const start = prefix.slice(0, orderedPrefix);
  let last: unknown;
  for (;;) {
    const from = last;
    const rows = await host.read(async (run) => {
      const { builder, encodeKey } = host.dialect;
      const select = builder.selectFrom(blobTable).select(["key", "name"]).orderBy("key").limit(batchSize);
      const behind =
        from === undefined ? select.where("key", ">=", encodeKey(start)) : select.where("key", ">", from);
      return (await run(behind.compile())).rows;
    });
    for (const row of rows) {
      const key = JSON.parse(row["name"] as string) as string;
      if (!key.startsWith(start)) return;
      if (key.startsWith(prefix)) yield key;
    }
    if (rows.length < batchSize) return;
    last = rows.at(-1)!["key"];
  }
}
