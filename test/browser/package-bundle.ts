/** Bundles scripts that use the package as an installed one, for a platform by its conditions. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { bundle, bundleForBrowsers } from "../../scripts/bundle.ts";

/** The entries for browsers, workers and edge runtimes. */
export const portableEntries = ["tokens", "proxy", "world", "brand/names"] as const;

/** Conditions that bundlers set, by platform. */
export const platforms = {
  browser: ["browser"],
  worker: ["worker"],
  "edge runtime": ["edge-light"],
  workerd: ["workerd"],
} as const;

/** Maximum sizes of whole entries, compressed by gzip, in kilobytes (1,000 bytes); RE2 is loaded on demand and not in them. */
export const maxKilobytes: Readonly<Record<(typeof portableEntries)[number], number>> = {
  tokens: 124,
  proxy: 28,
  world: 335,
  "brand/names": 91,
};

/** The size of a whole entry, compressed by gzip, in kilobytes. */
export async function measureEntry(entry: (typeof portableEntries)[number]): Promise<number> {
  const contents = `export * from "edgeproof/${entry}";`;
  const bundle = await bundlePackage(`size-${entry.replace("/", "-")}`, contents, platforms.browser);
  return compressedBytes(bundle, ["re2js"]) / 1000;
}

const cache = join(process.cwd(), "node_modules/.cache");
mkdirSync(cache, { recursive: true });

/** Inside the project, so that the packages of the project are found; one for each worker of the tests. */
export const folder = mkdtempSync(join(cache, "browser-"));
const installed = join(folder, "node_modules/edgeproof");

/** Installs the package in a folder of its own: the manifest, and the files for browsers, or all, as the build writes them. */
export async function installPackage(files: "browser" | "all" = "browser"): Promise<void> {
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  cpSync("package.json", join(installed, "package.json"));
  cpSync("test/browser/scenarios", join(folder, "scenarios"), { recursive: true });
  if (files === "all") await bundle(join(installed, "dist"));
  else await bundleForBrowsers(join(installed, "dist/browser"));
}

/** Removes it. */
export function removePackage(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Bytes of the files of a bundle that a script loads, compressed by gzip, without those of packages that are named. */
function compressedBytes({ folder, outputs }: PackageBundle, without: readonly string[] = []): number {
  const isLeftOut = (inputs: object) =>
    Object.keys(inputs).some((input) => without.some((name) => input.includes(`node_modules/${name}/`)));
  return readdirSync(folder)
    .filter(
      (file) =>
        !Object.entries(outputs).some(([path, { inputs }]) => path.endsWith(file) && isLeftOut(inputs)),
    )
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
}

/** The files of a bundle, the first of which has the script's exports, and what they are made of. */
export interface PackageBundle {
  readonly folder: string;
  readonly main: string;
  readonly inputs: Metafile["inputs"];
  readonly outputs: Metafile["outputs"];
}

/** Bundles a script. The package is found in the folder of {@link installPackage}, by its exports. */
export async function bundlePackage(
  name: string,
  contents: string,
  conditions: readonly string[],
): Promise<PackageBundle> {
  const outdir = join(folder, name);
  const { metafile } = await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    conditions: [...conditions],
    mainFields: ["browser", "module", "main"],
    platform: "neutral",
    entryNames: "main",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2023",
    metafile: true,
    tsconfigRaw: "{}",
    outdir,
    logLevel: "silent",
  });
  return { folder: outdir, main: join(outdir, "main.js"), ...metafile };
}
