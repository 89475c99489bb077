/** The table of a collection: its columns, and the form in which they hold the values of records. */
import { sql } from "kysely";
import type { PlainDefinition, StoredRecord } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";
import type { SqlDialect } from "../engines/engine.ts";
import { indexedFields, recordColumn } from "../layout.ts";
import { countedColumns } from "./counts.ts";
import { type BindCached, createStatementCache } from "./statement-cache.ts";
import { encodeText } from "./text.ts";

export interface Table {
  readonly definition: PlainDefinition;
  readonly dialect: SqlDialect;
  /** All columns, in the order of `rowOf`. */
  readonly columns: readonly string[];
  /** The columns that maintained counts depend on; none when the collection has no counts. */
  readonly countedColumns: readonly string[];
  /** The value of a field (or of `scope` or `id`), encoded as its column holds it. */
  encode(field: string, value: FieldValue): unknown;
  readonly bind: BindCached;
}

export function createTable(definition: PlainDefinition, dialect: SqlDialect): Table {
  const keys = new Set(["scope", "id", ...indexedFields(definition)]);
  return {
    definition,
    dialect,
    columns: ["scope", "id", ...Object.keys(definition.fields), recordColumn],
    countedColumns: countedColumns(definition),
    encode: (field, value) => {
      if (typeof value !== "string") return dialect.bind(value);
      return keys.has(field) ? dialect.encodeKey(value) : encodeText(value);
    },
    bind: createStatementCache(),
  };
}

/** The values of a record in its columns. */
export function rowOf(table: Table, record: StoredRecord): unknown[] {
  return table.columns.map((column) =>
    column === recordColumn ? JSON.stringify(record) : encodedMember(table, record, column),
  );
}

/** A member of a record, as its column holds it. */
export function encodedMember(table: Table, record: StoredRecord, field: string): unknown {
  return table.encode(field, memberOf(record, field));
}

/** A member of a record that is declared as a field; null when it is absent. */
export function memberOf(record: StoredRecord, field: string): FieldValue {
  return (record as StoredRecord & Readonly<Record<string, FieldValue>>)[field] ?? null;
}

/** Rows of this table whose scope and id are bound. */
export function isAt(scope: unknown, id: unknown) {
  return sql<boolean>`${sql.ref("scope")} = ${scope} and ${sql.ref("id")} = ${id}`;
}
