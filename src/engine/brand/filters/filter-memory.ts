/** The memory of the WebAssembly filters: one instance a filter, to which tables are appended. */
import { type WasmMemory, type WasmModule, wasm } from "../../../core/wasm-runtime.ts";
import { namesWasm } from "./names-wasm.ts";

/** Maximum letters of a text: those of a host, each of which a skeleton can expand to as many as 18. */
export const maxTextLength = 253 * 18;
/** Addresses below are the code's own tables (assembly/names.ts). */
const dynamicMemoryAt = 57_344;
const pageBytes = 65_536;
const alignment = 16;

/** The exports of assembly/names.ts; addresses are in bytes. */
export interface NamesExports {
  setPatterns(
    transpositions: boolean,
    count: number,
    masks: number,
    lengths: number,
    limits: number,
    offsets: number,
    letters: number,
    stamps: number,
    found: number,
  ): void;
  setLinear(end: number, lengthStarts: number, widestLimit: number): void;
  setGroups(count: number, tables: number, states: number, first: number, classes: number): void;
  setIndex(
    bitmap: number,
    bitmapBits: number,
    slots: number,
    slotBits: number,
    entries: number,
    pieceLengths: number,
    probes: number,
    probeStarts: number,
    longestProbed: number,
  ): void;
  findWhole(start: number, end: number): number;
  findWithin(start: number, end: number): number;
  locate(pattern: number, start: number, end: number): number;
}

/** A running instance and its memory. */
export interface NamesWasm {
  readonly memory: WasmMemory;
  readonly exports: NamesExports;
  /** Address of the patterns that a search finds. */
  found: number;
  /** Allocates zeroed bytes and returns their address. */
  reserve(bytes: number): number;
  /** Copies a table into memory and returns its address. */
  write(table: Uint8Array | Uint16Array | Uint32Array | BigUint64Array): number;
}

let compiled: WasmModule | undefined;

/** Starts an instance that holds only the code's own tables. */
export function startNamesWasm(): NamesWasm {
  compiled ??= new wasm.Module(Buffer.from(namesWasm, "base64"));
  const memory = new wasm.Memory({ initial: 1 });
  const instance = new wasm.Instance(compiled, { env: { memory } });
  let top = dynamicMemoryAt;

  function reserve(bytes: number): number {
    const at = top;
    top = Math.ceil((at + bytes) / alignment) * alignment;
    const missing = top - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    return at;
  }

  return {
    memory,
    exports: instance.exports as unknown as NamesExports,
    found: 0,
    reserve,
    write(table) {
      const at = reserve(table.byteLength);
      const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
      new Uint8Array(memory.buffer).set(bytes, at);
      return at;
    },
  };
}
