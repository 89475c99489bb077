/**
 * Merges lists that an index has in order, one for each value of a field: the first rows of all lists are read in one
 * statement, and are valid up to the first row after which a list may have more; then lists that run short are read
 * again. A page costs about one search in the index for each list, whatever their length.
 */
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import { indexField, type PlainDefinition, type StoredRecord } from "../../definition.ts";
import { compareValues } from "../../order.ts";
import type { FieldValue } from "../../port.ts";
import { recordColumn } from "../layout.ts";
import { type KeyRow, rowsOfHeads, selectHeads } from "./list-heads.ts";
import type { ListingSource } from "./listing-source.ts";
import { selectByIds } from "./records.ts";

/** Lists in the order of an index. */
export interface MergedLists {
  /** The field whose values distinguish the lists. */
  readonly field: string;
  readonly values: readonly FieldValue[];
  /** The conditions of all lists, on fields of the index. */
  readonly where: readonly PlainCondition[];
  /** The order of the lists; its last key is the id. */
  readonly keys: readonly PlainOrder[];
  /** Conditions that no index supports. */
  readonly filter: readonly PlainCondition[];
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
  filter: readonly PlainCondition[],
): MergedLists | undefined {
  const [given, ...others] = where.filter((condition) => condition.op === "in");
  if (!given || others.length > 0) return undefined;
  const values = [...new Set(given.value as readonly FieldValue[])];
  const rest = where.filter((condition) => condition !== given);
  if (values.includes(null) || rest.some(({ op, value }) => op !== "eq" || value === null)) return undefined;
  const equated = [given.field, ...rest.map(({ field }) => field)];
  const hasIndex = definition.indexes.some((index) => isInOrder(index.map(indexField), equated, keys));
  return hasIndex ? { field: given.field, values, where: rest, keys, filter } : undefined;
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

/** The rows of a list after those that were passed, as far as they were read. */
interface ReadList {
  readonly value: FieldValue;
  rows: readonly KeyRow[];
  /** Whether the list may have rows after these. */
  isCut: boolean;
  /** Number of rows to read next. */
  height: number;
  /** Number of rows that were read last. */
  read: number;
  /** Number of rows that were passed last. */
  passed: number;
}

/**
 * The rows of all lists in order, for which the filter holds. A list is read again only when most of its rows have been
 * passed, so that a few long lists do not make the others be read with them.
 *
 * @param after only rows after this position, as the columns hold it
 * @param wanted expected number of rows that the caller reads
 */
export async function* mergedRows(
  source: ListingSource,
  lists: MergedLists,
  after: readonly unknown[] | undefined,
  wanted: number,
): AsyncGenerator<readonly KeyRow[], void, undefined> {
  const { values, keys, filter } = lists;
  const compare = comparisonOf(keys);
  const height = Math.ceil((surplus * wanted) / values.length);
  const parts = values.map(
    (value): ReadList => ({ value, rows: [], isCut: true, height, read: 0, passed: 0 }),
  );
  let position = after;
  let passed = 0;
  for (let due: readonly ReadList[] = parts; due.length > 0; due = parts.filter(isShort)) {
    limitHeights(due, source.chunkRows);
    await readHeads(source, lists, position, due, compare);
    const [horizon] = parts.flatMap(({ rows, isCut }) => (isCut ? rows.slice(-1) : [])).sort(compare);
    const valid = parts.flatMap((part) => passTo(part, horizon, compare)).sort(compare);
    yield filter.length === 0 ? valid : valid.filter((row) => row["hit"]);
    if (!horizon) return;
    position = keys.map((key) => horizon[key.field]);
    passed += valid.length;
    // The lists go on as they began: each has its share of the rows that are still wanted.
    const rest = surplus * Math.max(wanted - passed, passed);
    for (const part of parts) if (isShort(part)) part.height = (rest * part.passed) / valid.length;
  }
}

/** Whether a list has more rows than were read, and most of those have been passed. */
function isShort({ rows, isCut, read }: ReadList): boolean {
  return isCut && 2 * rows.length < read;
}

/** Removes the rows up to a row from a list, and returns them. */
function passTo(
  part: ReadList,
  horizon: KeyRow | undefined,
  compare: (a: KeyRow, b: KeyRow) => number,
): readonly KeyRow[] {
  const end = horizon ? part.rows.findIndex((row) => compare(row, horizon) > 0) : -1;
  const passed = end === -1 ? part.rows : part.rows.slice(0, end);
  part.rows = end === -1 ? [] : part.rows.slice(end);
  part.passed = passed.length;
  return passed;
}

/** Makes the numbers of rows to read at least the minimum each, and at most the rows of a chunk together. */
function limitHeights(parts: readonly ReadList[], chunkRows: number): void {
  for (const part of parts) part.height = Math.max(minHeight, Math.min(part.height, chunkRows));
  const sum = parts.reduce((total, { height }) => total + height, 0);
  const scale = Math.min(1, chunkRows / sum);
  for (const part of parts) part.height = powerOfTwo(part.height * scale);
}

/** A power of two that is at least half of a number: few heights differ, and lists of one height share a statement. */
function powerOfTwo(wanted: number): number {
  return 2 ** Math.max(0, Math.floor(Math.log2(wanted)));
}

/** Reads the first rows of lists after a position. */
async function readHeads(
  { run, table, scope }: ListingSource,
  { field, where, keys, filter }: MergedLists,
  after: readonly unknown[] | undefined,
  parts: readonly ReadList[],
  compare: (a: KeyRow, b: KeyRow) => number,
): Promise<void> {
  const lists = { table, scope, field, where, keys, filter, ...(after && { after }) };
  for (const some of statementsOf(parts, table.dialect.lateral !== undefined)) {
    const heads = some.map(({ value, height }) => ({ value: table.encode(field, value), height }));
    const found = rowsOfHeads(lists, heads, (await run(selectHeads(lists, heads))).rows);
    for (const [i, part] of some.entries()) {
      const rows = [...(found[i] ?? [])].sort(compare);
      part.isCut = rows.length >= part.height;
      part.rows = rows.slice(0, part.height);
      part.read = part.rows.length;
    }
  }
}

/** The lists of each statement: those of one height, or of any. */
function statementsOf(parts: readonly ReadList[], isMixed: boolean): readonly (readonly ReadList[])[] {
  const heights = isMixed ? [0] : [...new Set(parts.map(({ height }) => height))];
  return heights.flatMap((height) => {
    const same = isMixed ? parts : parts.filter((part) => part.height === height);
    const count = Math.ceil(same.length / maxLists);
    return Array.from({ length: count }, (_, i) => same.slice(i * maxLists, (i + 1) * maxLists));
  });
}

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
  after: readonly unknown[] | undefined,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly KeyRow[]> {
  const found: KeyRow[] = [];
  if (limit === 0) return found;
  let skip = offset;
  for await (const rows of mergedRows(source, lists, after, offset + limit)) {
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
  const { join, rowKey: keyColumn = "id" } = table.dialect;
  const isJoined = join !== undefined && rows.length <= maxJoined;
  for (let from = 0; from < rows.length; from += chunkRows) {
    const keys = rows.slice(from, from + chunkRows).map((row) => row[keyColumn]);
    const found = await run(selectByIds(table, scope, keyColumn, keys, isJoined));
    const texts = found.rows.map((row) => row[recordColumn] as string | null).filter((text) => text !== null);
    for (const record of JSON.parse(`[${texts.join(",")}]`) as StoredRecord[])
      records.set(table.encode("id", record.id), record);
  }
  return rows.flatMap((row) => records.get(row["id"]) ?? []);
}
