/** Faults that a test puts into what the services depend on, to see what a client does with 10002. */
import type { Store } from "../store/port.ts";

/**
 * Called before each use of a dependency; what it throws is what the dependency fails with. A
 * `DependencyUnavailableError` makes a 503, anything else a 500 (`spec`, error 10002).
 */
export interface Faults {
  /** Before each transaction of the store, in every area. */
  readonly store?: () => void;
  /** Before a proxy application's names are looked up. */
  readonly dns?: () => void;
  /** Before a proxy application's edge addresses are allocated. */
  readonly addresses?: () => void;
}

/** The store, failing when it is told to. */
export function faultyStore(store: Store, { store: fault }: Faults): Store {
  if (!fault) return store;
  const failing = async <T>(run: () => Promise<T>): Promise<T> => {
    fault();
    return run();
  };
  return {
    ...store,
    read: (work) => failing(() => store.read(work)),
    write: (work) => failing(() => store.write(work)),
  };
}
