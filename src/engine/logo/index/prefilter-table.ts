/**
 * Selects the entries of an index that are worth a full comparison: by the prefilter hashes and aspects of their
 * views, and by coarse thumbnails.
 */

import type { LogoDescriptor } from "../descriptor.ts";
import { coarseLimit, coarseThumbnail, coarseThumbnailBytes } from "../features/copies.ts";
import { maxAspectOctaves, maxPrefilterDistance } from "../tuning.ts";
import { createHashTable } from "./hamming.ts";

/** Identifies an entry of an index. */
export type LogoId = string | number;

/** The prefilter data of many entries. */
export interface PrefilterTable {
  /** Number of entries. */
  readonly size: number;
  /** Bytes of memory in use. */
  readonly bytes: number;
  has(id: LogoId): boolean;
  /** Adds an entry; replaces one with the same id. */
  add(id: LogoId, descriptor: LogoDescriptor): void;
  /** Removes an entry; false when there was none. */
  remove(id: LogoId): boolean;
  ids(): readonly LogoId[];
  /** Every entry whose comparison with the target may score above 0. */
  candidates(target: LogoDescriptor): readonly LogoId[];
}

/** Rows and entries are compacted when more than this many rows, and more than half of them, are removed. */
const compactAtRows = 4096;

/** Creates an empty table. */
export function createPrefilterTable(): PrefilterTable {
  /** Entry number by id; numbers change only when the table is compacted. */
  const numbers = new Map<LogoId, number>();
  let rows = createRows();

  function remove(id: LogoId): boolean {
    const number = numbers.get(id);
    if (number === undefined) return false;
    numbers.delete(id);
    rows.remove(number);
    if (rows.removed > compactAtRows && rows.removed > rows.size / 2) rows = compact(rows, numbers);
    return true;
  }

  return {
    get size() {
      return numbers.size;
    },
    get bytes() {
      return rows.bytes;
    },
    has: (id) => numbers.has(id),
    ids: () => [...numbers.keys()],
    add(id, descriptor) {
      remove(id);
      numbers.set(id, rows.append(id, entryOf(descriptor)));
    },
    remove,
    candidates: (target) => rows.candidates(target),
  };
}

/** An aspect is stored in one byte, in this many units an octave; the limit allows for the rounding. */
const aspectUnits = 15;
const maxAspectUnits = maxAspectOctaves * aspectUnits + 1;

function coarseAspect(octaves: number): number {
  return Math.max(-127, Math.min(127, Math.round(octaves * aspectUnits)));
}

/** The data of one view. */
interface PrefilterRow {
  readonly prefilterHash: Uint8Array;
  readonly aspect: number;
}

/** The data of one picture. */
interface PrefilterEntry {
  readonly views: readonly PrefilterRow[];
  readonly solid: boolean;
  readonly thumbnail: Uint8Array;
}

function entryOf({ views, solid, thumbnail }: LogoDescriptor): PrefilterEntry {
  return { views, solid, thumbnail: coarseThumbnail(thumbnail) };
}

interface PrefilterRows {
  /** Number of rows, removed ones too. */
  readonly size: number;
  readonly bytes: number;
  /** Number of rows of removed entries. */
  readonly removed: number;
  /** Adds an entry; returns its number. */
  append(id: LogoId, entry: PrefilterEntry): number;
  remove(number: number): void;
  candidates(target: LogoDescriptor): readonly LogoId[];
  entry(number: number): PrefilterEntry;
}

function createRows(): PrefilterRows {
  const hashes = createHashTable();
  /** Id by entry number; undefined for a removed entry. */
  const ids: (LogoId | undefined)[] = [];
  /** First row by entry number. */
  const starts = createGrowableArray((n) => new Uint32Array(n));
  const aspects = createGrowableArray((n) => new Int8Array(n));
  const solids = new Set<number>();
  /** Coarse thumbnails by entry number. */
  const thumbnails = createGrowableArray((n) => new Uint8Array(n));
  let removed = 0;
  const endOf = (number: number) => (number + 1 < ids.length ? starts.at(number + 1) : hashes.size);

  return {
    get size() {
      return hashes.size;
    },
    get bytes() {
      return hashes.bytes + starts.bytes + aspects.bytes + thumbnails.bytes;
    },
    get removed() {
      return removed;
    },
    append(id, { views, solid, thumbnail }) {
      const number = ids.push(id) - 1;
      starts.push(hashes.size);
      if (solid) solids.add(number);
      for (const level of thumbnail) thumbnails.push(level);
      for (const { prefilterHash, aspect } of views) {
        hashes.append(prefilterHash);
        aspects.push(coarseAspect(aspect));
      }
      return number;
    },
    remove(number) {
      ids[number] = undefined;
      solids.delete(number);
      removed += endOf(number) - starts.at(number) + 1;
    },
    candidates({ views, solid, thumbnail }) {
      const found = new Set(solid ? solids : []);
      const targetAspects = Int8Array.from(views, ({ aspect }) => coarseAspect(aspect));
      const queries = views.map(({ prefilterHash }) => prefilterHash);
      hashes.scan(queries, maxPrefilterDistance, (row, query) => {
        if (Math.abs(aspects.at(row) - (targetAspects[query] ?? 0)) > maxAspectUnits) return;
        found.add(lastAtOrBelow(row, starts.at, ids.length));
      });
      addPossibleCopies(found, thumbnails.values(), ids.length, thumbnail);
      return [...found].flatMap((number) => ids[number] ?? []);
    },
    entry(number) {
      const from = starts.at(number);
      const views = Array.from({ length: endOf(number) - from }, (_, i) => ({
        prefilterHash: hashes.at(from + i),
        aspect: aspects.at(from + i) / aspectUnits,
      }));
      const at = number * coarseThumbnailBytes;
      const thumbnail = Uint8Array.from({ length: coarseThumbnailBytes }, (_, i) => thumbnails.at(at + i));
      return { views, solid: solids.has(number), thumbnail };
    },
  };
}

/** The last of `count` ascending values that is at most a row, by bisection. Entries without views repeat a value. */
function lastAtOrBelow(row: number, valueAt: (i: number) => number, count: number): number {
  let first = 0;
  let last = count - 1;
  while (first < last) {
    const middle = (first + last + 1) >> 1;
    if (valueAt(middle) <= row) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** Adds the numbers of the entries whose coarse thumbnails allow that they are copies of a picture. */
function addPossibleCopies(
  found: Set<number>,
  thumbnails: ArrayLike<number>,
  count: number,
  thumbnail: Uint8Array,
): void {
  const target = coarseThumbnail(thumbnail);
  const limit = coarseLimit(thumbnail);
  if (limit === undefined) return;
  for (let number = 0, at = 0; number < count; number++, at += coarseThumbnailBytes) {
    if (isWithin(thumbnails, at, target, limit)) found.add(number);
  }
}

/** Whether the squared differences between the coarse thumbnail at an offset and a target add up to at most a limit. */
function isWithin(thumbnails: ArrayLike<number>, at: number, target: Uint8Array, limit: number): boolean {
  let sum = 0;
  for (let i = 0; i < coarseThumbnailBytes && sum <= limit; i++) {
    const difference = (thumbnails[at + i] ?? 0) - (target[i] ?? 0);
    sum += difference * difference;
  }
  return sum <= limit;
}

/** Copies the remaining entries to new rows and renumbers them. */
function compact(old: PrefilterRows, numbers: Map<LogoId, number>): PrefilterRows {
  const rows = createRows();
  for (const [id, number] of numbers) {
    numbers.set(id, rows.append(id, old.entry(number)));
  }
  return rows;
}

/** A typed array that grows by an eighth. */
function createGrowableArray<A extends Uint32Array | Int8Array | Uint8Array>(make: (length: number) => A) {
  let values = make(1024);
  let length = 0;
  return {
    get bytes() {
      return values.byteLength;
    },
    at: (i: number): number => values[i] ?? 0,
    /** The array with all values and unused room after them; valid until the next push. */
    values: () => values,
    push(value: number): void {
      if (length === values.length) {
        const larger = make(length + (length >> 3));
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
  };
}
