/**
 * Bundles the JavaScript of the package: one file an entry, and shared chunks. Fewer files load faster: node spends more
 * time on finding 300 modules than on running them. Dependencies stay outside, and what is imported late stays late.
 * The executable is two files: `bundle-executable.ts`.
 *
 * The entries with the condition `browser` in package.json are bundled a second time, with the files that `imports` of
 * package.json has for browsers, workers and edge runtimes.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { bundleExecutable } from "./bundle-executable.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

type Target = string | { readonly default: string; readonly browser?: string };

/** The source of each module that package.json exports: `./dist/entries/http.js` is built from `src/entries/http.ts`. */
function entries(hasTarget: (target: Exclude<Target, string>) => boolean): string[] {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    readonly exports: Readonly<Record<string, Target>>;
  };
  return Object.values(manifest.exports).flatMap((target) => {
    if (typeof target === "string" || !hasTarget(target)) return [];
    const path = /^\.\/dist\/(.+)\.js$/.exec(target.default)?.[1];
    return path === undefined ? [] : [`src/${path}.ts`];
  });
}

const options = {
  absWorkingDir: root,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  tsconfig: "tsconfig.build.json",
  logLevel: "warning",
} as const satisfies BuildOptions;

/** Writes the JavaScript of every entry, of the thread of engines and of the executable. */
export async function bundle(outdir = `${root}dist`): Promise<void> {
  await build({
    ...options,
    entryPoints: ["src/threads/thread.ts", ...entries(() => true)],
    outbase: "src",
    outdir,
    platform: "node",
    target: "node20",
  });
  await bundleForBrowsers(`${outdir}/browser`);
  await bundleExecutable(`${outdir}/cli`);
}

/** Writes the JavaScript of the entries for browsers, workers and edge runtimes. */
export async function bundleForBrowsers(outdir: string): Promise<void> {
  await build({
    ...options,
    entryPoints: entries(({ browser }) => browser !== undefined),
    outbase: "src/entries",
    outdir,
    platform: "browser",
    target: "es2023",
    // Names are kept, for stack traces; the bundler of an application shortens them.
    minifySyntax: true,
    minifyWhitespace: true,
  });
}
