/** Values that are derived from a revision of something stored, kept for the keys that were used most recently. */
import { createLruCache } from "./lru-cache.ts";

/** Names a state: another state has another revision. */
export type Revision = number | string;

/** A derived value, and the revision that it was derived from. */
export interface Revised<V> {
  readonly revision: Revision;
  readonly value: V;
}

export interface RevisionCache<V> {
  /**
   * The value of `key` at `revision`; derived again when another revision is kept, or none.
   *
   * @param derive reads the source; it may return a later revision than the one that was asked for
   */
  get(key: string, revision: Revision, derive: () => Promise<Revised<V>>): Promise<V>;
}

/** @param maxEntries number of keys to keep, at least 1 */
export function createRevisionCache<V>(maxEntries: number): RevisionCache<V> {
  const kept = createLruCache<Revised<V>>(maxEntries);
  return {
    get: async (key, revision, derive) => {
      const found = kept.get(key);
      if (found?.revision === revision) return found.value;
      const derived = await derive();
      kept.set(key, derived);
      return derived.value;
    },
  };
}
