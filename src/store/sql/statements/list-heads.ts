/** The statement that reads the first rows of several lists. */
import { sql } from "kysely";
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import type { Statement } from "../engines/engine.ts";
import { columnType } from "../engines/engine.ts";
import { allOf, conditionsKey, conditionsSql, conditionValues, whereInScope } from "./conditions.ts";
import { boundSql, type KeyRange } from "./key-ranges.ts";
import type { Operand, Operands } from "./statement-cache.ts";
import type { Table } from "./table.ts";

/** Lists of a scope that differ in the value of one field, within a range of their keys. */
export interface Lists {
  readonly table: Table;
  readonly scope: string;
  readonly field: string;
  /** Conditions of all lists. */
  readonly where: readonly PlainCondition[];
  readonly range: Pick<KeyRange, "keys" | "after" | "filter">;
}

/** The keys of a row of a list, as their columns hold them. */
export type KeyRow = Readonly<Record<string, unknown>>;

/** A list, and the number of rows to read of it. */
export interface ListHead {
  /** The value of the list's field, as its column holds it. */
  readonly value: unknown;
  readonly height: number;
}

/**
 * Reads the keys of the first rows of each list and the value of the list's field, each list in its order; with a
 * filter also `hit`, whether it holds. `keyRowsOf` reads the result.
 *
 * @param heads lists of one height where the dialect has no `lateral`
 */
export function selectHeads(lists: Lists, heads: readonly ListHead[]): Statement {
  const { table, field, where, range } = lists;
  const { dialect, definition } = table;
  const { lateral } = dialect;
  const key = JSON.stringify([
    "heads",
    field,
    conditionsKey(where),
    range.keys.map((one) => [one.field, one.direction]),
    range.after?.bound,
    conditionsKey(range.filter),
  ]);
  const heights = heads.map((head) => head.height);
  const values = {
    ...valuesOf(lists),
    values: [dialect.bindSet(heads.map((head) => head.value))],
    heights: [lateral ? dialect.bindSet(heights) : heights[0]],
  } as const;
  const kind = columnType(definition.fields[field] ?? "text");
  return table.bind(key, values, (operands) => {
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
    return dialect.builder
      .selectFrom(dialect.rowsOfSet(kind, operands.values[0]).as("lists"))
      .select(sql`${head}`.as("rows"));
  });
}

/** The rows of a list as a JSON array of arrays, whose numbers are strings of 17 digits: JSON text of SQLite has 15. */
function jsonRows(lists: Lists) {
  const members = columnsOf(lists).map((column) =>
    isNumber(lists, column) ? sql`format('%!.17g', ${sql.ref(column)})` : sql.ref(column),
  );
  return sql<string>`json_group_array(json_array(${sql.join(members)}))`;
}

/** The rows of all lists, from the result of `selectHeads`. */
export function keyRowsOf(lists: Lists, rows: readonly KeyRow[]): readonly KeyRow[] {
  if (lists.table.dialect.lateral) return rows;
  const columns = columnsOf(lists).map((column) => ({ column, isText: !isNumber(lists, column) }));
  return rows.flatMap((row) =>
    (JSON.parse(row["rows"] as string) as unknown[][]).map((members) => {
      const keys: Record<string, unknown> = {};
      for (const [i, { column, isText }] of columns.entries())
        keys[column] = isText ? members[i] : Number(members[i]);
      return keys;
    }),
  );
}

function isNumber({ table }: Lists, column: string): boolean {
  return table.definition.fields[column]?.startsWith("number") === true;
}

/** The columns of a head's rows. */
function columnsOf({ field, range: { keys, filter } }: Lists): readonly string[] {
  return [...new Set([field, ...keys.map((key) => key.field), ...(filter.length > 0 ? ["hit"] : [])])];
}

function valuesOf({ table, scope, where, range }: Lists) {
  return {
    scope: [table.encode("scope", scope)],
    where: conditionValues(table, where),
    position: range.after?.position ?? [],
    filter: conditionValues(table, range.filter),
  } as const;
}

/** The first rows of one list. */
function headOf(
  { table, field, where, range }: Lists,
  value: Operand,
  height: Operand,
  operands: Operands<ReturnType<typeof valuesOf>>,
) {
  const { dialect, definition } = table;
  const { keys, after, filter } = range;
  const equated = [{ field, op: "eq", value: "" } as const, ...where];
  const inScope = whereInScope(dialect, operands.scope[0], equated, [value, ...operands.where]);
  const bound = after ? [boundSql(keys, after.bound, operands.position)] : [];
  const columns = [...new Set([field, ...keys.map((key) => key.field)])];
  const rows = dialect.builder
    .selectFrom(definition.name)
    .select(columns)
    .where(allOf([inScope, ...bound]));
  const hit = allOf(conditionsSql(dialect, filter, operands.filter)).as("hit");
  const tested = filter.length === 0 ? rows : rows.select(hit);
  return inOrder(tested as typeof rows, keys).limit(height);
}

function inOrder<Q extends { orderBy(column: ReturnType<typeof sql.ref>, direction: "asc" | "desc"): Q }>(
  select: Q,
  keys: readonly PlainOrder[],
): Q {
  return keys.reduce((query, key) => query.orderBy(sql.ref(key.field), key.direction), select);
}
