/**
 * Compiles `assembly/hamming.ts` to `src/engine/logo/index/hamming-wasm.ts`: the module as base64, so that the
 * package needs no binary file. Run it after every change of the source; a test compares the two files.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = "src/engine/logo/index/hamming-wasm.ts";

/** Compiles the scan; returns the WebAssembly module. */
export function compileHamming(): Promise<Uint8Array> {
  return compileAssembly("assembly/hamming.ts");
}

/** Compiles an AssemblyScript file whose memory the caller provides; `more` are further flags of the compiler. */
export async function compileAssembly(source: string, more: readonly string[] = []): Promise<Uint8Array> {
  const flags = [
    "--baseDir",
    root,
    "--runtime",
    "stub",
    "--noExportMemory",
    "--importMemory",
    "-O3",
    ...more,
  ];
  let module: Uint8Array | undefined;
  const { error, stderr } = await main([source, ...flags, "--outFile", "out.wasm"], {
    writeFile: (name: string, contents: Uint8Array | string) => {
      if (name.endsWith(".wasm")) module = contents as Uint8Array;
    },
  });
  if (error || !module) throw new Error(`${source} does not compile: ${stderr.toString()}`, { cause: error });
  return module;
}

/** The generated TypeScript module. */
export function hammingModuleSource(wasm: Uint8Array): string {
  return [
    "/** Generated from `assembly/hamming.ts` by `scripts/build-wasm-hamming.ts`; do not edit. */",
    "",
    "/** The WebAssembly module in base64. */",
    "export const hammingWasm =",
    `  "${Buffer.from(wasm).toString("base64")}";`,
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wasm = await compileHamming();
  writeFileSync(`${root}${target}`, hammingModuleSource(wasm));
  console.log(`${target}: ${wasm.length} bytes of WebAssembly`);
}
