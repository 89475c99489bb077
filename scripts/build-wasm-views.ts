/**
 * Compiles `assembly/views.ts` to `src/engine/logo/regions/kernels/views-wasm.ts`: the module as base64, so that the
 * package needs no binary file. Run it after every change of the source; a test compares the two files.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileAssembly } from "./build-wasm-hamming.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = "src/engine/logo/regions/kernels/views-wasm.ts";

/** Compiles the kernels; returns the WebAssembly module. */
export function compileViews(): Promise<Uint8Array> {
  return compileAssembly("assembly/views.ts", ["--enable", "simd", "--noAssert"]);
}

/** The generated TypeScript module. */
export function viewsModuleSource(wasm: Uint8Array): string {
  return [
    "/** Generated from `assembly/views.ts` by `scripts/build-wasm-views.ts`; do not edit. */",
    "",
    "/** The WebAssembly module in base64. */",
    "export const viewsWasm =",
    `  "${Buffer.from(wasm).toString("base64")}";`,
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wasm = await compileViews();
  writeFileSync(`${root}${target}`, viewsModuleSource(wasm));
  console.log(`${target}: ${wasm.length} bytes of WebAssembly`);
}
