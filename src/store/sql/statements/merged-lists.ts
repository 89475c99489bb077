/**
 * Merges lists that an index has in order, one for each value of a field: the first rows of all lists are read in one
 * statement, and are valid up to the first row after which a list may have more. A page then costs one search in the
 * index for each list, whatever their length.
 */
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import { indexField, type PlainDefinition, type StoredRecord } from "../../definition.ts";
import { compareValues } from "../../order.ts";
import type { FieldValue } from "../../port.ts";
import { recordColumn } from "../layout.ts";
import { type KeyRange, rangesAfter } from "./key-ranges.ts";
import { type KeyRow, keyRowsOf, type ListHead, selectHeads } from "./list-heads.ts";
import type { ListingSource } from "./listing-source.ts";
import { selectByIds } from "./records.ts";

/** Lists in the order of an index. */
export interface MergedLists {
  /** The field whose values distinguish the lists. */
  readonly field: string;
  readonly values: readonly FieldValue[];
  /** The conditions of all lists, on fields of the index. */
  readonly where: readonly PlainCondition[];
}

/** Minimum number of rows of a list that are read at a time. */
const minHeight = 4;
/** Rows that are read for each one that is wanted, so that one statement is usually enough. */
const surplus = 2;
/** Maximum number of lists in a statement. */
const maxLists = 1_000;

/** The lists that conditions select and an index has in an order; undefined when they are not such lists. */
export function mergedLists(
  definition: PlainDefinition,
  where: readonly PlainCondition[],
  keys: readonly PlainOrder[],
): MergedLists | undefined {
  const [given, ...others] = where.filter((condition) => condition.op === "in");
  if (!given || others.length > 0) return undefined;
  const values = [...new Set(given.value as readonly FieldValue[])];
  const rest = where.filter((condition) => condition !== given);
  if (values.includes(null) || rest.some(({ op, value }) => op !== "eq" || value === null)) return undefined;
  const equated = [given.field, ...rest.map(({ field }) => field)];
  const hasIndex = definition.indexes.some((index) => isInOrder(index.map(indexField), equated, keys));
  return hasIndex ? { field: given.field, values, where: rest } : undefined;
}

/** Whether an index begins with the equated fields, in any order, and has the keys after them. */
function isInOrder(
  index: readonly PlainOrder[],
  equated: readonly string[],
  keys: readonly PlainOrder[],
): boolean {
  const before = index.slice(0, equated.length).map(({ field }) => field);
  if (before.length < equated.length || !before.every((field) => equated.includes(field))) return false;
  const after = [...index.slice(equated.length), { field: "id", direction: "asc" } as const];
  return (
    after.length === keys.length &&
    keys.every(({ field, direction }, i) => after[i]?.field === field && after[i]?.direction === direction)
  );
}

/**
 * The rows of all lists in order, for which the filter holds.
 *
 * @param wanted expected number of rows that the caller reads
 */
export async function* mergedRows(
  source: ListingSource,
  lists: MergedLists,
  ranges: readonly KeyRange[],
  wanted: number,
): AsyncGenerator<readonly KeyRow[], void, undefined> {
  const { values, field } = lists;
  const [first] = ranges;
  if (!first || values.length === 0) return;
  const compare = comparisonOf(first.keys);
  let heights = heightsFor(source, values, () => Math.ceil((surplus * wanted) / values.length));
  let rest = ranges;
  for (let [range] = rest; range; [range] = rest) {
    const read = await readHeads(source, lists, range, heights);
    const all = read.flatMap(({ rows }) => rows).sort(compare);
    const [horizon] = read.flatMap(({ rows, isCut }) => (isCut ? rows.slice(-1) : [])).sort(compare);
    const valid = horizon ? all.filter((row) => compare(row, horizon) <= 0) : all;
    yield range.filter.length === 0 ? valid : valid.filter((row) => row["hit"]);
    if (!horizon) {
      rest = rest.slice(1);
      continue;
    }
    rest = rangesAfter(
      range,
      range.keys.map((key) => horizon[key.field]),
    );
    const counts = new Map<unknown, number>();
    for (const row of valid) counts.set(row[field], (counts.get(row[field]) ?? 0) + 1);
    const growth = (surplus * 2 * all.length) / valid.length;
    heights = heightsFor(source, values, (value) =>
      Math.ceil((counts.get(encoded(source, field, value)) ?? 0) * growth),
    );
  }
}

const encoded = ({ table }: ListingSource, field: string, value: FieldValue) => table.encode(field, value);

/** The number of rows to read of each list: as wanted, and together at most the rows of a chunk. */
function heightsFor(
  { chunkRows }: ListingSource,
  values: readonly FieldValue[],
  wantedOf: (value: FieldValue) => number,
): ReadonlyMap<FieldValue, number> {
  const wanted = values.map((value) => Math.max(minHeight, Math.min(wantedOf(value), chunkRows)));
  const sum = wanted.reduce((a, b) => a + b, 0);
  const scale = Math.min(1, chunkRows / sum);
  return new Map(values.map((value, i) => [value, powerOfTwo((wanted[i] ?? 1) * scale)]));
}

/** A power of two that is at least half of a number: few heights differ, and lists of one height share a statement. */
function powerOfTwo(wanted: number): number {
  return 2 ** Math.max(0, Math.floor(Math.log2(wanted)));
}

interface ReadList {
  readonly rows: KeyRow[];
  /** Whether the list may have rows after these. */
  readonly isCut: boolean;
}

/** The first rows of each list in a range. */
async function readHeads(
  { run, table, scope }: ListingSource,
  { field, where }: MergedLists,
  range: KeyRange,
  heights: ReadonlyMap<FieldValue, number>,
): Promise<readonly ReadList[]> {
  const heads: ListHead[] = [...heights].map(([value, height]) => ({
    value: table.encode(field, value),
    height,
  }));
  const found = new Map<unknown, KeyRow[]>(heads.map(({ value }) => [comparable(value), []]));
  const lists = { table, scope, field, where, range };
  for (const part of statementsOf(heads, table.dialect.lateral !== undefined)) {
    const { rows } = await run(selectHeads(lists, part));
    for (const row of keyRowsOf(lists, rows)) found.get(comparable(row[field]))?.push(row);
  }
  return heads.map(({ value, height }) => {
    const rows = found.get(comparable(value)) ?? [];
    return { rows, isCut: rows.length >= height };
  });
}

/** The lists of each statement: those of one height, or of any. */
function statementsOf(heads: readonly ListHead[], isMixed: boolean): readonly (readonly ListHead[])[] {
  const heights = isMixed ? [0] : [...new Set(heads.map(({ height }) => height))];
  return heights.flatMap((height) => {
    const same = isMixed ? heads : heads.filter((head) => head.height === height);
    const count = Math.ceil(same.length / maxLists);
    return Array.from({ length: count }, (_, i) => same.slice(i * maxLists, (i + 1) * maxLists));
  });
}

/** A value of a column as a key: SQLite returns booleans as numbers. */
const comparable = (value: unknown) => (typeof value === "boolean" ? Number(value) : value);

function comparisonOf(keys: readonly PlainOrder[]): (a: KeyRow, b: KeyRow) => number {
  const signs = keys.map(({ field, direction }) => ({ field, sign: direction === "asc" ? 1 : -1 }));
  return (a, b) => {
    for (const { field, sign } of signs) {
      const c = compareValues(a[field] as FieldValue, b[field] as FieldValue);
      if (c !== 0) return sign * c;
    }
    return 0;
  };
}

/** One page of merged lists, as rows of keys. */
export async function mergedPage(
  source: ListingSource,
  lists: MergedLists,
  ranges: readonly KeyRange[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly KeyRow[]> {
  const found: KeyRow[] = [];
  if (limit === 0) return found;
  let skip = offset;
  for await (const rows of mergedRows(source, lists, ranges, offset + limit)) {
    for (const row of rows.slice(skip, skip + limit - found.length)) found.push(row);
    skip = Math.max(0, skip - rows.length);
    if (found.length === limit) break;
  }
  return found;
}

/** Maximum number of records that are read as one joined text. */
const maxJoined = 100;

/** The records of rows, in the order of the rows. */
export async function recordsOfRows(
  { run, table, scope, chunkRows }: ListingSource,
  rows: readonly KeyRow[],
): Promise<StoredRecord[]> {
  const records = new Map<unknown, StoredRecord>();
  const isJoined = table.dialect.join !== undefined && rows.length <= maxJoined;
  for (let from = 0; from < rows.length; from += chunkRows) {
    const ids = rows.slice(from, from + chunkRows).map((row) => row["id"]);
    const found = await run(selectByIds(table, scope, ids, isJoined));
    const texts = found.rows.map((row) => row[recordColumn] as string | null).filter((text) => text !== null);
    for (const record of JSON.parse(`[${texts.join(",")}]`) as StoredRecord[])
      records.set(table.encode("id", record.id), record);
  }
  return rows.flatMap((row) => records.get(row["id"]) ?? []);
}
