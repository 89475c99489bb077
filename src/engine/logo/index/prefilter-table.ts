/** Which entries of an index are worth a full comparison: by gates and aspects of their views, by coarse thumbnails. */

import type { LogoDescriptor } from "../descriptor.ts";
import { coarseBytes, coarseLimit, coarseThumb } from "../features/copies.ts";
import { aspectOctaves, gateBits } from "../tuning.ts";
import { createHashTable, type HashTable } from "./hamming.ts";

/** Names an entry. */
export type LogoId = string | number;

/** The gates of many entries. */
export interface GateTable {
  readonly size: number;
  readonly bytes: number;
  has(id: LogoId): boolean;
  /** Adds an entry, in place of one with the same id. */
  add(id: LogoId, descriptor: LogoDescriptor): void;
  remove(id: LogoId): boolean;
  ids(): readonly LogoId[];
  /** Entries that a comparison can give more than 0. */
  candidates(sought: LogoDescriptor): readonly LogoId[];
}

/** Rows and entries are compacted when this many rows are dead, and more than are alive. */
const compactAtRows = 4096;

export function createGateTable(): GateTable {
  /** Entry number by id; numbers stay until the table is compacted. */
  const numbers = new Map<LogoId, number>();
  let rows = createRows();

  function drop(id: LogoId): boolean {
    const number = numbers.get(id);
    if (number === undefined) return false;
    numbers.delete(id);
    rows.drop(number);
    if (rows.dead > compactAtRows && rows.dead > rows.hashes.size / 2) rows = compact(rows, numbers);
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
      drop(id);
      numbers.set(id, rows.append(id, entryOf(descriptor)));
    },
    remove: drop,
    candidates: (sought) => rows.candidates(sought),
  };
}

/** Aspects are kept in one byte: this many units an octave, and a reach that forgives the rounding. */
const aspectUnits = 15;
const aspectReach = aspectOctaves * aspectUnits + 1;

function coarseAspect(octaves: number): number {
  return Math.max(-127, Math.min(127, Math.round(octaves * aspectUnits)));
}

/** What a row keeps of a view. */
interface Gate {
  readonly gate: Uint8Array;
  readonly aspect: number;
}

/** What rows keep of a picture. */
interface Entry {
  readonly gates: readonly Gate[];
  readonly solid: boolean;
  readonly coarse: Uint8Array;
}

function entryOf({ views, solid, thumb }: LogoDescriptor): Entry {
  return { gates: views, solid, coarse: coarseThumb(thumb) };
}

interface Rows {
  readonly hashes: HashTable;
  readonly bytes: number;
  /** Rows of dropped entries. */
  readonly dead: number;
  append(id: LogoId, entry: Entry): number;
  drop(number: number): void;
  candidates(sought: LogoDescriptor): readonly LogoId[];
  entry(number: number): Entry;
}

function createRows(): Rows {
  const hashes = createHashTable();
  /** Id by entry number; undefined when dropped. */
  const ids: (LogoId | undefined)[] = [];
  /** First row by entry number. */
  const starts = createNumbers((n) => new Uint32Array(n));
  const aspects = createNumbers((n) => new Int8Array(n));
  const solids = new Set<number>();
  /** Coarse thumbnails by entry number. */
  const coarse = createNumbers((n) => new Uint8Array(n));
  let dead = 0;
  /** The last entry that starts at or before a row, by bisection: entries without views start where the next one does. */
  const ownerOf = (row: number) => {
    let first = 0;
    let last = ids.length - 1;
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      if (starts.at(middle) <= row) first = middle;
      else last = middle - 1;
    }
    return first;
  };
  /** Adds the entries that may be copies of a picture by their coarse thumbnails. */
  const addCopies = (found: Set<number>, thumb: Uint8Array) => {
    const sought = coarseThumb(thumb);
    const limit = coarseLimit(thumb);
    if (limit === undefined) return;
    const levels = coarse.values();
    for (let number = 0, at = 0; number < ids.length; number++, at += coarseBytes) {
      if (isWithin(levels, at, sought, limit)) found.add(number);
    }
  };
  const endOf = (number: number) => (number + 1 < ids.length ? starts.at(number + 1) : hashes.size);

  return {
    hashes,
    get bytes() {
      return hashes.bytes + starts.bytes + aspects.bytes + coarse.bytes;
    },
    get dead() {
      return dead;
    },
    append(id, { gates, solid, coarse: levels }) {
      const number = ids.push(id) - 1;
      starts.push(hashes.size);
      if (solid) solids.add(number);
      for (const level of levels) coarse.push(level);
      for (const { gate, aspect } of gates) {
        hashes.append(gate);
        aspects.push(coarseAspect(aspect));
      }
      return number;
    },
    drop(number) {
      ids[number] = undefined;
      solids.delete(number);
      dead += endOf(number) - starts.at(number) + 1;
    },
    candidates({ views, solid, thumb }) {
      const found = new Set(solid ? solids : []);
      const queries = views.map(({ gate }) => gate);
      const sought = views.map(({ aspect }) => coarseAspect(aspect));
      hashes.scan(queries, gateBits, (row, query) => {
        if (Math.abs(aspects.at(row) - sought[query]!) <= aspectReach) found.add(ownerOf(row));
      });
      addCopies(found, thumb);
      return [...found].flatMap((number) => ids[number] ?? []);
    },
    entry(number) {
      const from = starts.at(number);
      const gates = Array.from({ length: endOf(number) - from }, (_, i) => ({
        gate: hashes.at(from + i),
        aspect: aspects.at(from + i) / aspectUnits,
      }));
      const levels = Uint8Array.from({ length: coarseBytes }, (_, i) => coarse.at(number * coarseBytes + i));
      return { gates, solid: solids.has(number), coarse: levels };
    },
  };
}

/** Whether the squared differences between two coarse thumbnails, one of many, add up to no more than a limit. */
function isWithin(levels: ArrayLike<number>, at: number, sought: Uint8Array, limit: number): boolean {
  let sum = 0;
  for (let i = 0; i < coarseBytes && sum <= limit; i++) {
    const difference = levels[at + i]! - sought[i]!;
    sum += difference * difference;
  }
  return sum <= limit;
}

/** Moves what is alive to new rows, and renumbers the entries. */
function compact(old: Rows, numbers: Map<LogoId, number>): Rows {
  const rows = createRows();
  for (const [id, number] of numbers) {
    numbers.set(id, rows.append(id, old.entry(number)));
  }
  return rows;
}

/** A typed array that grows by an eighth. */
function createNumbers<A extends Uint32Array | Int8Array | Uint8Array>(make: (length: number) => A) {
  let values = make(1024);
  let length = 0;
  return {
    get bytes() {
      return values.byteLength;
    },
    at: (i: number): number => values[i]!,
    /** All values, and room behind them; until the next one is pushed. */
    values: () => values,
    push(value: number): void {
      if (length === values.length) {
        const wider = make(length + (length >> 3));
        wider.set(values);
        values = wider;
      }
      values[length++] = value;
    },
  };
}
