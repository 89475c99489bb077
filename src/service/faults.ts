/** Faults that a test injects into the dependencies of the services, to see how a client handles 10002. */
import type { Store } from "../store/port.ts";

/**
 * Functions that are called before each use of a dependency; the dependency fails with the error that they throw. A
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

/** The store; its transactions fail with the errors that the fault throws. */
export function faultyStore(store: Store, { store: fault }: Faults): Store {
  if (!fault) return store;
  const failing = async <T>(run: () => Promise<T>): Promise<T> => {
    fault();
    return run();
  };
  return {
    ...store,
    read: (work, options) => failing(() => store.read(work, options)),
    write: (work, options) => failing(() => store.write(work, options)),
  };
}
