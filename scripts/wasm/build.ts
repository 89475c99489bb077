/** `npm run build:wasm`: writes the generated file of every WebAssembly module. Run it after a change in `assembly/`; a test compares the files. */
import { writeFileSync } from "node:fs";
import { moduleSource, type WasmModule, wasmModules } from "./modules.ts";

for (const [name, { path }] of Object.entries(wasmModules)) {
  writeFileSync(path, await moduleSource(name as WasmModule));
  console.log(path);
}
