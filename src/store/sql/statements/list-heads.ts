/** The statement that reads the first rows of several lists. */

import { sql } from "kysely";
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import type { Statement } from "../engines/engine.ts";
import { columnType } from "../engines/engine.ts";
import { allOf, conditionsKey, conditionsSql, conditionValues, whereInScope } from "./conditions.ts";
import { type Bound, boundSql, boundsOf } from "./key-ranges.ts";
import { inOrder } from "./listings.ts";
import type { Operand, Operands } from "./statement-cache.ts";
import type { Table } from "./table.ts";

/** Lists of a scope that differ in the value of one field. */
export interface Lists {
  readonly table: Table;
  readonly scope: string;
  readonly field: string;
  /** Conditions of all lists, on fields of the index. */
  readonly where: readonly PlainCondition[];
  /** The order of the lists; its last key is the id. */
  readonly keys: readonly PlainOrder[];
  /** Conditions that no index supports: rows say whether they hold. */
  readonly filter: readonly PlainCondition[];
  /** Only rows after a position: the values of the keys, as their columns hold them. */
  readonly after?: readonly unknown[];
}

/** The keys of a row of a list, as their columns hold them, and the row key of the dialect. */
export type KeyRow = Readonly<Record<string, unknown>>;

/** A list, and the number of rows to read of it. */
export interface ListHead {
  /** The value of the list's field, as its column holds it. */
  readonly value: unknown;
  readonly height: number;
}

/**
 * Reads the keys of the first rows of each list; with a filter also `hit`, whether it holds. `rowsOfHeads` reads the
 * result. Rows are in no order, and there can be more than asked for: a list of mixed
 * directions after a position has a range for each key, and the first rows of each range are read.
 *
 * @param heads lists of one height where the dialect has no `lateral`
 */
export function selectHeads(lists: Lists, heads: readonly ListHead[]): Statement {
  const { table, field, where, keys, after, filter } = lists;
  const { dialect, definition } = table;
  const { lateral } = dialect;
  const key = JSON.stringify([
    "heads",
    field,
    conditionsKey(where),
    keys.map((order) => [order.field, order.direction]),
    after !== undefined,
    conditionsKey(filter),
  ]);
  const heights = heads.map((head) => head.height);
  const values = {
    ...valuesOf(lists),
    values: [dialect.bindSet(heads.map((head) => head.value))],
    heights: [lateral ? dialect.bindSet(heights) : heights[0]],
  } as const;
  const kind = columnType(definition.fields[field] ?? "text");
  return table.bind(
    key,
    values,
    (operands) => {
      const list = sql.ref<never>("lists.value");
      if (lateral)
        return dialect.builder
          .selectFrom(lateral(kind, operands.values[0], operands.heights[0]).as("lists"))
          .innerJoinLateral(headOf(lists, list, sql.ref("lists.height"), operands).as("head"), (join) =>
            join.onTrue(),
          )
          .selectAll("head");
      const head = dialect.builder
        .selectFrom(headOf(lists, list, operands.heights[0], operands).as("head"))
        .select(jsonRows(lists).as("rows"));
      const text = sql`'[' || ${sql.ref("lists.place")} || ',' || ${head} || ']'`;
      return dialect.builder
        .selectFrom(dialect.rowsOfSet(kind, operands.values[0]).as("lists"))
        .select((dialect.join?.(text, ",") ?? text).as("rows"));
    },
    lateral === undefined && dialect.join !== undefined,
  );
}

/** The rows of a list as a JSON array of arrays, whose numbers are strings of 17 digits: JSON text of SQLite has 15. */
function jsonRows(lists: Lists) {
  const members = columnsOf(lists).map((column) =>
    isNumber(lists, column) ? sql`format('%!.17g', ${sql.ref(column)})` : sql.ref(column),
  );
  return sql<string>`json_group_array(json_array(${sql.join(members)}))`;
}

/** The rows of each list, in the order of the heads, from the result of `selectHeads`. */
export function rowsOfHeads(
  lists: Lists,
  heads: readonly ListHead[],
  rows: readonly KeyRow[],
): readonly KeyRow[][] {
  const found = heads.map((): KeyRow[] => []);
  if (lists.table.dialect.lateral) {
    const places = new Map(heads.map(({ value }, place) => [value, place]));
    for (const row of rows) found[places.get(row[lists.field]) ?? -1]?.push(row);
    return found;
  }
  const columns = columnsOf(lists).map((column) => ({ column, isText: !isNumber(lists, column) }));
  const texts = rows.map((row) => row["rows"] as string);
  for (const [place, members] of JSON.parse(`[${texts.join(",")}]`) as [number, unknown[][]][])
    found[place] = members.map((values) => {
      const keys: Record<string, unknown> = {};
      for (const [i, { column, isText }] of columns.entries())
        keys[column] = isText ? values[i] : Number(values[i]);
      return keys;
    });
  return found;
}

function isNumber({ table }: Lists, column: string): boolean {
  return table.definition.fields[column]?.startsWith("number") === true;
}

/** The columns of a head's rows. */
function columnsOf(lists: Lists): readonly string[] {
  return [...storedColumnsOf(lists), ...(lists.filter.length > 0 ? ["hit"] : [])];
}

function storedColumnsOf({ table: { dialect }, field, keys }: Lists): readonly string[] {
  const { lateral, rowKey } = dialect;
  return [...(lateral ? [field] : []), ...keys.map((key) => key.field), ...(rowKey ? [rowKey] : [])];
}

function valuesOf({ table, scope, where, after, filter }: Lists) {
  return {
    scope: [table.encode("scope", scope)],
    where: conditionValues(table, where),
    position: after ?? [],
    filter: conditionValues(table, filter),
  } as const;
}

/** The first rows of each range of one list. */
function headOf(lists: Lists, value: Operand, height: Operand, operands: ListOperands) {
  if (lists.after === undefined) return headOfRange(lists, undefined, value, height, operands);
  const [first = "all", ...others] = boundsOf(lists.keys);
  const rangeOf = (bound: Bound) => headOfRange(lists, bound, value, height, operands);
  if (others.length === 0) return rangeOf(first);
  const { builder } = lists.table.dialect;
  const rowsOf = (bound: Bound) => builder.selectFrom(rangeOf(bound).as("part")).selectAll();
  return others.reduce((rows, bound) => rows.unionAll(rowsOf(bound)), rowsOf(first));
}

type ListOperands = Operands<ReturnType<typeof valuesOf>>;

function headOfRange(
  lists: Lists,
  bound: Bound | undefined,
  value: Operand,
  height: Operand,
  operands: ListOperands,
) {
  const { table, field, where, keys, filter } = lists;
  const { dialect, definition } = table;
  const equated = [{ field, op: "eq", value: "" } as const, ...where];
  const inScope = whereInScope(dialect, operands.scope[0], equated, [value, ...operands.where]);
  const conditions = bound === undefined ? [] : [boundSql(keys, bound, operands.position)];
  const rows = dialect.builder
    .selectFrom(definition.name)
    .select(storedColumnsOf(lists))
    .where(allOf([inScope, ...conditions]));
  const hit = allOf(conditionsSql(dialect, filter, operands.filter)).as("hit");
  const tested = filter.length === 0 ? rows : rows.select(hit);
  return inOrder(tested as typeof rows, keys).limit(height);
}
