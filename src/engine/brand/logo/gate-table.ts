/** Which entries of an index are worth a full comparison: gate hashes and aspects of their views, by row. */

import type { LogoDescriptor } from "./descriptor.ts";
import { createHashTable, type HashTable } from "./hamming.ts";
import { aspectOctaves, gateBits } from "./tuning.ts";

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
      numbers.set(id, rows.append(id, gatesOf(descriptor), descriptor.solid));
    },
    remove: drop,
    candidates: (sought) => (sought.solid ? rows.solids() : rows.near(gatesOf(sought))),
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

interface Rows {
  readonly hashes: HashTable;
  readonly bytes: number;
  /** Rows of dropped entries. */
  readonly dead: number;
  append(id: LogoId, gates: readonly Gate[], solid: boolean): number;
  drop(number: number): void;
  near(gates: readonly Gate[]): readonly LogoId[];
  solids(): readonly LogoId[];
  entry(number: number): { readonly gates: readonly Gate[]; readonly solid: boolean };
}

function gatesOf({ views }: LogoDescriptor): readonly Gate[] {
  return views;
}

function createRows(): Rows {
  const hashes = createHashTable();
  /** Id by entry number; undefined when dropped. */
  const ids: (LogoId | undefined)[] = [];
  /** First row by entry number. */
  const starts = createNumbers((n) => new Uint32Array(n));
  const aspects = createNumbers((n) => new Int8Array(n));
  const solid = new Set<number>();
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
  const endOf = (number: number) => (number + 1 < ids.length ? starts.at(number + 1) : hashes.size);

  return {
    hashes,
    get bytes() {
      return hashes.bytes + starts.bytes + aspects.bytes;
    },
    get dead() {
      return dead;
    },
    append(id, gates, isSolid) {
      const number = ids.push(id) - 1;
      starts.push(hashes.size);
      if (isSolid) solid.add(number);
      for (const { gate, aspect } of gates) {
        hashes.append(gate);
        aspects.push(coarseAspect(aspect));
      }
      return number;
    },
    drop(number) {
      ids[number] = undefined;
      solid.delete(number);
      dead += endOf(number) - starts.at(number) + 1;
    },
    near(gates) {
      const found = new Set<number>();
      const queries = gates.map(({ gate }) => gate);
      const coarse = gates.map(({ aspect }) => coarseAspect(aspect));
      hashes.scan(queries, gateBits, (row, query) => {
        if (Math.abs(aspects.at(row) - coarse[query]!) <= aspectReach) found.add(ownerOf(row));
      });
      return [...found].flatMap((number) => ids[number] ?? []);
    },
    solids: () => [...solid].flatMap((number) => ids[number] ?? []),
    entry(number) {
      const from = starts.at(number);
      const gates = Array.from({ length: endOf(number) - from }, (_, i) => ({
        gate: hashes.at(from + i),
        aspect: aspects.at(from + i) / aspectUnits,
      }));
      return { gates, solid: solid.has(number) };
    },
  };
}

/** Moves what is alive to new rows, and renumbers the entries. */
function compact(old: Rows, numbers: Map<LogoId, number>): Rows {
  const rows = createRows();
  for (const [id, number] of numbers) {
    const { gates, solid } = old.entry(number);
    numbers.set(id, rows.append(id, gates, solid));
  }
  return rows;
}

/** A typed array that grows. */
function createNumbers<A extends Uint32Array | Int8Array>(make: (length: number) => A) {
  let values = make(1024);
  let length = 0;
  return {
    get bytes() {
      return values.byteLength;
    },
    at: (i: number): number => values[i]!,
    push(value: number): void {
      if (length === values.length) {
        const wider = make(length + (length >> 1));
        wider.set(values);
        values = wider;
      }
      values[length++] = value;
    },
  };
}
