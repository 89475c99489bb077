/**
 * A table of 256-bit hashes and the search for those near a query, by brute force in WebAssembly.
 *
 * Brute force, because an index visits nearly everything at a radius of 80 of 256 bits (docs/decisions/0005).
 */

import { type WasmMemory, type WasmModule, wasm } from "../../../core/wasm-runtime.ts";
import { popcount, prefilterHashBytes } from "../features/prefilter-hash.ts";
import { hammingWasm } from "./hamming-wasm.ts";

/** Hashes by row number; rows are only ever appended. */
export interface HashTable {
  /** Number of rows. */
  readonly size: number;
  /** Bytes of memory held for hashes and scanning. */
  readonly bytes: number;
  /** Adds a hash of 32 bytes; its row number is the size before. */
  append(hash: Uint8Array): void;
  /** Replaces all rows. @param hashes 32 bytes a row */
  load(hashes: Uint8Array): void;
  /** The hash of a row. */
  at(row: number): Uint8Array;
  /** Calls `visit` for each row within `limit` bits of a query, query by query in blocks of rows; `visit` must not append. */
  scan(queries: readonly Uint8Array[], limit: number, visit: (row: number, query: number) => void): void;
}

/**
 * Finds the hashes within `limit` bits of a query among `count` hashes at byte `from`, which has row number `first`.
 * Writes their row numbers to byte `out` and returns how many there are.
 */
export type Scan = (
  from: number,
  count: number,
  query: number,
  limit: bigint,
  first: number,
  out: number,
) => number;

/** Rows that are scanned for every query before the next rows: 512 KiB, so that they stay in the cache. */
const blockRows = 16_384;
const pageBytes = 65_536;
const queryAt = 0;
const outAt = 64;
/** Byte offset of the hashes in the memory. */
export const hashesAt = Math.ceil((outAt + (blockRows + 1) * 4) / pageBytes) * pageBytes;

let compiled: WasmModule | undefined;

/** The WebAssembly scan over a memory. */
export function wasmScan(memory: WasmMemory): Scan {
  compiled ??= new wasm.Module(Buffer.from(hammingWasm, "hex"));
  return new wasm.Instance(compiled, { env: { memory } }).exports["scan"] as Scan;
}

/** The same scan in JavaScript; the tests compare the WebAssembly with it. */
export function plainScan(memory: WasmMemory): Scan {
  return (from, count, query, limit, first, out) => {
    const words = new Uint32Array(memory.buffer);
    let found = 0;
    for (let row = 0; row < count; row++) {
      const hash = (from >> 2) + row * 8;
      let bits = 0;
      for (let w = 0; w < 8; w++) bits += popcount((words[hash + w] ?? 0) ^ (words[(query >> 2) + w] ?? 0));
      if (bits <= Number(limit)) words[(out >> 2) + found++] = first + row;
    }
    return found;
  };
}

/** Creates an empty table; `makeScan` is for tests and measurements. */
export function createHashTable(makeScan: (memory: WasmMemory) => Scan = wasmScan): HashTable {
  const memory = new wasm.Memory({ initial: hashesAt / pageBytes + 1 });
  const scan = makeScan(memory);
  let size = 0;
  const rowAt = (row: number) => hashesAt + row * prefilterHashBytes;

  return {
    get size() {
      return size;
    },
    get bytes() {
      return memory.buffer.byteLength;
    },
    append(hash) {
      if (hash.length !== prefilterHashBytes)
        throw new RangeError(`A prefilter hash must have ${prefilterHashBytes} bytes; found ${hash.length}.`);
      reserve(memory, rowAt(size + 1));
      new Uint8Array(memory.buffer).set(hash, rowAt(size));
      size++;
    },
    load(hashes) {
      size = hashes.length / prefilterHashBytes;
      reserve(memory, rowAt(size));
      new Uint8Array(memory.buffer).set(hashes, hashesAt);
    },
    at(row) {
      return new Uint8Array(memory.buffer, rowAt(row), prefilterHashBytes).slice();
    },
    scan(queries, limit, visit) {
      const bytes = new Uint8Array(memory.buffer);
      const rows = new Uint32Array(memory.buffer, outAt, blockRows);
      const bits = BigInt(limit);
      for (let first = 0; first < size; first += blockRows) {
        const count = Math.min(blockRows, size - first);
        for (const [q, query] of queries.entries()) {
          bytes.set(query, queryAt);
          const found = scan(rowAt(first), count, queryAt, bits, first, outAt);
          for (let n = 0; n < found; n++) visit(rows[n] ?? 0, q);
        }
      }
    },
  };
}

/** Grows a memory by at least an eighth, so that appending stays cheap. */
function reserve(memory: WasmMemory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
  if (missing <= 0) return;
  memory.grow(Math.max(missing, memory.buffer.byteLength >> 19));
}
