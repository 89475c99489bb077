/**
 * Lists and counts by keyset pagination, in statements that each look at one chunk of rows: a deep offset, or a search
 * that no index supports, becomes many short statements instead of one that blocks the others.
 */
import type { PlainCondition, PlainOrder, PlainQuery } from "../../argument-checks.ts";
import { indexField, type PlainDefinition, type StoredRecord } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";
import type { RunStatement } from "../engines/engine.ts";
import { recordColumn } from "../layout.ts";
import { type KeyRange, rangesAfter } from "./key-ranges.ts";
import type { ListingSource } from "./listing-source.ts";
import { type Chunk, countChunk, selectJoined, selectPositions, selectRecords } from "./listings.ts";
import { mergedLists, mergedPage, recordsOfRows } from "./merged-lists.ts";
import { parseRecords } from "./records.ts";
import { memberOf, type Table } from "./table.ts";
import { decodedKey } from "./text.ts";

/** Maximum number of rows that one statement looks at. */
export const chunkRows = 10_000;

type Rows = Awaited<ReturnType<RunStatement>>["rows"];

/** Maximum number of records that are read as one joined text, which must not become too long for a string. */
const maxJoined = 100;

/** The records that a query finds. */
export async function findRecords(source: ListingSource, query: PlainQuery): Promise<StoredRecord[]> {
  const { offset = 0, limit } = query;
  const merged = mergedQuery(source, query);
  if (merged) return recordsOfRows(source, await mergedPage(source, merged.lists, merged.after, merged.page));
  const ranges = rangesOf(source, query);
  const chunk = singleChunk(source, query, ranges);
  if (chunk) {
    const { run, table } = source;
    if (table.dialect.join && limit !== undefined && limit <= maxJoined) {
      const { rows } = await run(selectJoined(chunk, offset, limit));
      return JSON.parse(`[${(rows[0]?.[recordColumn] as string | null | undefined) ?? ""}]`);
    }
    return parseRecords((await run(selectRecords(chunk, offset, limit))).rows);
  }
  return parseRecords(await findInChunks(source, ranges, offset, limit ?? Number.POSITIVE_INFINITY));
}

/** The ranges that a query reads, in its order. */
function rangesOf(
  { table }: ListingSource,
  { where = [], order = [], after }: PlainQuery,
): readonly KeyRange[] {
  const range: KeyRange = { ...splitConditions(where), keys: withId(order) };
  return after ? rangesAfter(range, positionOf(table, range.keys, after)) : [range];
}

/** The one range of a query that one statement can read; undefined for one that needs several statements. */
function singleChunk(
  { table, scope, chunkRows: maxRows }: ListingSource,
  { offset = 0 }: PlainQuery,
  [range, second]: readonly KeyRange[],
): Chunk | undefined {
  const isSingle = range && !second && range.filter.length === 0 && offset <= maxRows;
  return isSingle ? { table, scope, range } : undefined;
}

/** The positions of the records that a query finds, as values of their fields. */
export async function findPositions(
  source: ListingSource,
  query: PlainQuery,
): Promise<(readonly FieldValue[])[]> {
  const rows = await positionRows(source, query);
  const order = query.order ?? [];
  const decoded = rows?.map((row) => decodedPosition(source.table, order, row));
  if (decoded?.every((position) => position !== undefined)) return decoded;
  return (await findRecords(source, query)).map((record) => [
    ...order.map(({ field }) => memberOf(record, field)),
    record.id,
  ]);
}

/** The columns of positions, as far as they can be read without records. */
async function positionRows(source: ListingSource, query: PlainQuery): Promise<Rows | undefined> {
  const merged = mergedQuery(source, query);
  if (merged) return mergedPage(source, merged.lists, merged.after, merged.page);
  const { offset = 0, limit } = query;
  const chunk = limit === undefined ? undefined : singleChunk(source, query, rangesOf(source, query));
  if (!chunk || limit === undefined) return undefined;
  return (await source.run(selectPositions(chunk, offset, limit))).rows;
}

/** The values of a position; undefined when a column holds only a part of one. */
function decodedPosition(
  { definition }: Table,
  order: readonly PlainOrder[],
  row: Readonly<Record<string, unknown>>,
): readonly FieldValue[] | undefined {
  const fields = [...order.map(({ field }) => field), "id"];
  const values = fields.map((field) => decodedValue(definition.fields[field] ?? "text", row[field]));
  return values.includes(undefined) ? undefined : (values as FieldValue[]);
}

function decodedValue(kind: string, value: unknown): FieldValue | undefined {
  if (kind === "boolean") return Boolean(value);
  return typeof value === "string" ? decodedKey(value) : (value as number);
}

/** A page of lists that an index has in order; undefined when the query is not for such lists. */
function mergedQuery({ table }: ListingSource, query: PlainQuery) {
  const { where = [], order = [], offset = 0, limit, after } = query;
  const split = splitConditions(where);
  const keys = withId(order);
  const lists =
    limit === undefined ? undefined : mergedLists(table.definition, split.where, keys, split.filter);
  if (!lists || limit === undefined) return undefined;
  return { lists, after: after && positionOf(table, keys, after), page: { offset, limit } };
}

/** The number of rows for which conditions hold. */
export async function countRows(
  source: ListingSource,
  conditions: readonly PlainCondition[],
): Promise<number> {
  const split = splitConditions(conditions);
  const keys = withId(indexedOrder(source.table.definition, split.where));
  let total = 0;
  await eachChunk(source, [{ ...split, keys }], async (chunk) => {
    const size = await sizeOf(source, chunk);
    total += size;
    return split.filter.length === 0 && size < source.chunkRows ? "next range" : "next chunk";
  });
  return total;
}

async function findInChunks(
  source: ListingSource,
  ranges: readonly KeyRange[],
  offset: number,
  limit: number,
): Promise<Rows> {
  const found: Rows[number][] = [];
  let skip = offset;
  if (limit === 0) return found;
  await eachChunk(source, ranges, async (chunk) => {
    const isFiltered = chunk.range.filter.length > 0;
    if (skip > 0) {
      const size = await sizeOf(source, chunk);
      if (size <= skip) {
        skip -= size;
        return !isFiltered && size < source.chunkRows ? "next range" : "next chunk";
      }
    }
    const rest = isFiltered ? source.chunkRows : source.chunkRows - skip;
    const wanted = Math.min(limit - found.length, rest);
    const { rows } = await source.run(selectRecords(chunk, skip, wanted));
    skip = 0;
    found.push(...rows);
    if (found.length === limit) return "done";
    return !isFiltered && rows.length < wanted ? "next range" : "next chunk";
  });
  return found;
}

/** Visits the chunks of ranges in order, until a visit returns "done". */
async function eachChunk(
  { run, table, scope, chunkRows: maxRows }: ListingSource,
  ranges: readonly KeyRange[],
  visit: (chunk: Chunk) => Promise<"done" | "next range" | "next chunk">,
): Promise<void> {
  let rest = ranges;
  for (let [range] = rest; range; [range] = rest) {
    const next = await visit({ table, scope, range, maxRows });
    if (next === "done") return;
    rest = rest.slice(1);
    if (next === "next range") continue;
    const [last] = (await run(selectPositions({ table, scope, range }, maxRows - 1, 1))).rows;
    // The ranges after the last row of the chunk include those that were still to come.
    if (last)
      rest = rangesAfter(
        range,
        range.keys.map((key) => last[key.field]),
      );
  }
}

async function sizeOf({ run }: ListingSource, chunk: Chunk): Promise<number> {
  return Number((await run(countChunk(chunk))).rows[0]?.["count"]);
}

/** Separates the conditions that no index supports. */
function splitConditions(conditions: readonly PlainCondition[]): Pick<KeyRange, "where" | "filter"> {
  const where = conditions.filter((condition) => condition.op !== "contains");
  return { where, filter: conditions.filter((condition) => condition.op === "contains") };
}

/** The order with the id as its last key; keys after the id have no effect. */
function withId(order: readonly PlainOrder[]): PlainOrder[] {
  const id = order.findIndex((key) => key.field === "id");
  return id === -1 ? [...order, { field: "id", direction: "asc" }] : order.slice(0, id + 1);
}

/** The values of `after` for the keys of a range, as their columns hold them. */
function positionOf(table: Table, keys: readonly PlainOrder[], after: readonly FieldValue[]): unknown[] {
  return keys.map(({ field }, i) => table.encode(field, (field === "id" ? after.at(-1) : after[i]) ?? null));
}

/**
 * The order in which an index lists the rows for which conditions hold: of the index with the most equated fields, and of
 * several one whose next field has a bound.
 */
function indexedOrder(
  { indexes, fields: kinds }: PlainDefinition,
  where: readonly PlainCondition[],
): readonly PlainOrder[] {
  const fieldsOf = (ops: readonly PlainCondition["op"][]) =>
    new Set(where.filter(({ op }) => ops.includes(op)).map(({ field }) => field));
  const equated = fieldsOf(["eq"]);
  const bounded = fieldsOf(["lt", "lte", "gt", "gte"]);
  let best: readonly PlainOrder[] = [];
  let maxRank = 0;
  for (const index of indexes) {
    const fields = index.map(indexField);
    const rest = fields.findIndex(({ field }) => !equated.has(field));
    const length = rest === -1 ? fields.length : rest;
    const order = fields.slice(length);
    // A null cannot be part of a position.
    const rank = 2 * length + Number(order[0] !== undefined && bounded.has(order[0].field));
    if (rank <= maxRank || order.some(({ field }) => kinds[field]?.endsWith("?"))) continue;
    maxRank = rank;
    best = order;
  }
  return best;
}
