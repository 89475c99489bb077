/** The WebAssembly kernels of describing pictures, where the runtime has SIMD; callers have the same in TypeScript. */

import { type WasmMemory, type WasmModule, wasm } from "../../../../core/wasm-runtime.ts";
import { viewsWasm } from "./views-wasm.ts";

/** Functions on a linear memory; numbers are byte addresses, strides and counts. `assembly/views.ts` describes each. */
export interface ViewKernels {
  rotateRow(
    picture: number,
    stride: number,
    across: number,
    acrossY: number,
    x: number,
    y: number,
    offsetX: number,
    offsetY: number,
    count: number,
    to: number,
  ): void;
  measure(from: number, count: number, color: number, floor: number, to: number, histogram: number): void;
  measureSloped(
    from: number,
    count: number,
    x: number,
    y: number,
    plane: number,
    floor: number,
    to: number,
    histogram: number,
  ): void;
  opaqueColors(from: number, count: number, to: number): number;
  halveColors(upper: number, lower: number, count: number, to: number): void;
  threshold(
    at: number,
    stride: number,
    width: number,
    rows: number,
    level: number,
    rowCounts: number,
    columns: number,
    tally: number,
  ): void;
  averageRow(pixels: number, first: number, start: number, weights: number, cells: number, to: number): void;
  averageFloats(row: number, first: number, start: number, weights: number, cells: number, to: number): void;
  writeFloats(sums: number, count: number, to: number): void;
  addRow(sums: number, row: number, weight: number, cells: number): void;
  resampleColors(
    pixels: number,
    stride: number,
    firstRow: number,
    lastRow: number,
    across: number,
    acrossSize: number,
    down: number,
    downSize: number,
    cells: number,
    row: number,
    to: number,
  ): void;
  nearShapes(view: number, shapes: number, stride: number, count: number, max: number, to: number): void;
  ringDeviations(ring: number, count: number, plane: number, to: number): void;
  acceptDeviations(deviations: number, count: number, limit: number, accepted: number): number;
  acceptRing(ring: number, count: number, plane: number, limit: number, accepted: number): number;
  sumRing(ring: number, count: number, accepted: number, to: number): void;
  momentsOfRing(ring: number, count: number, accepted: number, means: number, to: number): void;
  writeRow(sums: number, cells: number, to: number): void;
}

const pageBytes = 65_536;

/** Kernels and the memory that they work on. */
interface OwnKernels {
  readonly memory: WasmMemory;
  readonly kernels: ViewKernels;
}

let shared: OwnKernels | "unsupported" | undefined;

/** The kernels and a memory of at least so many bytes, whose contents are only kept until the next call. */
export function viewKernels(
  bytes: number,
): { readonly buffer: ArrayBuffer; readonly kernels: ViewKernels } | undefined {
  shared ??= load(32);
  if (shared === "unsupported") return undefined;
  const { memory, kernels } = shared;
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
  if (missing > 0) memory.grow(missing);
  return { buffer: memory.buffer, kernels };
}

/** Kernels with a memory of at least so many bytes that no other caller has, all 0. */
export function ownViewKernels(
  bytes: number,
): { readonly buffer: ArrayBuffer; readonly kernels: ViewKernels } | undefined {
  const own = load(Math.ceil(bytes / pageBytes));
  return own === "unsupported" ? undefined : { buffer: own.memory.buffer, kernels: own.kernels };
}

let compiled: WasmModule | undefined;

function load(pages: number): OwnKernels | "unsupported" {
  try {
    compiled ??= new wasm.Module(Buffer.from(viewsWasm, "hex"));
    const memory = new wasm.Memory({ initial: pages });
    const { exports } = new wasm.Instance(compiled, { env: { memory } });
    return { memory, kernels: exports as unknown as ViewKernels };
  } catch {
    return "unsupported";
  }
}
