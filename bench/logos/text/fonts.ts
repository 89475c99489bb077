/**
 * The families of text: those of the atlas that the package ships (`scripts/build-glyph-atlas.ts`), and others that
 * only pages of text are set in. All of them are packages of npm under an open licence.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../pages/cache.ts";
import { packageFolder } from "../pages/sources.ts";

/** Families that numbers may be chosen with, and families that are only reported. */
export type FontPart = "tuning" | "held-out";

/** The families of the pages of each part; none is in the atlas. */
export const fontFamilies: Readonly<Record<FontPart, readonly string[]>> = {
  tuning: [
    "source-sans-3",
    "work-sans",
    "ubuntu",
    "lora",
    "rubik",
    "fira-sans",
    "ibm-plex-sans",
    "ibm-plex-mono",
    "raleway",
    "carlito",
    "quicksand",
    "josefin-sans",
    "m-plus-rounded-1c",
  ],
  "held-out": [
    "noto-sans",
    "noto-serif",
    "dm-sans",
    "figtree",
    "public-sans",
    "pt-sans",
    "pt-serif",
    "source-serif-4",
    "mulish",
    "barlow",
    "karla",
    "libre-franklin",
    "jetbrains-mono",
    "titillium-web",
    "manrope",
    "outfit",
    "noto-serif-sc",
  ],
};

/** Installs the families of the pages once. */
export function installFonts(): void {
  const names = Object.values(fontFamilies).flat();
  const missing = names.filter((name) => !existsSync(packageFolder(`@fontsource/${name}`)));
  if (missing.length === 0) return;
  const folder = join(cacheFolder(), "node");
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "package.json")))
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const wanted = missing.map((name) => `@fontsource/${name}@5`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...wanted], {
    cwd: folder,
    stdio: "inherit",
  });
}
