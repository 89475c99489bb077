/**
 * Builds the page of the workbench into `dist/workbench`, or into the folder that is named:
 * `node --import tsx scripts/build-page.ts [folder]`. Fails when a part is larger than its limit.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Maximum sizes in kilobytes (1,000 bytes), compressed by gzip. The language of custom rules is some 14 of `all`, the nearest names of misspelt fields are 2, the checks of arguments with their suggestions 3. */
export const maxKilobytes = { entry: 30, editor: 120, styles: 6, all: 235 } as const;

/** Builds the page. The same sources give the same bytes: a test runner's `NODE_ENV` would select other files of packages. */
export async function buildPage(outDir = `${root}dist/workbench`): Promise<void> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    await bundle(outDir);
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

async function bundle(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: `${root}web`,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir,
      emptyOutDir: true,
      target: ["chrome123", "firefox121", "safari17.5"],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1_000,
      reportCompressedSize: false,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  });
}

/** The compressed sizes of a built page, in kilobytes. */
export function measurePage(folder: string): Readonly<Record<keyof typeof maxKilobytes, number>> {
  const sizes = { entry: 0, editor: 0, styles: 0, all: 0 };
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const size = gzipSync(readFileSync(`${file.parentPath}/${file.name}`)).length / 1000;
    sizes.all += size;
    if (file.name.endsWith(".css")) sizes.styles += size;
    else if (/^index-.*\.js$/.test(file.name)) sizes.entry += size;
    else if (/^editor-.*\.js$/.test(file.name)) sizes.editor += size;
  }
  return sizes;
}

/** @throws {RangeError} when a part is larger than its limit, or missing */
export function assertSizes(folder: string): void {
  const sizes = measurePage(folder);
  for (const [part, max] of Object.entries(maxKilobytes)) {
    const size = sizes[part as keyof typeof maxKilobytes];
    if (!(size > 0 && size <= max))
      throw new RangeError(
        `${part} of the page is ${size.toFixed(1)} kB compressed; it must be at most ${max} kB`,
      );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? `${root}dist/workbench`);
  await buildPage(folder);
  assertSizes(folder);
}
