/** Finds and counts the rows of a table for which conditions hold. Long passes return to the event loop between steps. */
import {
  assertQuery,
  assertWhere,
  type PlainCondition,
  type PlainOrder,
  type PlainQuery,
} from "../argument-checks.ts";
import { mergeLists } from "./merge-lists.ts";
import { compileOrder, compileWhere, type MemoryRow, rowAt } from "./query.ts";
import { firstAfter } from "./row-set.ts";
import type { Table } from "./table.ts";
import { type CountRecords, countRows } from "./turns.ts";

/** The rows that a query selects, in its order. */
export async function select(
  table: Table,
  query: PlainQuery,
  countRecords: CountRecords,
): Promise<MemoryRow[]> {
  assertQuery(table.definition, query);
  const { where = [], order = [], offset = 0, limit = Number.POSITIVE_INFINITY, after } = query;
  const compare = compileOrder(order);
  const candidates = table.candidates(where);
  const sorted: (readonly MemoryRow[])[] = [];
  if ("rows" in candidates) sorted.push([...candidates.rows].sort(compare));
  else for (const set of candidates.sets) sorted.push(await set.sorted(order, countRecords));
  const position = after && rowAt(order, after);
  const [lower, upper] = boundsOf(where, order[0]);
  const lists = sorted.map((rows) => {
    const start = firstIndex(rows, lower);
    const after = position ? firstAfter(rows, position, compare) : 0;
    return { rows, at: Math.max(start, after), end: firstIndex(rows, (row) => !upper(row)) };
  });
  const [only] = lists;
  // Every row of the list is found: those before the page need not be looked at.
  const skipped = only && lists.length === 1 && where.length === 0 ? Math.min(offset, only.end - only.at) : 0;
  if (only) only.at += skipped;
  const page = { offset: offset - skipped, limit };
  return mergeLists(lists, compileWhere(where), compare, page, countRecords);
}

/** The conditions that exclude the first rows of an order, and those that exclude the last ones. */
function boundsOf(where: readonly PlainCondition[], first: PlainOrder | undefined) {
  const ofOps = (ops: readonly PlainCondition["op"][]) =>
    compileWhere(
      where.filter(({ field, op, value }) => {
        return field === first?.field && ops.includes(op) && typeof value === "number";
      }),
    );
  const [above, below] = [ofOps(["gt", "gte"]), ofOps(["lt", "lte"])];
  return first?.direction === "desc" ? ([below, above] as const) : ([above, below] as const);
}

/** The index of the first row for which a condition holds that holds for all rows after it. */
function firstIndex(rows: readonly MemoryRow[], holds: (row: MemoryRow) => boolean): number {
  let [start, end] = [0, rows.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (holds(rows[middle]!)) end = middle;
    else start = middle + 1;
  }
  return start;
}

/** Calls `visit` with each row for which the conditions hold, in no order. */
export async function eachMatching(
  table: Table,
  where: readonly PlainCondition[],
  countRecords: CountRecords,
  visit: (row: MemoryRow) => void,
): Promise<void> {
  assertWhere(table.definition, where);
  const holds = compileWhere(where);
  const candidates = table.candidates(where);
  const groups = "rows" in candidates ? [[candidates.rows]] : candidates.sets.map(({ rows }) => rows.parts());
  for (const parts of groups)
    for (const part of parts) {
      for (const row of part) if (holds(row)) visit(row);
      await countRows(countRecords, part.length);
    }
}

/** The number of rows for which the conditions hold. */
export async function countMatching(
  table: Table,
  where: readonly PlainCondition[],
  countRecords: CountRecords,
): Promise<number> {
  assertWhere(table.definition, where);
  const maintained = table.maintainedCount(where);
  if (maintained !== undefined) return maintained;
  let count = 0;
  await eachMatching(table, where, countRecords, () => {
    count++;
  });
  return count;
}
