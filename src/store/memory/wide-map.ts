/**
 * A map by strings that grows in parts (linear hashing): a JavaScript map of half a million entries takes a tenth of a
 * second to grow, in which nothing else runs.
 */

export interface WideMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): void;
  /** Returns false when the key has no value. */
  delete(key: string): boolean;
  /** The values in no order, by parts of about a hundred. */
  parts(): Iterable<readonly V[]>;
}

/**
 * Mean number of entries of a part, above which the next part is divided: some microseconds, as a hundred maps that grow
 * together are divided in the same turn. `chosen`
 */
const meanEntries = 64;

/** Creates an empty map. */
export function createWideMap<V>(): WideMap<V> {
  const parts = [new Map<string, V>()];
  let size = 0;
  /** A power of two: the number of parts before the divisions of this round. */
  let round = 1;
  /** The part that is divided next; those before it have a second one, `round` places later. */
  let next = 0;

  function partOf(key: string): Map<string, V> {
    if (parts.length === 1) return parts[0]!;
    const hash = hashOf(key);
    const place = hash & (round - 1);
    return parts[place < next ? hash & (2 * round - 1) : place]!;
  }

  function divideNext(): void {
    const [first, second] = [new Map<string, V>(), new Map<string, V>()];
    for (const [key, value] of parts[next]!) ((hashOf(key) & round) === 0 ? first : second).set(key, value);
    parts[next] = first;
    parts.push(second);
    next++;
    if (next < round) return;
    round *= 2;
    next = 0;
  }

  return {
    get size() {
      return size;
    },
    get: (key) => partOf(key).get(key),
    has: (key) => partOf(key).has(key),
    set: (key, value) => {
      const part = partOf(key);
      size -= part.size;
      part.set(key, value);
      size += part.size;
      if (size > parts.length * meanEntries) divideNext();
    },
    delete: (key) => {
      const isDeleted = partOf(key).delete(key);
      if (isDeleted) size--;
      return isDeleted;
    },
    *parts() {
      for (const part of parts) yield [...part.values()];
    },
  };
}

/** FNV-1a over UTF-16 units, mixed so that all bits depend on all units (the end of MurmurHash3). */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
