/**
 * A map by strings that grows in parts: a JavaScript map with half a million entries takes a tenth of a second to grow,
 * in which nothing else runs.
 */

export interface WideMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): void;
  /** Returns false when the key has no value. */
  delete(key: string): boolean;
  /** The values in no order, by parts of some thousands. */
  parts(): Iterable<readonly V[]>;
}

/** Maximum number of entries of a part: moving them takes some milliseconds. `chosen` */
const maxEntries = 16_384;
/** A part that is full is divided by these bits of the hashes of its keys. */
const bitsOfLevel = 5;
const children = 1 << bitsOfLevel;
/** Keys of equal hashes stay in one part, of any size. */
const maxLevels = 6;

type Part<V> = Map<string, V> | readonly Part<V>[];

/** Creates an empty map. */
export function createWideMap<V>(): WideMap<V> {
  let root: Part<V> = new Map();
  let size = 0;

  function partOf(key: string): Map<string, V> {
    if (root instanceof Map) return root;
    let part: Part<V> = root;
    for (let bits = hashOf(key); !(part instanceof Map); bits >>>= bitsOfLevel)
      part = part[bits & (children - 1)] as Part<V>;
    return part;
  }

  return {
    get size() {
      return size;
    },
    get: (key) => partOf(key).get(key),
    has: (key) => partOf(key).has(key),
    set: (key, value) => {
      let part = partOf(key);
      if (part.size >= maxEntries && !part.has(key)) {
        root = divided(root, key, 0);
        part = partOf(key);
      }
      size -= part.size;
      part.set(key, value);
      size += part.size;
    },
    delete: (key) => {
      const isDeleted = partOf(key).delete(key);
      if (isDeleted) size--;
      return isDeleted;
    },
    parts: () => partsOf(root),
  };
}

/** A part whose map with a key is divided, unless its keys have no further bits. */
function divided<V>(part: Part<V>, key: string, level: number): Part<V> {
  if (level === maxLevels) return part;
  if (!(part instanceof Map)) {
    const at = childOf(key, level);
    return part.map((child, i) => (i === at ? divided(child, key, level + 1) : child));
  }
  const parts = Array.from({ length: children }, () => new Map<string, V>());
  for (const [each, value] of part) parts[childOf(each, level)]?.set(each, value);
  return parts;
}

function childOf(key: string, level: number): number {
  return (hashOf(key) >>> (level * bitsOfLevel)) & (children - 1);
}

function* partsOf<V>(part: Part<V>): Generator<readonly V[], void, undefined> {
  if (part instanceof Map) yield [...part.values()];
  else for (const child of part) yield* partsOf(child);
}

/** FNV-1a over UTF-16 units, mixed so that all bits depend on all units (the end of MurmurHash3). */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
