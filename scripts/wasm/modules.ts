/** The WebAssembly modules of `assembly/`: each becomes a TypeScript file with the module in hexadecimal digits, which compress better than base64, so that the package needs no binary file. */
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";

const root = fileURLToPath(new URL("../..", import.meta.url));

const simd = ["--enable", "simd", "--noAssert"];

/** The generated file of each module, and further flags of the compiler. */
export const wasmModules = {
  dense: { path: "src/engine/logo/dense/kernels/dense-wasm.ts", flags: simd },
  names: { path: "src/engine/brand/filters/names-wasm.ts", flags: simd },
  pictures: { path: "src/engine/logo/decode/kernels/pictures-wasm.ts", flags: simd },
} satisfies Record<string, { readonly path: string; readonly flags: readonly string[] }>;

/** Name of a module: its source is `assembly/<name>.ts`. */
export type WasmModule = keyof typeof wasmModules;

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

/** Compiles a module and returns the text of its generated file. */
export async function moduleSource(name: WasmModule): Promise<string> {
  const wasm = await compileAssembly(`assembly/${name}.ts`, wasmModules[name].flags);
  return [
    `/** Generated from \`assembly/${name}.ts\` by \`npm run build:wasm\`; do not edit. */`,
    "",
    "/** The WebAssembly module in hexadecimal digits. */",
    `export const ${name}Wasm: string =`,
    `  "${Buffer.from(wasm).toString("hex")}";`,
    "",
  ].join("\n");
}
