/** The WebAssembly in the sources is compiled from `assembly/`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { moduleSource, type WasmModule, wasmModules } from "../scripts/wasm/modules.ts";

test.each(Object.entries(wasmModules))(
  "the generated module %s has the WebAssembly of its source (`npm run build:wasm`)",
  async (name, { path }) => {
    expect(readFileSync(path, "utf8")).toBe(await moduleSource(name as WasmModule));
  },
);
