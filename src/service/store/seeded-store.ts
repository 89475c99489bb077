/** A store that is seeded before its first use. */
import type { Store } from "../../store/port.ts";

/**
 * The store; its first use starts the seeding, and every use waits for it. The next use repeats a failed seeding.
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
    read: (work, options) =>
      done ? store.read(work, options) : ready().then(() => store.read(work, options)),
    write: (work, options) =>
      done ? store.write(work, options) : ready().then(() => store.write(work, options)),
    close: () => store.close(),
  };
}
