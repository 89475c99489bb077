/** The WebAssembly kernels of describing pictures, where the runtime has SIMD; callers have the same in TypeScript. */

import { type WasmMemory, wasm } from "../../../../core/wasm-runtime.ts";
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
}

const pageBytes = 65_536;

let loaded: { readonly memory: WasmMemory; readonly kernels: ViewKernels } | "unsupported" | undefined;

/** The kernels and a memory of at least so many bytes, whose contents are only kept until the next call. */
export function viewKernels(
  bytes: number,
): { readonly buffer: ArrayBuffer; readonly kernels: ViewKernels } | undefined {
  loaded ??= load();
  if (loaded === "unsupported") return undefined;
  const { memory, kernels } = loaded;
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
  if (missing > 0) memory.grow(missing);
  return { buffer: memory.buffer, kernels };
}

function load(): Exclude<typeof loaded, undefined> {
  try {
    const module = new wasm.Module(Buffer.from(viewsWasm, "base64"));
    const memory = new wasm.Memory({ initial: 32 });
    const { exports } = new wasm.Instance(module, { env: { memory } });
    return { memory, kernels: exports as unknown as ViewKernels };
  } catch {
    return "unsupported";
  }
}
