/** The differences between the SQL of SQLite and PostgreSQL. */
import {
  type DatabaseIntrospector,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { metaTable } from "../layout.ts";
import { encodeKey, encodeText } from "../statements/text.ts";
import type { SqlDialect, Tables } from "./engine.ts";

/** A builder that compiles statements but cannot run them. */
function createBuilder(adapter: DialectAdapter, compiler: QueryCompiler): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: () => ({}) as DatabaseIntrospector,
      createQueryCompiler: () => compiler,
    },
  });
}

const inJson: SqlDialect["inSet"] = (column, set) => sql`${column} in (select value from json_each(${set}))`;

export function createSqliteDialect(): SqlDialect {
  const builder = createBuilder(new SqliteAdapter(), new SqliteQueryCompiler());
  return {
    builder,
    findMetaTable: builder.selectFrom("sqlite_master").select("name").where("name", "=", metaTable).compile(),
    columnTypes: { text: sql`text`, number: sql`real`, boolean: sql`integer`, bytes: sql`blob` },
    encodeKey: encodeText,
    bind: (value) => (typeof value === "boolean" ? Number(value) : value),
    bindSet: (values) => JSON.stringify(values),
    inSet: inJson,
    inKeys: inJson,
    rowKey: "rowid",
    rowsOfSet: (_kind, set) => sql`(select value, key as place from json_each(${set}))`,
    contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
    join: (column, separator) => sql`group_concat(${column}, ${sql.lit(separator)})`,
    offsetNeedsLimit: true,
    maxParameters: 32_766,
  };
}

const arrayTypes = { text: sql`text[]`, number: sql`double precision[]`, boolean: sql`boolean[]` };

/** @param schema the schema of all tables */
export function createPostgresDialect(schema: string): SqlDialect {
  const builder = createBuilder(new PostgresAdapter(), new PostgresQueryCompiler());
  return {
    builder: builder.withSchema(schema),
    findMetaTable: builder
      .selectFrom("information_schema.tables")
      .select("table_name")
      .where("table_schema", "=", schema)
      .where("table_name", "=", metaTable)
      .compile(),
    columnTypes: {
      text: sql`text collate "C"`,
      number: sql`double precision`,
      boolean: sql`boolean`,
      bytes: sql`bytea`,
    },
    encodeKey,
    bind: (value) => value,
    bindSet: (values) => values,
    inSet: (column, set) => sql`${column} = any(${set})`,
    // With `any`, a planner without statistics may decide to read a whole scope.
    inKeys: (column, set) => sql`${column} in (select unnest(${set}::text[]))`,
    rowsOfSet: (kind, set) =>
      sql`(select value, place - 1 as place from unnest(${set}::${arrayTypes[kind]}) with ordinality as members (value, place))`,
    lateral: (kind, values, heights) =>
      sql`(select unnest(${values}::${arrayTypes[kind]}) as value, unnest(${heights}::integer[]) as height)`,
    contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
    offsetNeedsLimit: false,
    maxParameters: 65_535,
  };
}
