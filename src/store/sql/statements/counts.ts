/** The numbers of counted combinations: a row for each combination of values, changed along with the records. */
import { sql } from "kysely";
import type { PlainDefinition } from "../../definition.ts";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";
import { countTable } from "../layout.ts";

/** Columns of a record, as they are in the database. */
export type Columns = Readonly<Record<string, unknown>>;

/** Numbers that are changed by one statement. */
const batchSize = 500;

/** The columns that the counts of a collection depend on; none when it has no counts. */
export function countedColumns({ counted }: PlainDefinition): string[] {
  return counted.length === 0 ? [] : ["scope", ...new Set(counted.flat())];
}

/** The name of the row that counts the records with these values. */
function nameOf(collection: string, fields: readonly string[], values: readonly unknown[]): string {
  return JSON.stringify([
    collection,
    fields,
    values.map((value) => (typeof value === "boolean" ? Number(value) : value)),
  ]);
}

/** How many records have these values in a counted combination of fields. */
export async function readCount(
  run: RunStatement,
  { builder, encodeKey }: SqlDialect,
  collection: string,
  fields: readonly string[],
  row: Columns,
): Promise<number> {
  const values = fields.map((field) => row[field]);
  const select = builder
    .selectFrom(countTable)
    .select("count")
    .where("scope", "=", row["scope"])
    .where("name", "=", encodeKey(nameOf(collection, fields, values)));
  return Number((await run(select.compile())).rows[0]?.["count"] ?? 0);
}

/** Changes the counts of a collection by rows that came (1) and went (-1). */
export async function changeCounts(
  run: RunStatement,
  dialect: SqlDialect,
  { name, counted }: Pick<PlainDefinition, "name" | "counted">,
  changes: readonly { readonly rows: readonly Columns[]; readonly by: number }[],
): Promise<void> {
  const sums = new Map<string, { readonly scope: unknown; readonly name: string; count: number }>();
  for (const { rows, by } of changes) {
    for (const row of rows) {
      for (const fields of counted) {
        const label = nameOf(
          name,
          fields,
          fields.map((field) => row[field] ?? null),
        );
        const key = JSON.stringify([row["scope"], label]);
        const sum = sums.get(key) ?? { scope: row["scope"], name: dialect.encodeKey(label), count: 0 };
        sum.count += by;
        sums.set(key, sum);
      }
    }
  }
  const changed = [...sums.values()].filter(({ count }) => count !== 0);
  for (let from = 0; from < changed.length; from += batchSize)
    await run(addCounts(dialect, changed.slice(from, from + batchSize)));
}

function addCounts({ builder }: SqlDialect, rows: readonly Columns[]) {
  return builder
    .insertInto(countTable)
    .values(rows as never)
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "name"])
        .doUpdateSet({ count: sql`${sql.ref(`${countTable}.count`)} + ${sql.ref("excluded.count")}` }),
    )
    .compile();
}
