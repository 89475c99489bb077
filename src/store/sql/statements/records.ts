/** The statements that read and change single records, and delete those that conditions name. */
import { sql } from "kysely";
import type { PlainCondition } from "../../argument-checks.ts";
import type { StoredRecord } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";
import type { Statement } from "../engines/engine.ts";
import { countTable, recordColumn } from "../layout.ts";
import { conditionsKey, conditionValues, whereInScope } from "./conditions.ts";
import { type ColumnValues, changesName, countName } from "./counts.ts";
import { encodedMember, isAt, memberOf, rowOf, type Table } from "./table.ts";

/** Maximum number of rows of one insert; longer statements are no faster. */
const maxRows = 500;

/** Number of records that one insert of a table accepts. */
export function maxBatch({ columns, dialect }: Table): number {
  return Math.min(maxRows, Math.floor(dialect.maxParameters / columns.length));
}

export function selectRecord(table: Table, scope: string, id: string): Statement {
  return table.bind(
    "select",
    { key: keyOf(table, scope, id) },
    ({ key }) =>
      builderOf(table)
        .selectFrom(nameOf(table))
        .select(recordColumn)
        .where(isAt(...key)),
    true,
  );
}

/**
 * Reads the records of these ids or row keys, in no order, as their columns hold them.
 *
 * @param column `id`, or the row key of the dialect
 * @param isJoined whether to read them as one row whose text joins them with commas; null when there are none
 */
export function selectByIds(
  table: Table,
  scope: string,
  column: string,
  ids: readonly unknown[],
  isJoined: boolean,
): Statement {
  const values = { scope: [table.encode("scope", scope)], ids: [table.dialect.bindSet(ids)] } as const;
  const { join, inKeys } = table.dialect;
  return table.bind(
    `select by ${column} ${isJoined}`,
    values,
    ({ scope: [scopeOperand], ids: [set] }) => {
      const record = sql.ref<string | null>(recordColumn);
      // The plus keeps SQLite from reading the whole scope by an index, instead of the rows by their keys.
      const inScope = sql<boolean>`${sql.raw(column === "id" ? "" : "+")}${sql.ref("scope")} = ${scopeOperand}`;
      return builderOf(table)
        .selectFrom(nameOf(table))
        .select((isJoined && join ? join(record, ",") : record).as(recordColumn))
        .where(inScope)
        .where(inKeys(sql.ref(column), set));
    },
    isJoined,
  );
}

/** The records in rows. */
export function parseRecords(rows: readonly Readonly<Record<string, unknown>>[]): StoredRecord[] {
  return rows.map((row) => JSON.parse(row[recordColumn] as string));
}

/** Inserts the records whose id and unique combinations are free. Returns the counted columns of those. */
export function insertRecords(table: Table, records: readonly StoredRecord[]): Statement {
  const { columns } = table;
  const values = records.flatMap((record) => rowOf(table, record));
  return table.bind(`insert ${records.length}`, { values }, (operands) => {
    const rows = records.map((_, row) =>
      Object.fromEntries(columns.map((column, i) => [column, operands.values[row * columns.length + i]])),
    );
    const insert = builderOf(table).insertInto(nameOf(table)).values(rows);
    return returningCounted(
      table,
      insert.onConflict((conflict) => conflict.doNothing()),
    );
  });
}

export function updateRecord(table: Table, record: StoredRecord): Statement {
  const { id, scope } = record;
  return table.bind("update", { key: keyOf(table, scope, id), row: rowOf(table, record) }, ({ key, row }) => {
    const changes = Object.fromEntries(table.columns.map((column, i) => [column, row[i]]).slice(2));
    return builderOf(table)
      .updateTable(nameOf(table))
      .set(changes)
      .where(isAt(...key));
  });
}

/** Returns the counted columns of the record. */
export function deleteRecord(table: Table, scope: string, id: string): Statement {
  return table.bind("delete", { key: keyOf(table, scope, id) }, ({ key }) =>
    returningCounted(
      table,
      builderOf(table)
        .deleteFrom(nameOf(table))
        .where(isAt(...key)),
    ),
  );
}

/** Deletes at most `limit` of the records for which the conditions hold. Returns their counted columns. */
export function deleteMatching(
  table: Table,
  scope: string,
  where: readonly PlainCondition[],
  limit: number,
): Statement {
  const values = {
    scope: [table.encode("scope", scope)],
    where: conditionValues(table, where),
    limit: [limit],
  } as const;
  return table.bind(`delete matching ${conditionsKey(where)}`, values, (operands) => {
    const [scopeOperand] = operands.scope;
    const [limitOperand] = operands.limit;
    const matching = builderOf(table)
      .selectFrom(nameOf(table))
      .select("id")
      .where(whereInScope(table.dialect, scopeOperand, where, operands.where))
      .limit(limitOperand);
    const inScope = builderOf(table).deleteFrom(nameOf(table)).where("scope", "=", scopeOperand);
    return returningCounted(table, inScope.where("id", "in", matching));
  });
}

/** Reads the counted columns of one record. */
export function selectCounted(table: Table, scope: string, id: string): Statement {
  return table.bind("select counted", { key: keyOf(table, scope, id) }, ({ key }) =>
    builderOf(table)
      .selectFrom(nameOf(table))
      .select(table.countedColumns)
      .where(isAt(...key)),
  );
}

/** Reads the number of records that have these values in a combination of fields, as `count`. */
export function selectCount(
  { definition, dialect, bind }: Table,
  fields: readonly string[],
  row: ColumnValues,
): Statement {
  const values = fields.map((field) => row[field]);
  const name = dialect.encodeKey(countName(definition.name, fields, values));
  return bind(
    "select count",
    { key: [row["scope"], name] },
    ({ key: [scopeOperand, nameOperand] }) =>
      dialect.builder
        .selectFrom(countTable)
        .select("count")
        .where("scope", "=", scopeOperand)
        .where("name", "=", nameOperand),
    true,
  );
}

/** Reads the sum of the changes of the records that have one of these values in a field, as `count`. */
export function selectChanges(
  { definition, dialect, bind, encode }: Table,
  scope: string,
  field: string,
  values: readonly FieldValue[],
): Statement {
  const names = new Set(
    values.map((value) => dialect.encodeKey(changesName(definition.name, field, encode(field, value)))),
  );
  const bound = { scope: [encode("scope", scope)], names: [dialect.bindSet([...names])] } as const;
  return bind("select changes", bound, ({ scope: [scopeOperand], names: [set] }) =>
    dialect.builder
      .selectFrom(countTable)
      .select((eb) => eb.fn.sum("count").as("count"))
      .where("scope", "=", scopeOperand)
      .where(dialect.inKeys(sql.ref("name"), set)),
  );
}

/** The counted columns of a record. */
export function countedValues(table: Table, record: StoredRecord): ColumnValues {
  return Object.fromEntries(
    table.countedColumns.map((field) => [field, encodedMember(table, record, field)]),
  );
}

/** Finds another record that has this one's values in a unique combination; undefined when one of them is null. */
export function selectHolder(
  table: Table,
  record: StoredRecord,
  combination: readonly string[],
): Statement | undefined {
  if (combination.some((field) => memberOf(record, field) === null)) return undefined;
  const values = {
    key: keyOf(table, record.scope, record.id),
    members: combination.map((field) => encodedMember(table, record, field)),
  };
  return table.bind(
    JSON.stringify(["select holder", combination]),
    values,
    ({ key: [scope, id], members }) => {
      const others = builderOf(table)
        .selectFrom(nameOf(table))
        .select("id")
        .where("scope", "=", scope)
        .where("id", "<>", id);
      return combination.reduce((query, field, i) => query.where(field, "=", members[i]), others);
    },
  );
}

function keyOf(table: Table, scope: string, id: string): readonly [scope: unknown, id: unknown] {
  return [table.encode("scope", scope), table.encode("id", id)];
}

const builderOf = ({ dialect }: Table) => dialect.builder;
const nameOf = ({ definition }: Table) => definition.name;

/** An insert or a delete. */
interface Returning {
  compile(): Statement;
  returning(columns: readonly string[]): { compile(): Statement };
}

/** Asks for the counted columns of the rows that a statement changes. */
function returningCounted({ countedColumns }: Table, statement: Returning): { compile(): Statement } {
  return countedColumns.length === 0 ? statement : statement.returning(countedColumns);
}
