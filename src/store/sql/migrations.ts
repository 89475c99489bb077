/**
 * Updates a database to the layout of the definitions. New columns, indexes and counts are added and filled from the
 * records; nothing is removed, so that processes of one version can be replaced by those of the next. A database with
 * more than this version knows is rejected: this version would leave its columns empty.
 */
import { sql } from "kysely";
import { quote } from "../../errors.ts";
import type { PlainDefinition, StoredRecord } from "../definition.ts";
import type { FieldValue } from "../port.ts";
import type { RunStatement, SqlDialect, SqlEngine, Statement } from "./engines/engine.ts";
import {
  blobTable,
  checksumColumn,
  claimsColumn,
  countTable,
  currentFormat,
  type Layout,
  layoutOf,
  metaTable,
  objectColumn,
  objectTable,
  provisionalColumn,
  recordColumn,
  sequenceLabel,
  sequenceTable,
  startedColumn,
  type TableLayout,
} from "./layout.ts";
import { changeCounts } from "./statements/counts.ts";
import { encodeText } from "./statements/text.ts";

/** Number of records that are filled in at a time. */
const backfillBatch = 500;
const layoutKey = "layout";

/**
 * Creates or updates the tables of a database. Takes no lock when it is up to date.
 *
 * @param hasBucket whether the store is opened with a bucket
 */
export async function migrate(
  engine: SqlEngine,
  definitions: ReadonlyMap<string, PlainDefinition>,
  hasBucket: boolean,
): Promise<void> {
  const wanted = layoutOf(definitions, hasBucket);
  if (await engine.read((run) => isCurrent(run, engine.dialect, wanted))) return;
  await engine.migrate(async (run) => {
    const stored = await readLayout(run, engine.dialect);
    if (stored) assertNotNewer(stored, wanted);
    if (!stored) await createOwnTables(run, engine.dialect);
    else await updateOwnTables(run, engine.dialect, stored.format);
    if (stored && hasBucket && !stored.bucket) await assertNoFiles(run, engine.dialect);
    for (const [table, layout] of Object.entries(wanted.tables)) {
      await updateTable(run, engine.dialect, table, stored?.tables[table], layout);
      if (stored?.tables[table]) await updateCounts(run, engine.dialect, table, stored.tables[table], layout);
    }
    await writeLayout(run, engine.dialect, mergeLayouts(stored, wanted));
  });
}

/** Whether the database has the layout of the definitions. @throws {Error} when it is newer */
async function isCurrent(run: RunStatement, dialect: SqlDialect, wanted: Layout): Promise<boolean> {
  if ((await run(dialect.findMetaTable)).rows.length === 0) return false;
  const stored = await readLayout(run, dialect);
  if (!stored) return false;
  assertNotNewer(stored, wanted);
  return JSON.stringify(mergeLayouts(stored, wanted)) === JSON.stringify(stored);
}

/** The row that holds the layout: created before migrations, locked by them. */
export function layoutRow({
  builder,
  columnTypes,
}: SqlDialect): Record<"createTable" | "insert" | "lock", Statement> {
  const text = columnTypes.text as never;
  return {
    createTable: builder.schema
      .createTable(metaTable)
      .ifNotExists()
      .addColumn("name", text, (c) => c.primaryKey())
      .addColumn("value", text)
      .compile(),
    insert: builder
      .insertInto(metaTable)
      .values({ name: layoutKey, value: null })
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
    lock: builder.selectFrom(metaTable).select("name").where("name", "=", layoutKey).forUpdate().compile(),
  };
}

async function readLayout(run: RunStatement, { builder }: SqlDialect): Promise<Layout | undefined> {
  const select = builder.selectFrom(metaTable).select("value").where("name", "=", layoutKey);
  const [row] = (await run(select.compile())).rows;
  return row?.["value"] ? (JSON.parse(row["value"] as string) as Layout) : undefined;
}

async function writeLayout(run: RunStatement, { builder }: SqlDialect, layout: Layout): Promise<void> {
  const value = JSON.stringify(layout);
  const insert = builder.insertInto(metaTable).values({ name: layoutKey, value });
  await run(insert.onConflict((conflict) => conflict.column("name").doUpdateSet({ value })).compile());
}

/** @throws {Error} also when the blobs are in a bucket and the store is opened without one */
function assertNotNewer(stored: Layout, wanted: Layout): void {
  const newer = stored.format > currentFormat ? "its format" : unknownElement(stored, wanted);
  if (newer !== undefined)
    throw new Error(
      `this store was written by a newer edgeproof (this version does not know ${newer}): update edgeproof, or open another store`,
    );
  if (stored.bucket && !wanted.bucket)
    throw new Error(
      "the blobs of this store are in a bucket: open it with `blobBucket`, or with --blobs s3://... on the command line",
    );
}

/** Rows without bytes are those of files. @throws {Error} when there are some */
async function assertNoFiles(run: RunStatement, { builder }: SqlDialect): Promise<void> {
  const files = builder.selectFrom(blobTable).select("key").where("bytes", "is", null).limit(1);
  if ((await run(files.compile())).rows.length === 0) return;
  throw new Error(
    "the blobs of this store are files of a folder: export it with the folder, and import it into an empty store with the bucket",
  );
}

/** The first element of a stored layout that this version would leave unfilled or unchecked. Other indexes do not matter. */
function unknownElement(stored: Layout, wanted: Layout): string | undefined {
  for (const [name, table] of Object.entries(stored.tables)) {
    const known = wanted.tables[name];
    if (!known) return `the collection ${quote(name)}`;
    for (const [column, type] of Object.entries(table.columns)) {
      const mine = known.columns[column];
      if (mine === undefined || (mine !== type && !areBothText(mine, type)))
        return `the field ${quote(column)} of ${quote(name)}`;
    }
    for (const [index, { unique }] of Object.entries(table.indexes))
      if (unique && !known.indexes[index]) return `the unique index ${quote(index)}`;
    for (const fields of newCounts(known, table))
      return `the count by ${fields.join(" and ")} of ${quote(name)}`;
    const counter = table.changes?.find((field) => !known.changes?.includes(field));
    if (counter !== undefined) return `the count of changes by ${counter} of ${quote(name)}`;
  }
  return undefined;
}

const areBothText = (a: string, b: string): boolean =>
  [a, b].every((type) => type === "text" || type === "key");

/** The combinations with maintained counts in the new layout that the old one lacks. */
function newCounts(before: TableLayout | undefined, now: TableLayout): readonly (readonly string[])[] {
  const known = new Set(before?.counted?.map((fields) => JSON.stringify(fields)));
  return (now.counted ?? []).filter((fields) => !known.has(JSON.stringify(fields)));
}

/** The union of two layouts; a column that is a key in either is a key. */
function mergeLayouts(stored: Layout | undefined, wanted: Layout): Layout {
  const tables = { ...stored?.tables };
  for (const [name, table] of Object.entries(wanted.tables)) {
    tables[name] = {
      columns: { ...tables[name]?.columns, ...table.columns },
      indexes: { ...tables[name]?.indexes, ...table.indexes },
      counted: [...(tables[name]?.counted ?? []), ...newCounts(tables[name], table)],
      changes: [...new Set([...(tables[name]?.changes ?? []), ...(table.changes ?? [])])],
    };
  }
  const bucket = (stored?.bucket || wanted.bucket) && { bucket: true as const };
  return { format: currentFormat, tables, ...bucket };
}

async function createOwnTables(run: RunStatement, { builder, columnTypes }: SqlDialect): Promise<void> {
  const { schema } = builder;
  const text = columnTypes.text as never;
  await run(
    schema
      .createTable(sequenceTable)
      .addColumn("scope", text, (c) => c.notNull())
      .addColumn("name", text, (c) => c.notNull())
      .addColumn("last", columnTypes.number as never, (c) => c.notNull())
      .addColumn(sequenceLabel, text)
      .addPrimaryKeyConstraint(`${sequenceTable}_pkey`, ["scope", "name"])
      .compile(),
  );
  await run(
    schema
      .createTable(blobTable)
      .addColumn("key", text, (c) => c.primaryKey())
      .addColumn("name", text, (c) => c.notNull())
      .addColumn("bytes", columnTypes.bytes as never)
      .addColumn(provisionalColumn, columnTypes.number as never)
      .addColumn(checksumColumn, text)
      .addColumn(claimsColumn, columnTypes.number as never)
      .addColumn(objectColumn, text)
      .compile(),
  );
  await run(provisionalIndex(builder));
  await run(createObjectTable(builder, columnTypes));
  await run(createCountTable(builder, columnTypes));
}

/** Finds the few unclaimed blobs among many. */
function provisionalIndex(builder: SqlDialect["builder"]): Statement {
  const index = builder.schema.createIndex(`${blobTable}_${provisionalColumn}`).on(blobTable);
  return index.column(provisionalColumn).where(sql.ref(provisionalColumn), "is not", null).compile();
}

function createObjectTable(
  builder: SqlDialect["builder"],
  columnTypes: SqlDialect["columnTypes"],
): Statement {
  return builder.schema
    .createTable(objectTable)
    .addColumn(objectColumn, columnTypes.text as never, (c) => c.primaryKey())
    .addColumn(startedColumn, columnTypes.number as never, (c) => c.notNull())
    .compile();
}

function createCountTable(builder: SqlDialect["builder"], columnTypes: SqlDialect["columnTypes"]): Statement {
  const text = columnTypes.text as never;
  return builder.schema
    .createTable(countTable)
    .addColumn("scope", text, (c) => c.notNull())
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("count", columnTypes.number as never, (c) => c.notNull())
    .addPrimaryKeyConstraint(`${countTable}_pkey`, ["scope", "name"])
    .compile();
}

/** Updates the tables that belong to no collection from an older format. */
async function updateOwnTables(run: RunStatement, dialect: SqlDialect, format: number): Promise<void> {
  const { builder, columnTypes } = dialect;
  const blobs = builder.schema.alterTable(blobTable);
  if (format < 2) await addSequenceLabels(run, dialect);
  // Blobs of older formats stay without a checksum.
  if (format < 4) await run(blobs.addColumn(checksumColumn, columnTypes.text as never).compile());
  if (format < 3) {
    await run(blobs.addColumn(provisionalColumn, columnTypes.number as never).compile());
    await run(provisionalIndex(builder));
    await run(createCountTable(builder, columnTypes));
  }
  if (format < 6) await addClaims(run, dialect);
  if (format < 7) {
    await run(blobs.addColumn(objectColumn, columnTypes.text as never).compile());
    await run(createObjectTable(builder, columnTypes));
  }
}

/** Every key of an older format has at most one record that names it. */
async function addClaims(run: RunStatement, { builder, columnTypes }: SqlDialect): Promise<void> {
  await run(
    builder.schema
      .alterTable(blobTable)
      .addColumn(claimsColumn, columnTypes.number as never)
      .compile(),
  );
  const claimed = builder.updateTable(blobTable).set({ [claimsColumn]: 1 });
  await run(claimed.where(provisionalColumn, "is", null).compile());
}

/** Counts the stored records for combinations without counts so far. */
async function updateCounts(
  run: RunStatement,
  dialect: SqlDialect,
  name: string,
  stored: TableLayout,
  wanted: TableLayout,
): Promise<void> {
  for (const fields of newCounts(stored, wanted)) {
    const columns = ["scope", ...fields];
    const groups = dialect.builder
      .selectFrom(name)
      .select(columns)
      .select((eb) => eb.fn.countAll().as("records"))
      .groupBy(columns);
    const { rows } = await run(groups.compile());
    const changes = rows.map((row) => ({ rows: [row], by: Number(row["records"]) }));
    await changeCounts(run, dialect, { name, maintainedCounts: [fields] }, changes);
  }
}

/** A label is written with the next number of its sequence; until then the encoded name is read, unless it was cut. */
async function addSequenceLabels(run: RunStatement, { builder, columnTypes }: SqlDialect): Promise<void> {
  const alter = builder.schema.alterTable(sequenceTable);
  await run(alter.addColumn(sequenceLabel, columnTypes.text as never).compile());
}

async function updateTable(
  run: RunStatement,
  dialect: SqlDialect,
  name: string,
  stored: TableLayout | undefined,
  wanted: TableLayout,
): Promise<void> {
  const { schema } = dialect.builder;
  if (!stored) await run(createTable(dialect, name, wanted));
  else await updateColumns(run, dialect, name, stored, wanted);
  for (const [index, { unique, columns }] of Object.entries(wanted.indexes)) {
    if (stored?.indexes[index]) continue;
    const create = unique ? schema.createIndex(index).unique() : schema.createIndex(index);
    const terms = columns.map((column) => {
      const [field, direction] = column.split(" ") as [string, string | undefined];
      return direction ? sql`${sql.ref(field)} desc` : sql`${sql.ref(field)}`;
    });
    await run(create.on(name).expression(sql.join(terms)).compile());
  }
}

function createTable(
  { builder, columnTypes }: SqlDialect,
  name: string,
  { columns }: TableLayout,
): Statement {
  const text = columnTypes.text as never;
  const table = builder.schema
    .createTable(name)
    .addColumn("scope", text, (c) => c.notNull())
    .addColumn("id", text, (c) => c.notNull());
  return Object.entries(columns)
    .reduce((t, [column, type]) => t.addColumn(column, typeOf(columnTypes, type) as never), table)
    .addColumn(recordColumn, text, (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_pkey`, ["scope", "id"])
    .compile();
}

function typeOf(types: SqlDialect["columnTypes"], type: TableLayout["columns"][string]) {
  return types[type === "key" ? "text" : type];
}

async function updateColumns(
  run: RunStatement,
  dialect: SqlDialect,
  name: string,
  stored: TableLayout,
  wanted: TableLayout,
): Promise<void> {
  const changed = Object.entries(wanted.columns).filter(([column, type]) => stored.columns[column] !== type);
  for (const [column, type] of changed) {
    if (stored.columns[column]) continue;
    const alter = dialect.builder.schema.alterTable(name);
    await run(alter.addColumn(column, typeOf(dialect.columnTypes, type) as never).compile());
  }
  if (changed.length > 0) await fillColumns(run, dialect, name, new Map(changed));
}

/** Fills columns from the stored records, one batch at a time. */
async function fillColumns(
  run: RunStatement,
  { builder, encodeKey, bind }: SqlDialect,
  name: string,
  columns: ReadonlyMap<string, string>,
): Promise<void> {
  const encode = (value: FieldValue, type: string) => {
    if (typeof value !== "string") return bind(value);
    return type === "key" ? encodeKey(value) : encodeText(value);
  };
  for (let last: readonly unknown[] | undefined; ; ) {
    const select = builder
      .selectFrom(name)
      .select(["scope", "id", recordColumn])
      .orderBy("scope")
      .orderBy("id");
    const rest = last ? select.where(sql<boolean>`(scope, id) > (${sql.join(last)})`) : select;
    const { rows } = await run(rest.limit(backfillBatch).compile());
    for (const row of rows) {
      const record = JSON.parse(row[recordColumn] as string) as StoredRecord & Record<string, FieldValue>;
      const values = [...columns].map(([column, type]) => [column, encode(record[column] ?? null, type)]);
      const update = builder.updateTable(name).set(Object.fromEntries(values));
      await run(update.where("scope", "=", row["scope"]).where("id", "=", row["id"]).compile());
    }
    if (rows.length < backfillBatch) return;
    last = [rows.at(-1)?.["scope"], rows.at(-1)?.["id"]];
  }
}
