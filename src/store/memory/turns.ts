/** Returns to the event loop between the operations of a long transaction: a store in memory never waits for anything. */

/** Records that are read or written in a turn: some milliseconds. `chosen` */
const recordsOfTurn = 1_000;

/** Work of looking at a row, in a pass through many, as a part of that of reading a record. `chosen` */
const workOfRow = 1 / 20;

/** Rows of a pass between two counts of its work. */
const rowsOfStep = 2_000;

/** Counts work in records; the promise of the next turn of the event loop when there was enough of it in this one. */
export type CountRecords = (records: number) => Promise<void> | undefined;

export function createTurns(): CountRecords {
  let counted = 0;
  return (records) => {
    counted += records;
    if (counted < recordsOfTurn) return undefined;
    counted = 0;
    return new Promise((resume) => setImmediate(resume));
  };
}

/** Counts the work of a pass through this many rows. */
export function countRows(countRecords: CountRecords, rows: number): Promise<void> | undefined {
  return countRecords(rows * workOfRow);
}

/** Calls `visit` with ranges of this many rows, `from` to below `to`, and counts their work. */
export async function inSteps(
  rows: number,
  countRecords: CountRecords,
  visit: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < rows; from += rowsOfStep) {
    const to = Math.min(rows, from + rowsOfStep);
    visit(from, to);
    await countRows(countRecords, to - from);
  }
}
