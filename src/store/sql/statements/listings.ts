/** The statements that list and count the rows of a range. */
import { sql } from "kysely";
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import type { Statement } from "../engines/engine.ts";
import { recordColumn } from "../layout.ts";
import { allOf, conditionsKey, conditionsSql, conditionValues, whereInScope } from "./conditions.ts";
import { boundSql, type KeyRange } from "./key-ranges.ts";
import type { Operands } from "./statement-cache.ts";
import type { Table } from "./table.ts";

/** A range of one scope, or the first rows of it. */
export interface Chunk {
  readonly table: Table;
  readonly scope: string;
  readonly range: KeyRange;
  /** Maximum number of rows to look at before the filter; without it, the whole range. */
  readonly maxRows?: number;
}

/** Reads the records of a chunk, in order. */
export function selectRecords(chunk: Chunk, offset: number, limit: number | undefined): Statement {
  const key = JSON.stringify(["records", chunkKey(chunk), limit !== undefined, offset > 0]);
  return chunk.table.bind(key, pageValues(chunk, offset, limit), (operands) =>
    recordsPage(chunk, offset, limit, operands),
  );
}

/** Reads the records of a chunk, in order, as one row whose text joins them with commas; null when there are none. */
export function selectJoined(chunk: Chunk, offset: number, limit: number): Statement {
  const { table } = chunk;
  const key = JSON.stringify(["joined", chunkKey(chunk), offset > 0]);
  const build = (operands: PageOperands) => {
    const page = recordsPage(chunk, offset, limit, operands) as ReturnType<typeof rowsOf>;
    const joined = table.dialect.join?.(sql.ref(recordColumn), ",") ?? sql.ref(recordColumn);
    return table.dialect.builder.selectFrom(page.as("page")).select(joined.as(recordColumn));
  };
  return table.bind(key, pageValues(chunk, offset, limit), build, true);
}

function pageValues(chunk: Chunk, offset: number, limit: number | undefined) {
  return { ...valuesOf(chunk), limit: [limit], offset: [offset] } as const;
}

type PageOperands = Operands<ReturnType<typeof pageValues>>;

function recordsPage(chunk: Chunk, offset: number, limit: number | undefined, operands: PageOperands) {
  const { table, range } = chunk;
  const rows =
    range.filter.length > 0
      ? filteredChunk(chunk, [recordColumn], operands).select(recordColumn)
      : rowsOf(chunk, [recordColumn], operands);
  const [limitOperand] = operands.limit;
  const [offsetOperand] = operands.offset;
  const page = inOrder(rows as ReturnType<typeof rowsOf>, range.keys);
  if (offset === 0) return limit === undefined ? page : page.limit(limitOperand);
  const noLimit = table.dialect.offsetNeedsLimit ? page.limit(sql<number>`-1`) : page;
  return (limit === undefined ? noLimit : page.limit(limitOperand)).offset(offsetOperand);
}

/** Counts the rows of a chunk as `count`. */
export function countChunk(chunk: Chunk): Statement {
  return chunk.table.bind(JSON.stringify(["count", chunkKey(chunk)]), valuesOf(chunk), (operands) =>
    filteredChunk(chunk, [], operands).select((eb) => eb.fn.countAll().as("count")),
  );
}

/** Reads the keys of rows of a range, as their columns hold them. */
export function selectPositions(chunk: Chunk, offset: number, limit: number): Statement {
  const { table, range } = chunk;
  const values = { ...valuesOf(chunk), limit: [limit], offset: [offset] } as const;
  return table.bind(JSON.stringify(["positions", chunkKey(chunk), offset > 0]), values, (operands) => {
    const [limitOperand] = operands.limit;
    const [offsetOperand] = operands.offset;
    const keyColumns = [...new Set(range.keys.map((key) => key.field))];
    const rows = inOrder(rowsOf(chunk, keyColumns, operands), range.keys).limit(limitOperand);
    return offset === 0 ? rows : rows.offset(offsetOperand);
  });
}

/** Finds the first record of the next scope in order; of the first scope when `after` is undefined. */
export function selectNextScope({ definition, dialect, encode, bind }: Table, after?: string): Statement {
  const values = { after: [encode("scope", after ?? null)], limit: [1] } as const;
  return bind(`next scope ${after !== undefined}`, values, ({ after: [scope], limit: [limit] }) => {
    const first = dialect.builder
      .selectFrom(definition.name)
      .select(recordColumn)
      .orderBy("scope")
      .orderBy("id");
    return (after === undefined ? first : first.where("scope", ">", scope)).limit(limit);
  });
}

/** The part of a chunk that is written in the text of its statements. */
function chunkKey({ range: { where, keys, after, filter }, maxRows }: Chunk): readonly unknown[] {
  return [
    conditionsKey(where),
    keys.map((key) => [key.field, key.direction]),
    after?.bound,
    maxRows !== undefined,
    conditionsKey(filter),
  ];
}

/** The part of a chunk that is bound. */
function valuesOf({ table, scope, range: { where, after, filter }, maxRows }: Chunk) {
  return {
    scope: [table.encode("scope", scope)],
    where: conditionValues(table, where),
    position: after?.position ?? [],
    maxRows: [maxRows],
    filter: conditionValues(table, filter),
  } as const;
}

type ChunkOperands = Operands<ReturnType<typeof valuesOf>>;

/** Columns of the rows of a range, before its filter. */
function rowsOf({ table, range }: Chunk, columns: readonly string[], operands: ChunkOperands) {
  const { dialect, definition } = table;
  const { where, keys, after } = range;
  const inScope = whereInScope(dialect, operands.scope[0], where, operands.where);
  const conditions = after ? [inScope, boundSql(keys, after.bound, operands.position)] : [inScope];
  const rows = dialect.builder.selectFrom(definition.name).select(columns).where(allOf(conditions));
  return inOrder(rows, nullKeys(where, keys));
}

/** The filtered rows of a chunk as a subquery, so that the engine reads no row after the chunk. */
function filteredChunk(chunk: Chunk, columns: readonly string[], operands: ChunkOperands) {
  const { table, range, maxRows } = chunk;
  const { keys, filter } = range;
  const needed = new Set([...columns, ...[...keys, ...filter].map(({ field }) => field)]);
  const ordered = inOrder(rowsOf(chunk, [...needed], operands), keys);
  const rows = maxRows === undefined ? ordered : ordered.limit(operands.maxRows[0]);
  const from = table.dialect.builder.selectFrom(rows.as("chunk"));
  if (filter.length === 0) return from;
  return from.where(allOf(conditionsSql(table.dialect, filter, operands.filter)));
}

/**
 * Fields that are equated with null, as keys that change nothing: PostgreSQL does not treat them as constant, and uses
 * an index for the keys after them only when they are part of the order.
 */
function nullKeys(where: readonly PlainCondition[], [first]: readonly PlainOrder[]): PlainOrder[] {
  const nulls = where.filter((condition) => condition.op === "eq" && condition.value === null);
  return nulls.map(({ field }) => ({ field, direction: first?.direction ?? "asc" }));
}

/** A statement in the order of the keys. */
export function inOrder<
  Q extends { orderBy(column: ReturnType<typeof sql.ref>, direction: "asc" | "desc"): Q },
>(select: Q, keys: readonly PlainOrder[]): Q {
  return keys.reduce((query, key) => query.orderBy(sql.ref(key.field), key.direction), select);
}
