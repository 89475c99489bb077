/** Maintained counts: a row for each combination of values, changed along with the records. */
import { sql } from "kysely";
import type { PlainCondition } from "../../argument-checks.ts";
import type { PlainDefinition } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";
import { countTable } from "../layout.ts";

/** Values of a record's columns, as the database holds them. */
export type ColumnValues = Readonly<Record<string, unknown>>;

/** Maximum number of counts that one statement changes. */
const batchSize = 500;

/** The columns that the counts of a collection depend on, also those of changes; none when it has no counts. */
export function countedColumns({ maintainedCounts, changeCounters }: PlainDefinition): string[] {
  if (maintainedCounts.length + changeCounters.length === 0) return [];
  return [...new Set(["scope", ...maintainedCounts.flat(), ...changeCounters])];
}

/** The name of the row that counts the changes of the records with this value. */
export function changesName(collection: string, field: string, value: unknown): string {
  return countName(collection, ["changes", field], [value]);
}

/** The name of the row that counts the records with these values. */
export function countName(collection: string, fields: readonly string[], values: readonly unknown[]): string {
  return JSON.stringify([
    collection,
    fields,
    values.map((value) => (typeof value === "boolean" ? Number(value) : value)),
  ]);
}

/** The columns that conditions equate, with their values. */
export function equatedValues(
  { encode }: { encode(field: string, value: FieldValue): unknown },
  scope: string,
  where: readonly PlainCondition[],
): ColumnValues {
  const values = where.map(({ field, value }) => [field, encode(field, value as FieldValue)]);
  return { ...Object.fromEntries(values), scope: encode("scope", scope) };
}

/** The counts of a collection; without `changeCounters`, changes are not counted. */
type CountedDefinition = Pick<PlainDefinition, "name" | "maintainedCounts"> &
  Partial<Pick<PlainDefinition, "changeCounters">>;

/** Changes the counts of a collection by rows that were added (1) or removed (-1), and counts these changes. */
export async function changeCounts(
  run: RunStatement,
  dialect: SqlDialect,
  { name, maintainedCounts, changeCounters = [] }: CountedDefinition,
  changes: readonly { readonly rows: readonly ColumnValues[]; readonly by: number }[],
): Promise<void> {
  const sums = new Map<string, { readonly scope: unknown; readonly name: string; count: number }>();
  const add = (row: ColumnValues, label: string, by: number) => {
    const key = JSON.stringify([row["scope"], label]);
    const sum = sums.get(key) ?? { scope: row["scope"], name: dialect.encodeKey(label), count: 0 };
    sum.count += by;
    sums.set(key, sum);
  };
  for (const { rows, by } of changes)
    for (const row of rows) {
      const memberOf = (field: string) => row[field] ?? null;
      for (const fields of maintainedCounts) add(row, countName(name, fields, fields.map(memberOf)), by);
      for (const field of changeCounters) add(row, changesName(name, field, memberOf(field)), 1);
    }
  const changed = [...sums.values()].filter(({ count }) => count !== 0);
  for (let from = 0; from < changed.length; from += batchSize)
    await run(addCounts(dialect, changed.slice(from, from + batchSize)));
}

function addCounts({ builder }: SqlDialect, rows: readonly ColumnValues[]) {
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
