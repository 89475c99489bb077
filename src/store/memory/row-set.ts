/**
 * Rows by id, with sorted views for the orders that queries use. A view is sorted once and then updated with the
 * changes since its last use, so that a page of a long list costs no sorting. Both return to the event loop between steps.
 */
import type { PlainOrder } from "../argument-checks.ts";
import { type Compare, compileOrder, type MemoryRow } from "./query.ts";
import { sortRows } from "./sort-rows.ts";
import { type CountRecords, inSteps } from "./turns.ts";
import { createWideMap, type WideMap } from "./wide-map.ts";

/** Maximum number of sorted views of one set; the least recently used one is dropped. */
const maxViews = 8;
/** Maximum number of rows of a set that is sorted for each query, without a view. */
const maxUnviewed = 64;
/** Changes that a view keeps until its next use: this many, and a part of the number of its rows. Then it is dropped. */
const minChanges = 1_000;
const maxChanged = 1 / 4;
/** Rows that are moved in memory at once when a view gets few changes: a tenth of a millisecond. */
const maxMoved = 1 << 18;

export interface RowSet {
  readonly rows: Pick<WideMap<MemoryRow>, "size" | "get" | "has" | "parts">;
  add(row: MemoryRow): void;
  remove(row: MemoryRow): void;
  /** All rows in an order. The array is valid until the next change. */
  sorted(order: readonly PlainOrder[], countRecords: CountRecords): Promise<readonly MemoryRow[]>;
}

interface View {
  readonly order: readonly PlainOrder[];
  readonly compare: Compare;
  /** Undefined until they are sorted for the first time. */
  rows: readonly MemoryRow[] | undefined;
  /** The rows that were added and removed since, in the order of the changes. */
  changes: Change[];
  /** The running update, which several readers may wait for. */
  update: Promise<void> | undefined;
}

interface Change {
  readonly row: MemoryRow;
  readonly isAdded: boolean;
}

export function createRowSet(): RowSet {
  const rows = createWideMap<MemoryRow>();
  const views = new Map<string, View>();

  function keep(row: MemoryRow, isAdded: boolean): void {
    if (views.size === 0) return;
    const change = { row, isAdded };
    for (const [key, view] of views) {
      view.changes.push(change);
      if (view.changes.length > minChanges + (view.rows?.length ?? 0) * maxChanged) views.delete(key);
    }
  }

  function viewOf(order: readonly PlainOrder[]): View {
    const key = JSON.stringify(order.map((o) => [o.field, o.direction]));
    const view = views.get(key) ?? {
      order,
      compare: compileOrder(order),
      rows: undefined,
      changes: [],
      update: undefined,
    };
    views.delete(key);
    views.set(key, view);
    const [oldest] = views.keys();
    if (views.size > maxViews && oldest !== undefined) views.delete(oldest);
    return view;
  }

  async function update(view: View, countRecords: CountRecords): Promise<void> {
    if (view.rows === undefined) {
      view.changes = [];
      view.rows = await sortRows(allOf(rows), view.order, countRecords);
      return;
    }
    const { length } = view.changes;
    const { added, removed } = netOf(view.changes);
    const sorted = await sortRows(added, view.order, countRecords);
    view.rows = await merge(view.rows, sorted, removed, view.compare, countRecords);
    // Others may have come in the meantime.
    view.changes.splice(0, length);
  }

  async function current(order: readonly PlainOrder[], countRecords: CountRecords) {
    for (;;) {
      const view = viewOf(order);
      if (view.update) {
        // The transaction of another reader may end before its update does.
        await view.update.catch(() => {});
        continue;
      }
      if (view.rows && view.changes.length === 0) return view.rows;
      view.update = update(view, countRecords).finally(() => {
        view.update = undefined;
      });
      await view.update;
    }
  }

  return {
    rows,
    add: (row) => {
      rows.set(row.id, row);
      keep(row, true);
    },
    remove: (row) => {
      rows.delete(row.id);
      keep(row, false);
    },
    sorted: async (order, countRecords) =>
      rows.size > maxUnviewed ? current(order, countRecords) : allOf(rows).sort(compileOrder(order)),
  };
}

function allOf(rows: RowSet["rows"]): MemoryRow[] {
  const all: MemoryRow[] = [];
  for (const part of rows.parts()) for (const row of part) all.push(row);
  return all;
}

/** The rows that changes have added and removed on the whole. */
function netOf(changes: readonly Change[]): {
  readonly added: readonly MemoryRow[];
  readonly removed: readonly MemoryRow[];
} {
  if (changes.every(({ isAdded }) => isAdded)) return { added: changes.map(({ row }) => row), removed: [] };
  const counts = new Map<MemoryRow, number>();
  for (const { row, isAdded } of changes) counts.set(row, (counts.get(row) ?? 0) + (isAdded ? 1 : -1));
  const rowsWith = (count: number) => [...counts].flatMap(([row, n]) => (n === count ? [row] : []));
  return { added: rowsWith(1), removed: rowsWith(-1) };
}

/** Adds a few rows, which are sorted, to many and removes others, with one binary search for each. */
async function merge(
  many: readonly MemoryRow[],
  added: readonly MemoryRow[],
  removed: readonly MemoryRow[],
  compare: Compare,
  countRecords: CountRecords,
): Promise<readonly MemoryRow[]> {
  if ((removed.length + added.length) * many.length <= maxMoved) return edited(many, added, removed, compare);
  const gaps = new Set<number>();
  await inSteps(removed.length, countRecords, (from, to) => {
    for (const row of removed.slice(from, to)) gaps.add(firstAfter(many, row, compare) - 1);
  });
  const places: number[] = [];
  await inSteps(added.length, countRecords, (from, to) => {
    for (const row of added.slice(from, to)) places.push(firstAfter(many, row, compare, places.at(-1)));
  });
  const merged: MemoryRow[] = [];
  let next = 0;
  // One more place than rows: after the last one.
  await inSteps(many.length + 1, countRecords, (from, to) => {
    for (let i = from; i < to; i++) {
      for (; places[next] === i; next++) merged.push(added[next]!);
      if (i < many.length && !gaps.has(i)) merged.push(many[i]!);
    }
  });
  return merged;
}

/** As `merge`, for few changes: the engine copies and moves rows without looking at them. */
function edited(
  many: readonly MemoryRow[],
  added: readonly MemoryRow[],
  removed: readonly MemoryRow[],
  compare: Compare,
): readonly MemoryRow[] {
  const rows = many.slice();
  for (const row of removed) rows.splice(firstAfter(rows, row, compare) - 1, 1);
  for (const row of added) rows.splice(firstAfter(rows, row, compare), 0, row);
  return rows;
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
