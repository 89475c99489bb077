/**
 * Rows by id, with sorted views for the orders that queries use. A view is sorted once and then updated with the
 * changes since its last use, so that a page of a long list costs no sorting.
 */
import type { PlainOrder } from "../argument-checks.ts";
import { type Compare, compileOrder, type MemoryRow, sortRows } from "./query.ts";

/** Maximum number of sorted views of one set; the least recently used one is dropped. */
const maxViews = 8;
/** Maximum number of rows of a set that is sorted for each query, without a view. */
const maxUnviewed = 64;

export interface RowSet {
  readonly rows: ReadonlyMap<string, MemoryRow>;
  add(row: MemoryRow): void;
  remove(row: MemoryRow): void;
  /** All rows in an order. The array is valid until the next change. */
  sorted(order: readonly PlainOrder[]): readonly MemoryRow[];
}

interface View {
  readonly compare: Compare;
  rows: readonly MemoryRow[];
  readonly added: Set<MemoryRow>;
  readonly removed: Set<MemoryRow>;
}

export function createRowSet(): RowSet {
  const rows = new Map<string, MemoryRow>();
  const views = new Map<string, View>();

  function viewOf(order: readonly PlainOrder[]): View {
    const key = JSON.stringify(order.map((o) => [o.field, o.direction]));
    const view = views.get(key) ?? createView(rows, order);
    views.delete(key);
    views.set(key, view);
    const [oldest] = views.keys();
    if (views.size > maxViews && oldest !== undefined) views.delete(oldest);
    return view;
  }

  return {
    rows,
    add: (row) => {
      rows.set(row.id, row);
      for (const view of views.values()) view.added.add(row);
    },
    remove: (row) => {
      rows.delete(row.id);
      for (const view of views.values()) if (!view.added.delete(row)) view.removed.add(row);
    },
    sorted: (order) =>
      rows.size > maxUnviewed ? refreshed(viewOf(order)) : sortRows([...rows.values()], order),
  };
}

function createView(rows: ReadonlyMap<string, MemoryRow>, order: readonly PlainOrder[]): View {
  const sorted = sortRows([...rows.values()], order);
  return { compare: compileOrder(order), rows: sorted, added: new Set(), removed: new Set() };
}

function refreshed(view: View): readonly MemoryRow[] {
  const { added, removed, compare } = view;
  if (removed.size > 0) view.rows = without(view.rows, removed, compare);
  if (added.size > 0) view.rows = merge(view.rows, [...added].sort(compare), compare);
  added.clear();
  removed.clear();
  return view.rows;
}

/** Removes a few rows from many, with one binary search for each. */
function without(many: readonly MemoryRow[], few: Iterable<MemoryRow>, compare: Compare): MemoryRow[] {
  const gaps = new Set(Array.from(few, (row) => firstAfter(many, row, compare) - 1));
  return many.filter((_, i) => !gaps.has(i));
}

/** Merges a few rows into many, with one binary search for each. */
function merge(many: readonly MemoryRow[], few: readonly MemoryRow[], compare: Compare): MemoryRow[] {
  const merged: MemoryRow[] = [];
  let from = 0;
  for (const row of few) {
    const to = firstAfter(many, row, compare, from);
    for (const one of many.slice(from, to)) merged.push(one);
    merged.push(row);
    from = to;
  }
  return merged.concat(many.slice(from));
}

/** The index of the first row after a position; the rows are sorted. */
export function firstAfter(
  rows: readonly MemoryRow[],
  position: MemoryRow,
  compare: Compare,
  from = 0,
): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle]!, position) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
