/**
 * Counts distinct values in statements that each look at one chunk of rows: the values up to the first one at which a
 * list has its share of a chunk.
 */
import { sql } from "kysely";
import type { PlainCondition } from "../../argument-checks.ts";
import type { FieldValue } from "../../port.ts";
import { columnType, type Statement } from "../engines/engine.ts";
import { allOf, conditionsKey, conditionsSql, conditionValues, whereInScope } from "./conditions.ts";
import type { ListingSource } from "./listing-source.ts";
import { type MergedLists, mergedLists } from "./merged-lists.ts";
import type { Table } from "./table.ts";

/** A part of one scope's records. */
interface Part {
  readonly table: Table;
  readonly scope: string;
  /** The field whose values are counted. */
  readonly field: string;
  readonly where: readonly PlainCondition[];
  /** Only values after this one, as their column holds them. */
  readonly after?: unknown;
  /** Only values up to this one. */
  readonly upTo?: unknown;
}

/** A list has at most this share of a chunk. */
const minShare = 8;

/** The number of distinct values of a field among the rows for which conditions hold. */
export async function countDistinctRows(
  source: ListingSource,
  field: string,
  where: readonly PlainCondition[],
): Promise<number> {
  const { run, table, scope, chunkRows } = source;
  const lists = listsBy(source, field, where);
  if (!lists) return (await countPart(source, { table, scope, field, where })).count;
  if (lists.values.length === 0) return 0;
  const minHeight = Math.max(1, Math.floor(chunkRows / lists.values.length));
  const maxHeight = Math.max(minHeight, Math.floor(chunkRows / minShare));
  let height = minHeight;
  let total = 0;
  for (let after: unknown; ; ) {
    const part: Part = { table, scope, field, where, ...(after !== undefined && { after }) };
    const { rows: bounds } = await run(selectBound(part, lists, height));
    const upTo = bounds[0]?.["bound"] ?? undefined;
    const { count, rows } = await countPart(source, { ...part, ...(upTo !== undefined && { upTo }) });
    total += count;
    if (upTo === undefined) return total;
    after = upTo;
    const fitting = Math.floor((height * chunkRows) / Math.max(1, rows));
    height = Math.max(minHeight, Math.min(maxHeight, fitting, 2 * height));
  }
}

/** The lists of an index that are in order of a field; undefined when there is no such index. */
function listsBy(
  { table: { definition } }: ListingSource,
  field: string,
  where: readonly PlainCondition[],
): MergedLists | undefined {
  const indexed = where.filter(({ op }) => op !== "contains");
  const only = indexed.some(({ op }) => op === "in") ? undefined : indexed.find(({ op }) => op === "eq");
  const asList = (condition: PlainCondition): PlainCondition =>
    condition === only
      ? { field: condition.field, op: "in", value: [condition.value as FieldValue] }
      : condition;
  const keys = [{ field, direction: "asc" }, ...(field === "id" ? [] : [{ field: "id", direction: "asc" }])];
  return mergedLists(definition, indexed.map(asList), keys as { field: string; direction: "asc" }[], []);
}

async function countPart(
  { run }: ListingSource,
  part: Part,
): Promise<{ readonly count: number; readonly rows: number }> {
  const [row] = (await run(selectDistinct(part))).rows;
  return { count: Number(row?.["count"]), rows: Number(row?.["rows"]) };
}

/** Counts the rows of a part as `rows`, and their distinct values as `count`. */
function selectDistinct(part: Part): Statement {
  const { table, scope, field, where, after, upTo } = part;
  const { dialect, definition } = table;
  const key = ["distinct", field, conditionsKey(where), after !== undefined, upTo !== undefined];
  const values = {
    scope: [table.encode("scope", scope)],
    where: conditionValues(table, where),
    bounds: [after, upTo].filter((bound) => bound !== undefined),
  } as const;
  return table.bind(JSON.stringify(key), values, (operands) => {
    const column = sql.ref(field);
    const [first, second] = operands.bounds;
    const bounds = [
      ...(after === undefined ? [] : [sql`${column} > ${first}`]),
      ...(upTo === undefined ? [] : [sql`${column} <= ${after === undefined ? first : second}`]),
    ];
    const conditions = [sql`${sql.ref("scope")} = ${operands.scope[0]}`, ...bounds];
    return dialect.builder
      .selectFrom(definition.name)
      .select([sql`count(distinct ${column})`.as("count"), sql`count(*)`.as("rows")])
      .where(allOf([...conditions, ...conditionsSql(dialect, where, operands.where)]));
  });
}

/** The first value at which one of the lists has this number of rows after a value; null when none is as long. */
function selectBound({ table, scope, field, after }: Part, lists: MergedLists, height: number): Statement {
  const { dialect, definition } = table;
  const values = {
    scope: [table.encode("scope", scope)],
    where: conditionValues(table, lists.where),
    lists: [dialect.bindSet(lists.values.map((value) => table.encode(lists.field, value)))],
    after: after === undefined ? [] : [after],
    page: [1, height - 1],
  } as const;
  const key = ["bound", field, lists.field, conditionsKey(lists.where), after !== undefined];
  return table.bind(JSON.stringify(key), values, (operands) => {
    const equated = [{ field: lists.field, op: "eq", value: "" } as const, ...lists.where];
    const inScope = whereInScope(dialect, operands.scope[0], equated, [
      sql.ref("lists.value"),
      ...operands.where,
    ]);
    const column = sql.ref(field);
    const rest = operands.after.map((operand) => sql`${column} > ${operand}`);
    const last = dialect.builder
      .selectFrom(definition.name)
      .select(column.as("value"))
      .where(allOf([inScope, ...rest]))
      .orderBy(column)
      .limit(operands.page[0])
      .offset(operands.page[1]);
    const kind = columnType(definition.fields[lists.field] ?? "text");
    return dialect.builder
      .selectFrom(dialect.rowsOfSet(kind, operands.lists[0]).as("lists"))
      .select(sql`min(${last})`.as("bound"));
  });
}
