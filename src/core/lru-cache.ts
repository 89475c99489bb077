/** A cache that evicts the least recently used entries. */

/** A map with a maximum cost. */
export interface LruCache<V> {
  /** The value of a key; reading counts as use. */
  get(key: string): V | undefined;
  /** Stores a value; evicts others while the sum of all costs is above the maximum. */
  set(key: string, value: V): void;
  delete(key: string): void;
  /** Number of entries. */
  readonly size: number;
}

/**
 * @param maxCost the sum of the costs of all entries never exceeds it; an entry that alone costs more is not kept
 * @param costOf cost of one entry, at least 0; 1 by default, so that `maxCost` is the number of entries
 */
export function createLruCache<V>(maxCost: number, costOf: (value: V) => number = () => 1): LruCache<V> {
  // A map iterates in the order of insertion, so the entry that was not used for the longest time is first.
  const entries = new Map<string, V>();
  let cost = 0;

  function remove(key: string): void {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    cost -= costOf(value);
  }

  function evict(): void {
    for (const key of entries.keys()) {
      if (cost <= maxCost) return;
      remove(key);
    }
  }

  return {
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) {
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    set: (key, value) => {
      remove(key);
      const own = costOf(value);
      if (own > maxCost) return;
      entries.set(key, value);
      cost += own;
      evict();
    },
    delete: remove,
    get size() {
      return entries.size;
    },
  };
}
