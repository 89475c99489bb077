/** Runs generated test files with the sources in place of the package. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const execute = promisify(execFile);

/** The text of a file that imports the package, importing the sources. */
export async function withSources(path: string): Promise<string> {
  const sources = resolve("src/entries");
  return (await readFile(path, "utf8"))
    .replace('"edgeproof/testing/tokens"', JSON.stringify(join(sources, "testing/tokens.ts")))
    .replace('"edgeproof/tokens"', JSON.stringify(join(sources, "tokens.ts")));
}

/** Bundles a generated file for node in its folder, which has `node_modules`; returns the path of the bundle. */
export async function bundleTests(
  path: string,
  edit: (text: string) => string = (text) => text,
  alias: Readonly<Record<string, string>> = {},
): Promise<string> {
  const source = `${path}.test.ts`;
  await writeFile(source, edit(await withSources(path)));
  const outfile = `${path}.bundled.test.mjs`;
  await build({
    entryPoints: [source],
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["jose", "re2js"],
    alias: { ...alias },
    outfile,
  });
  return outfile;
}

/** The output of `node --test` for a bundle, also when tests fail. */
export async function runTests(bundle: string): Promise<string> {
  const options = { cwd: dirname(bundle) };
  const { stdout } = await execute(process.execPath, ["--test", bundle], options).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}
