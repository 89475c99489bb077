/** The table of blob keys, in order, wherever the bytes are. */
import { sql } from "kysely";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";
import { blobTable, provisionalColumn } from "../layout.ts";
import type { BlobContext } from "./backend.ts";

/** Number of keys that are read at a time. */
const batchSize = 100;
/** Maximum length of a prefix that the index finds, in characters; columns hold at least so much unchanged. */
const orderedPrefix = 100;

/** Stores a key, with the bytes when the table holds them. A claimed blob stays claimed. */
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
  const previous = sql.ref(`${blobTable}.${provisionalColumn}`);
  const provisional = sql`case when ${previous} is null then null else ${sql.ref(`excluded.${provisionalColumn}`)} end`;
  const set = { bytes, [provisionalColumn]: provisional };
  await run(insert.onConflict((conflict) => conflict.column("key").doUpdateSet(set)).compile());
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
