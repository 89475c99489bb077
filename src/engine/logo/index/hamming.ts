/**
 * A table of 256-bit hashes and the search for those near a query, by brute force in WebAssembly.
 *
 * Brute force, because at a radius of 80 of 256 bits an index visits nearly everything (docs/decisions/0005).
 */

import { type WasmMemory, type WasmModule, wasm } from "../../../core/wasm-runtime.ts";
import { bitsOf, gateBytes } from "../features/prefilter-hash.ts";
import { hammingWasm } from "./hamming-wasm.ts";

/** Hashes by row number; rows are only ever appended, or all dropped. */
export interface HashTable {
  /** Number of rows. */
  readonly size: number;
  /** Bytes of memory held for hashes and scanning. */
  readonly bytes: number;
  /** Adds a hash of 32 bytes; its row number is the old size. */
  append(hash: Uint8Array): void;
  /** The hash of a row. */
  at(row: number): Uint8Array;
  /** Calls `visit`, which must not append, for each row within `limit` bits of a query, query by query inside blocks of rows. */
  scan(queries: readonly Uint8Array[], limit: number, visit: (row: number, query: number) => void): void;
}

/** Finds rows within `limit` bits among `count` hashes at byte `from`; writes row numbers, gives how many. */
export type Scan = (
  from: number,
  count: number,
  query: number,
  limit: bigint,
  first: number,
  out: number,
) => number;

/** Rows that are scanned for every query before the next rows are; 512 KiB, so that they stay in the cache. */
const blockRows = 16_384;
const pageBytes = 65_536;
const queryAt = 0;
const outAt = 64;
/** Where the hashes lie, in bytes. */
export const hashesAt = Math.ceil((outAt + (blockRows + 1) * 4) / pageBytes) * pageBytes;

let compiled: WasmModule | undefined;

/** The compiled scan over a memory. */
export function wasmScan(memory: WasmMemory): Scan {
  compiled ??= new wasm.Module(Buffer.from(hammingWasm, "base64"));
  return new wasm.Instance(compiled, { env: { memory } }).exports["scan"] as Scan;
}

/** The same in JavaScript: what the WebAssembly is held equal to. */
export function scanPlain(memory: WasmMemory): Scan {
  return (from, count, query, limit, first, out) => {
    const words = new Uint32Array(memory.buffer);
    let found = 0;
    for (let row = 0; row < count; row++) {
      let bits = 0;
      for (let w = 0; w < 8; w++)
        bits += bitsOf(words[(from >> 2) + row * 8 + w]! ^ words[(query >> 2) + w]!);
      if (bits <= Number(limit)) words[(out >> 2) + found++] = first + row;
    }
    return found;
  };
}

/** Makes an empty table; `makeScan` is for tests and measurements. */
export function createHashTable(makeScan: (memory: WasmMemory) => Scan = wasmScan): HashTable {
  const memory = new wasm.Memory({ initial: hashesAt / pageBytes + 1 });
  const scan = makeScan(memory);
  let size = 0;
  const rowAt = (row: number) => hashesAt + row * gateBytes;

  return {
    get size() {
      return size;
    },
    get bytes() {
      return memory.buffer.byteLength;
    },
    append(hash) {
      if (hash.length !== gateBytes)
        throw new RangeError(`A gate hash has ${gateBytes} bytes, not ${hash.length}.`);
      reserve(memory, rowAt(size + 1));
      new Uint8Array(memory.buffer).set(hash, rowAt(size));
      size++;
    },
    at(row) {
      return new Uint8Array(memory.buffer, rowAt(row), gateBytes).slice();
    },
    scan(queries, limit, visit) {
      const bytes = new Uint8Array(memory.buffer);
      const rows = new Uint32Array(memory.buffer, outAt, blockRows);
      const bits = BigInt(limit);
      for (let first = 0; first < size; first += blockRows) {
        const count = Math.min(blockRows, size - first);
        for (let q = 0; q < queries.length; q++) {
          bytes.set(queries[q]!, queryAt);
          const found = scan(rowAt(first), count, queryAt, bits, first, outAt);
          for (let n = 0; n < found; n++) visit(rows[n]!, q);
        }
      }
    },
  };
}

/** Grows a memory by an eighth at least, so that appending stays cheap. */
function reserve(memory: WasmMemory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
  if (missing <= 0) return;
  memory.grow(Math.max(missing, memory.buffer.byteLength >> 19));
}
