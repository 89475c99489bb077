/** Sorts rows in steps: runs of some thousands of rows, which are then merged. */
import type { PlainOrder } from "../argument-checks.ts";
import { compareValues } from "../order.ts";
import type { FieldValue } from "../port.ts";
import { fieldOf, type MemoryRow } from "./query.ts";
import { type CountRecords, countRows, inSteps } from "./turns.ts";

/** Rows that are sorted at a time: a few milliseconds. */
const runRows = 4_096;

/** The values of a key of the order. */
interface Column {
  readonly field: string;
  readonly sign: number;
  readonly values: FieldValue[];
  /** Whether JavaScript compares the values as stores do: strings by UTF-16 unit, hence without surrogates. */
  isPlain: boolean;
}

type CompareAt = (i: number, j: number) => number;

/** Rows in an order, ties by id. */
export async function sortRows(
  rows: readonly MemoryRow[],
  order: readonly PlainOrder[],
  countRecords: CountRecords,
): Promise<MemoryRow[]> {
  const compare = comparisonOf(await columnsOf(rows, order, countRecords));
  let indexes = new Uint32Array(rows.length);
  await inSteps(rows.length, countRecords, (from, to) => {
    for (let i = from; i < to; i++) indexes[i] = i;
  });
  for (let from = 0; from < rows.length; from += runRows) {
    indexes.subarray(from, from + runRows).sort(compare);
    await countRows(countRecords, Math.min(runRows, rows.length - from) * Math.log2(runRows));
  }
  let merged = new Uint32Array(rows.length);
  for (let width = runRows; width < rows.length; width *= 2) {
    for (let from = 0; from < rows.length; from += 2 * width)
      await mergeRuns(indexes, merged, [from, from + width, from + 2 * width], compare, countRecords);
    [indexes, merged] = [merged, indexes];
  }
  const sorted: MemoryRow[] = [];
  await inSteps(rows.length, countRecords, (from, to) => {
    for (const i of indexes.subarray(from, to)) sorted.push(rows[i]!);
  });
  return sorted;
}

/** Merges two neighboring runs, which begin at `start` and `middle`. */
async function mergeRuns(
  indexes: Uint32Array,
  merged: Uint32Array,
  [start, middle, end]: readonly [number, number, number],
  compare: CompareAt,
  countRecords: CountRecords,
): Promise<void> {
  const last = Math.min(end, indexes.length);
  const half = Math.min(middle, last);
  let [left, right] = [start, half];
  await inSteps(last - start, countRecords, (from, to) => {
    for (let at = start + from; at < start + to; at++) {
      const isLeft = right >= last || (left < half && compare(indexes[left]!, indexes[right]!) <= 0);
      merged[at] = indexes[isLeft ? left++ : right++]!;
    }
  });
}

async function columnsOf(
  rows: readonly MemoryRow[],
  order: readonly PlainOrder[],
  countRecords: CountRecords,
): Promise<readonly Column[]> {
  const columns = [...order, { field: "id", direction: "asc" } as const].map(
    ({ field, direction }): Column => ({
      field,
      sign: direction === "asc" ? 1 : -1,
      values: [],
      isPlain: true,
    }),
  );
  for (const column of columns)
    await inSteps(rows.length, countRecords, (from, to) => {
      for (let i = from; i < to; i++) {
        const value = fieldOf(rows[i]!, column.field);
        column.values.push(value);
        if (typeof value === "string" && surrogate.test(value)) column.isPlain = false;
      }
    });
  return columns;
}

const surrogate = /[\ud800-\udfff]/;

function comparisonOf(columns: readonly Column[]): CompareAt {
  return (i, j) => {
    for (const { values, sign, isPlain } of columns) {
      const [a, b] = [values[i]!, values[j]!];
      if (!isPlain) {
        const c = compareValues(a, b);
        if (c !== 0) return sign * c;
      } else if (a < b) return -sign;
      else if (a > b) return sign;
    }
    return 0;
  };
}
