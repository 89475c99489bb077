/** Finds transactions inside transactions, also inside those that promise to have none. */
import type { Store } from "../../src/store/port.ts";

/** The store without the option `flat`: a use case that opens a transaction inside another fails. */
export function watchedStore(store: Store): Store {
  return {
    blobs: store.blobs,
    read: (work) => store.read(work),
    write: (work, options) => store.write(work, { ...options, flat: false }),
    close: () => store.close(),
  };
}
