/**
 * Open fonts as packages of npm, and the reader of their outlines, in a folder outside of the repository
 * (`EDGEPROOF_BENCH_CACHE`, by default `~/.cache/edgeproof-bench`).
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const versions = { fontsource: "5", "opentype.js": "1.3.4" } as const;

/** A command of an outline, in font units times `size / unitsPerEm`, with `y` downwards. */
export interface PathCommand {
  readonly type: "M" | "L" | "Q" | "C" | "Z";
  readonly x?: number;
  readonly y?: number;
  readonly x1?: number;
  readonly y1?: number;
}

/** The used members of an outline font. */
export interface Font {
  readonly unitsPerEm: number;
  charToGlyph(letter: string): {
    readonly index: number;
    readonly advanceWidth: number;
    getPath(
      x: number,
      y: number,
      size: number,
    ): { toPathData(digits: number): string; readonly commands: readonly PathCommand[] };
  };
}

const cache = process.env["EDGEPROOF_BENCH_CACHE"] ?? join(homedir(), ".cache", "edgeproof-bench");
const folder = join(cache, "fonts");

/** Installs what is missing of families of @fontsource. */
export function installFonts(families: Iterable<string>): void {
  const wanted = [...[...new Set(families)].map((family) => `@fontsource/${family}`), "opentype.js"];
  const missing = wanted.filter((name) => !existsSync(join(folder, "node_modules", name)));
  if (missing.length === 0) return;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "package.json")))
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const versioned = missing.map(
    (name) => `${name}@${name === "opentype.js" ? versions["opentype.js"] : versions.fontsource}`,
  );
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...versioned], {
    cwd: folder,
    stdio: "inherit",
  });
}

/** The folder of the files of a family. */
export function filesOf(family: string): string {
  return join(folder, "node_modules", "@fontsource", family, "files");
}

export function openFont(path: string): Font {
  const require = createRequire(join(folder, "package.json"));
  const { loadSync } = require("opentype.js") as { loadSync(path: string): Font };
  return loadSync(path);
}
