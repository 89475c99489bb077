/** Returns to the event loop between the operations of a long transaction: a store in memory never waits for anything. */

/** Records that are read or written in a turn: some milliseconds. `chosen` */
const recordsOfTurn = 1_000;

/** Counts records; the promise of the next turn of the event loop when there were enough in this one. */
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
