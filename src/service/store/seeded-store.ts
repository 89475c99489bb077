/** A store that is seeded before its first use. */
import { keepSuccess } from "../../core/work/keep-success.ts";
import type { Store } from "../../store/port.ts";

/**
 * The store; its first use starts the seeding, and every use waits for it. The next use repeats a failed seeding.
 */
export function seededStore(store: Store, seed: (store: Store) => Promise<void>): Store {
  let done = false;
  const seeding = keepSuccess(async () => {
    await seed(store);
    done = true;
  });

  return {
    blobs: store.blobs,
    read: (work, options) =>
      done ? store.read(work, options) : seeding.get().then(() => store.read(work, options)),
    write: (work, options) =>
      done ? store.write(work, options) : seeding.get().then(() => store.write(work, options)),
    close: () => store.close(),
  };
}
