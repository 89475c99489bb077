/**
 * Rows by id that also stand sorted for the orders they are asked for. A sorted view is made once and then takes
 * over what has changed since it was last looked at, so that a page of a long list costs no sorting.
 */
import type { PlainOrder } from "../argument-checks.ts";
import { type Compare, compileOrder, type MemoryRow, sortRows } from "./query.ts";

/** How many orders of one set are kept sorted; the one not used for longest is forgotten. */
const maxViews = 8;
/** Sets up to this size are sorted when asked. */
const maxUnkept = 64;

export interface RowSet {
  readonly rows: ReadonlyMap<string, MemoryRow>;
  add(row: MemoryRow): void;
  remove(row: MemoryRow): void;
  /** All rows in this order. Valid until the next change. */
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
    if (views.size > maxViews) views.delete(views.keys().next().value!);
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
      rows.size > maxUnkept ? refreshed(viewOf(order)) : sortRows([...rows.values()], order),
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

/** Leaves few rows out of many: one search for each of the few. */
function without(many: readonly MemoryRow[], few: Iterable<MemoryRow>, compare: Compare): MemoryRow[] {
  const gaps = Array.from(few, (row) => firstAfter(many, row, compare) - 1).sort((a, b) => a - b);
  const kept: MemoryRow[] = [];
  let from = 0;
  for (const gap of gaps) {
    for (; from < gap; from++) kept.push(many[from]!);
    from++;
  }
  for (; from < many.length; from++) kept.push(many[from]!);
  return kept;
}

/** Merges few rows into many: one search for each of the few. */
function merge(many: readonly MemoryRow[], few: readonly MemoryRow[], compare: Compare): MemoryRow[] {
  const merged: MemoryRow[] = [];
  let from = 0;
  for (const row of few) {
    const to = firstAfter(many, row, compare, from);
    for (; from < to; from++) merged.push(many[from]!);
    merged.push(row);
  }
  for (; from < many.length; from++) merged.push(many[from]!);
  return merged;
}

/** The index of the first row that stands behind the place; the rows are sorted. */
export function firstAfter(rows: readonly MemoryRow[], place: MemoryRow, compare: Compare, from = 0): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle]!, place) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
