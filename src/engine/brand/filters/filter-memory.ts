/**
 * The memory of the WebAssembly filters: one for all filters of a thread, because each memory reserves gigabytes of
 * address space. Filters keep their tables outside of it as blocks, which are copied into it when they are searched. When it
 * is full it is emptied, so that unused filters need no end.
 */

import { hexBytes } from "#bytes";
import { type WasmMemory, type WasmModule, wasm } from "../../../core/wasm-runtime.ts";
import { MemoryLimitError } from "../../../errors.ts";
import { alignment } from "./filter-tables.ts";
import { namesWasm } from "./names-wasm.ts";

/** Maximum letters of a text: those of a host, each of which a skeleton can expand to as many as 18. */
const maxTextLength = 253 * 18;
const nameBytes = 256;
const nameAt = Math.ceil(maxTextLength / 512) * 512;
/** Texts are written here: names as they are read, as classes and in ASCII, and texts of other channels. */
export const textAt = { name: nameAt, ascii: nameAt + nameBytes, channel: 0 } as const;
/** Addresses below are the code's own tables (assembly/names.ts). */
const blocksAt = 57_344;
const pageBytes = 65_536;
/** WebAssembly's maximum. */
const maxMemoryBytes = 2 ** 32 - pageBytes;

/** The exports of assembly/names.ts and prefilter.ts; addresses are in bytes. */
interface NamesExports {
  forget(): void;
  findWhole(block: number, start: number, end: number): number;
  findWithin(block: number, start: number, end: number): number;
  locate(block: number, pattern: number, start: number, end: number): number;
  findEntries(block: number, start: number, end: number): number;
}

/** The running instance, and views of its memory, which are others after each growth. */
interface NamesWasm {
  readonly memory: WasmMemory;
  readonly exports: NamesExports;
  /** Where names are written, and texts of other channels. */
  name: Uint8Array;
  ascii: Uint8Array;
  channel: Uint8Array;
  words: Uint32Array;
}

let running: NamesWasm | undefined;
/** The views of the instance that runs. @throws {MemoryLimitError} when no memory can be had */
export function namesMemory(): NamesWasm {
  running ??= start();
  return running;
}

function start(): NamesWasm {
  const memory = allocate(() => new wasm.Memory({ initial: 1 }));
  const module = compileModule();
  const exports = new wasm.Instance(module, { env: { memory } }).exports as unknown as NamesExports;
  return { memory, exports, ...viewsOf(memory) };
}

/** @throws {TypeError} where WebAssembly cannot be compiled; in workerd it can until the first request is handled */
function compileModule(): WasmModule {
  try {
    return new wasm.Module(hexBytes(namesWasm));
  } catch (cause) {
    throw new TypeError(
      "Names are searched by WebAssembly, which cannot be compiled here; a content security policy must allow `'wasm-unsafe-eval'`, and a worker in workerd must compile queries when it starts, outside of its handlers.",
      { cause },
    );
  }
}

function viewsOf({ buffer }: WasmMemory) {
  return {
    name: new Uint8Array(buffer, textAt.name, nameBytes),
    ascii: new Uint8Array(buffer, textAt.ascii, nameBytes),
    channel: new Uint8Array(buffer, textAt.channel, maxTextLength + 1),
    words: new Uint32Array(buffer),
  };
}

/** @throws {MemoryLimitError} */
function allocate<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    const limits = "`ulimit -v` (about 12 GB of address space are needed), or that of a container's memory";
    throw new MemoryLimitError(
      `The memory that names are searched in could not be allocated; raise the limit of this process: ${limits}.`,
      { cause },
    );
  }
}

/** Bytes of blocks that are kept, unless blocks come back so often that more is needed (`chosen`). */
const initialCapacity = 2 ** 26;

let capacity = initialCapacity;
/** Increases each time the memory is emptied. */
let generation = 1;
let top = blocksAt;
/** Bytes of the blocks that were in the memory before it was emptied last, and were copied again. */
let copiedAgain = 0;

/**
 * Returns a function that returns the address of a block, which it copies into the memory first if it is not there. The
 * address is valid until the function of another block is called.
 */
export function keepInMemory(bytes: Uint8Array): () => number {
  let loadedIn = -1;
  let at = 0;
  return () => {
    if (loadedIn === generation) return at;
    at = copyBlock(bytes, loadedIn === generation - 1);
    loadedIn = generation;
    return at;
  };
}

function copyBlock(bytes: Uint8Array, isBack: boolean): number {
  const names = namesMemory();
  if (top + bytes.length > blocksAt + capacity) emptyMemory(bytes.length);
  const end = top + bytes.length;
  const missing = end - names.memory.buffer.byteLength;
  if (missing > 0) grow(names, missing);
  const at = top;
  new Uint8Array(names.memory.buffer, at, bytes.length).set(bytes);
  top = Math.ceil(end / alignment) * alignment;
  if (isBack) copiedAgain += bytes.length;
  return at;
}

/** When half of the blocks came back after the memory was emptied last, they are all in use, and need more of it. */
function emptyMemory(needed: number): void {
  const max = maxMemoryBytes - blocksAt;
  if (needed > max) {
    const range = `at most ${max} bytes; found ${needed}`;
    throw new MemoryLimitError(
      `The search tables of the patterns must be ${range}. Compile fewer at a time.`,
    );
  }
  if (copiedAgain > capacity / 2) capacity = Math.min(2 * capacity, max);
  capacity = Math.max(capacity, needed);
  forgetBlocks();
}

/** Empties the memory; every block is copied again when it is used. */
export function forgetBlocks(): void {
  generation += 1;
  top = blocksAt;
  copiedAgain = 0;
  namesMemory().exports.forget();
}

/** Grows by an eighth at least, because the views are made again each time. */
function grow(names: NamesWasm, missing: number): void {
  const size = names.memory.buffer.byteLength;
  const pages = Math.ceil(Math.max(missing, Math.min(size / 8, maxMemoryBytes - size)) / pageBytes);
  allocate(() => names.memory.grow(pages));
  Object.assign(names, viewsOf(names.memory));
}
