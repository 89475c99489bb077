/** The kernels of dense detection: in WebAssembly where the runtime has SIMD, else in TypeScript; both are equal. */

import { type WasmMemory, type WasmModule, wasm } from "../../../../core/wasm-runtime.ts";
import { denseWasm } from "./dense-wasm.ts";
import type { DenseKernels, DenseMemory } from "./kernel-functions.ts";
import { plainKernels } from "./plain-kernels.ts";

/** `simd`: WebAssembly; `plain`: TypeScript. */
export type DensePath = "simd" | "plain";

let compiled: WasmModule | "unsupported" | undefined;

/** The path that this runtime takes. */
export function densePath(): DensePath {
  return moduleOf() === undefined ? "plain" : "simd";
}

/** The compiled module; undefined where WebAssembly or its SIMD instructions are missing. */
function moduleOf(): WasmModule | undefined {
  if (compiled === undefined) {
    try {
      compiled = new wasm.Module(Buffer.from(denseWasm, "hex"));
    } catch {
      compiled = "unsupported";
    }
  }
  return compiled === "unsupported" ? undefined : (compiled as WasmModule);
}

/** A memory and the kernels that work on it. */
export interface Workspace {
  readonly memory: DenseMemory;
  readonly kernels: DenseKernels;
  readonly path: DensePath;
}

/** A workspace of at least so many bytes, all 0. */
export function allocate(bytes: number, path: DensePath = densePath()): Workspace {
  const module = path === "simd" ? moduleOf() : undefined;
  if (module === undefined) {
    const memory = { buffer: new ArrayBuffer(bytes) };
    return { memory, kernels: plainKernels(memory), path: "plain" };
  }
  const memory: WasmMemory = new wasm.Memory({ initial: Math.ceil(bytes / 65_536) });
  const kernels = new wasm.Instance(module, { env: { memory } }).exports as unknown as DenseKernels;
  return { memory, kernels, path: "simd" };
}
