/** Records the writes of a store. */
import type { Store, WriteTransaction } from "../../src/store/port.ts";

export interface CountedWrites {
  readonly store: Store;
  /** The queue of each write, in order; undefined for a write without one. */
  readonly queues: (string | undefined)[];
  /** How often the work of all writes was run: more often than there were writes when some had to run again. */
  runs(): number;
}

export function countWrites(store: Store): CountedWrites {
  const queues: (string | undefined)[] = [];
  let runs = 0;
  return {
    store: {
      ...store,
      write: (work, options) => {
        queues.push(options?.queue);
        const counted = (tx: WriteTransaction) => {
          runs++;
          return work(tx);
        };
        return store.write(counted, options);
      },
    },
    queues,
    runs: () => runs,
  };
}
