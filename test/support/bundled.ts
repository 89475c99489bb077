/**
 * Scripts that tests run in processes of their own, as bundles: they start several times as fast as the sources,
 * and a part that a process does not need is not loaded.
 */
import { existsSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

/** Inside the project, so that package names resolve; removed at the end of the run, as its temporary folder is. */
const folder = join(process.cwd(), "node_modules/.cache", basename(tmpdir()));

/** Packages without binaries or files of their own, which load several times as fast as a part of the bundle. */
const inlined = new Set([
  "@hono/node-server",
  "color-string",
  "fast-levenshtein",
  "hono",
  "image-hash",
  "jose",
  "jsonpath-plus",
  "kysely",
  "re2js",
  "saxes",
  "tldts",
  "yaml",
  "zod",
]);

const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const external = Object.keys({ ...dependencies, ...devDependencies })
  .filter((name) => !inlined.has(name))
  .flatMap((name) => [name, `${name}/*`]);

/** Packages of CommonJS in a bundle require modules of Node. */
const requireOfBundle = `import { createRequire as requireOfBundle } from "node:module";
globalThis.require ??= requireOfBundle(${JSON.stringify(join(process.cwd(), "package.json"))});`;

/** The path of the bundle of a script of the project; made once a run. */
export function bundled(script: string): string {
  const name = relative(process.cwd(), script).replaceAll("/", "-");
  const main = join(folder, name, "main.mjs");
  if (!existsSync(main)) build(script, name);
  return main;
}

function build(script: string, name: string): void {
  const outdir = join(folder, `${name}-${process.pid}`);
  buildSync({
    entryPoints: [{ in: script, out: "main" }],
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    external,
    // Modules that a script requires are found from its source.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(script).href) },
    outExtension: { ".js": ".mjs" },
    banner: { js: requireOfBundle },
    outdir,
  });
  try {
    renameSync(outdir, join(folder, name));
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(join(folder, name))) throw error;
  }
}

/** The command line interface. */
export function bundledCli(): string {
  return bundled(join(process.cwd(), "src/cli/main.ts"));
}
