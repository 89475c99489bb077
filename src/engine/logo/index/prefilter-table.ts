/**
 * Selects the entries of an index that are worth a full comparison: by the prefilter hashes and aspects of their
 * views, and by coarse thumbnails.
 */

import type { LogoDescriptor } from "../descriptor.ts";
import { coarseThumbnail, coarseThumbnailBytes } from "../features/copies.ts";
import { aspectUnits, coarseAspect, findCandidates } from "./candidates.ts";
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
    candidates(target) {
      const columns = {
        count: ids.length,
        hashes,
        aspectAt: aspects.at,
        firstRowOf: starts.at,
        solids,
        thumbnails: thumbnails.values(),
      };
      return [...findCandidates(columns, target)].flatMap((number) => ids[number] ?? []);
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
