/** A store that is seeded before anyone else uses it. */
import type { Store } from "../store/port.ts";

/**
 * The store, behind a gate: the first use starts the seeding, every use waits for it. A seeding that fails is
 * tried again by the next use.
 */
export function seededStore(store: Store, seed: (store: Store) => Promise<void>): Store {
  let seeding: Promise<void> | undefined;
  let done = false;

  function ready(): Promise<void> {
    seeding ??= seed(store).then(
      () => {
        done = true;
      },
      (error: unknown) => {
        seeding = undefined;
        throw error;
      },
    );
    return seeding;
  }

  return {
    blobs: store.blobs,
    read: (work) => (done ? store.read(work) : ready().then(() => store.read(work))),
    write: (work) => (done ? store.write(work) : ready().then(() => store.write(work))),
    close: () => store.close(),
  };
}
