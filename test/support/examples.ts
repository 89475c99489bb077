/** Runs the code of documents and docstrings as modules of their own. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";

/** Folder of generated modules: inside the project, so that package names resolve. */
const folder = "node_modules/.cache/edgeproof-examples";

/** Runs the source of a module; `expect` is in scope. */
export async function runModule(name: string, code: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = join(process.cwd(), folder, `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.ts`);
  writeFileSync(path, code);
  Object.assign(globalThis, { expect });
  // Examples may write files: they run in a folder of their own, a project that has the package.
  const before = process.cwd();
  const own = mkdtempSync(join(tmpdir(), "edgeproof-example-"));
  process.chdir(own);
  mkdirSync("node_modules");
  symlinkSync(before, "node_modules/edgeproof");
  try {
    await import(/* @vite-ignore */ pathToFileURL(path).href);
  } finally {
    process.chdir(before);
    rmSync(own, { recursive: true, force: true });
  }
}
