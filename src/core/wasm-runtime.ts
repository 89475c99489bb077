/** WebAssembly with the types that this project uses; TypeScript declares them only in its library for browsers. */

/** Linear memory; `buffer` is a new object after each growth. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; returns the previous number of pages. */
  grow(pages: number): number;
}

/** A compiled module. */
export type WasmModule = object;

interface WasmRuntime {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Memory: new (size: { initial: number }) => WasmMemory;
  readonly Instance: new (
    module: WasmModule,
    imports: { env: { memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** The WebAssembly implementation of the runtime. */
export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmRuntime }).WebAssembly;
