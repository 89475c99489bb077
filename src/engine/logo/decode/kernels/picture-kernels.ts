/** The WebAssembly kernels of decoding pictures, where the runtime has SIMD; callers have the same in TypeScript. */

import { type WasmMemory, type WasmModule, wasm } from "../../../../core/wasm-runtime.ts";
import { picturesWasm } from "./pictures-wasm.ts";

/** Functions on a linear memory; numbers are byte addresses, strides and counts. `assembly/pictures.ts` describes each. */
export interface PictureKernels {
  opaqueColors(from: number, count: number, to: number): number;
  halveColors(upper: number, lower: number, count: number, to: number): void;
  averageRow(pixels: number, first: number, start: number, weights: number, cells: number, to: number): void;
  averageFloats(row: number, first: number, start: number, weights: number, cells: number, to: number): void;
  writeFloats(sums: number, count: number, to: number): void;
  addRow(sums: number, row: number, weight: number, cells: number): void;
  writeRow(sums: number, cells: number, to: number): void;
}

const pageBytes = 65_536;

/** Kernels and the memory that they work on. */
interface OwnKernels {
  readonly memory: WasmMemory;
  readonly kernels: PictureKernels;
}

let shared: OwnKernels | "unsupported" | undefined;

/** The kernels and a memory of at least so many bytes, whose contents are only kept until the next call. */
export function pictureKernels(
  bytes: number,
): { readonly buffer: ArrayBuffer; readonly kernels: PictureKernels } | undefined {
  shared ??= load(32);
  if (shared === "unsupported") return undefined;
  const { memory, kernels } = shared;
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
  if (missing > 0) memory.grow(missing);
  return { buffer: memory.buffer, kernels };
}

/** Kernels with a memory of at least so many bytes that no other caller has, all 0. */
export function ownPictureKernels(
  bytes: number,
): { readonly buffer: ArrayBuffer; readonly kernels: PictureKernels } | undefined {
  const own = load(Math.ceil(bytes / pageBytes));
  return own === "unsupported" ? undefined : { buffer: own.memory.buffer, kernels: own.kernels };
}

let compiled: WasmModule | undefined;

function load(pages: number): OwnKernels | "unsupported" {
  try {
    compiled ??= new wasm.Module(Buffer.from(picturesWasm, "hex"));
    const memory = new wasm.Memory({ initial: pages });
    const { exports } = new wasm.Instance(compiled, { env: { memory } });
    return { memory, kernels: exports as unknown as PictureKernels };
  } catch {
    return "unsupported";
  }
}
