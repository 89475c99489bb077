/** A page of sorted lists in one order, which are read only as far as the page needs. */
import type { Compare, MemoryRow } from "./query.ts";
import { type CountRecords, countRows } from "./turns.ts";

/** A part of a sorted list. */
export interface Cursor {
  readonly rows: readonly MemoryRow[];
  /** The index of its next row. */
  at: number;
  /** The index after its last row. */
  readonly end: number;
}

/** Rows that are passed, or as much work, before it is counted. */
const rowsOfStep = 500;
/** Work of a comparison of rows, in rows that are passed. */
const workOfComparison = 2;

/** The rows for which a condition holds, after the first `offset` ones and at most `limit`. */
export async function mergeLists(
  lists: readonly Cursor[],
  holds: (row: MemoryRow) => boolean,
  compare: Compare,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  countRecords: CountRecords,
): Promise<MemoryRow[]> {
  const found: MemoryRow[] = [];
  if (limit === 0) return found;
  let passed = 0;
  /** Moves to the next row for which the condition holds; undefined when there may be one, but many rows were passed. */
  const advance = (list: Cursor): boolean | undefined => {
    for (; list.at < list.end; list.at++) {
      if (passed++ >= rowsOfStep) return undefined;
      if (holds(list.rows[list.at]!)) return true;
    }
    return false;
  };
  const continued = async (list: Cursor): Promise<boolean> => {
    for (;;) {
      await countRows(countRecords, passed);
      passed = 0;
      const hasRow = advance(list);
      if (hasRow !== undefined) return hasRow;
    }
  };
  const heap: Cursor[] = [];
  for (const list of lists) if (advance(list) ?? (await continued(list))) heap.push(list);
  const isBefore = (a: Cursor, b: Cursor) => compare(a.rows[a.at]!, b.rows[b.at]!) < 0;
  for (let i = heap.length >> 1; i >= 0; i--) siftDown(heap, i, isBefore);
  let skip = offset;
  for (let [list] = heap; list && found.length < limit; [list] = heap) {
    if (skip > 0) skip--;
    else found.push(list.rows[list.at]!);
    list.at++;
    passed += 2 * workOfComparison * Math.ceil(Math.log2(heap.length));
    if (!(advance(list) ?? (await continued(list)))) {
      const last = heap.pop();
      if (last && last !== list) heap[0] = last;
    }
    siftDown(heap, 0, isBefore);
  }
  return found;
}

/** Restores the order of a binary heap below one of its elements. */
function siftDown<T>(heap: T[], start: number, isBefore: (a: T, b: T) => boolean): void {
  for (let at = start; ; ) {
    let first = at;
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && isBefore(heap[child]!, heap[first]!)) first = child;
    if (first === at) return;
    [heap[at], heap[first]] = [heap[first]!, heap[at]!];
    at = first;
  }
}
