/**
 * Compiles `assembly/names.ts` to `src/engine/brand/filters/names-wasm.ts`: the module as base64, so that the package needs no
 * file beside its code. Run it after every change of the source; a test compares the two.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = "src/engine/brand/filters/names-wasm.ts";

/** Compiles the filters and returns the WebAssembly module. */
export async function compileNames(): Promise<Uint8Array> {
  const flags = [
    "--runtime",
    "stub",
    "--enable",
    "simd",
    "--noAssert",
    "--importMemory",
    "--noExportMemory",
    "-O3",
  ];
  let module: Uint8Array | undefined;
  const args = ["assembly/names.ts", "--baseDir", root, ...flags, "--outFile", "names.wasm"];
  const { error, stderr } = await main(args, {
    writeFile: (name: string, contents: Uint8Array | string) => {
      if (name.endsWith(".wasm")) module = contents as Uint8Array;
    },
  });
  if (error || !module) {
    throw new Error(`assembly/names.ts does not compile: ${stderr.toString()}`, { cause: error });
  }
  return module;
}

/** The generated TypeScript module. */
export function namesModuleSource(wasm: Uint8Array): string {
  return [
    "/** Generated from `assembly/names.ts` by `scripts/build-wasm-names.ts`; do not edit. */",
    "",
    "/** The WebAssembly module in base64. */",
    "export const namesWasm =",
    `  "${Buffer.from(wasm).toString("base64")}";`,
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wasm = await compileNames();
  writeFileSync(`${root}${target}`, namesModuleSource(wasm));
  console.log(`${target}: ${wasm.length} bytes of WebAssembly`);
}
