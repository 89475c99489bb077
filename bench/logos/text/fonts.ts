/**
 * The families of text: those of the atlas that the package ships (`scripts/build-glyph-atlas.ts`), and others that
 * only pages of text are set in: packages of npm under an open licence, and Debian's.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder } from "../pages/cache.ts";
import { packageFolder } from "../pages/sources.ts";
import { debianFamilies, type TextFamily } from "./debian-fonts.ts";

/** Families that numbers may be chosen with, and families that are only reported. */
export type FontPart = "tuning" | "held-out";

/** The families of npm of each part; none is in the atlas. */
const npmFamilies: Readonly<Record<FontPart, readonly string[]>> = {
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
function installFonts(): void {
  const names = Object.values(npmFamilies).flat();
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

/** The elements of a family of npm: all weights of all alphabets that it has. */
function npmFamily(family: string): TextFamily {
  const folder = packageFolder(`@fontsource/${family}`);
  const styles = ["400", "500", "700", "800", "400-italic"]
    .map((name) => join(folder, `${name}.css`))
    .filter((path) => existsSync(path))
    .map((path) => `<link rel="stylesheet" href="${pathToFileURL(path).href}">`)
    .join("");
  const regular = readFileSync(join(folder, "400.css"), "utf8");
  const [, name = family] = /font-family: '([^']+)'/.exec(regular) ?? [];
  const files = readdirSync(join(folder, "files")).join(" ");
  const has = (subset: string, codes: string) => (files.includes(`-${subset}-`) ? codes.split(" ") : []);
  const languages = new Set([
    "en",
    ...has("latin-ext", "de fr pl tr es"),
    ...has("vietnamese", "vi"),
    ...has("cyrillic", "ru uk bg"),
    ...has("greek", "el"),
    ...(/rounded-1c/.test(family) ? ["ja"] : []),
    ...(/-sc$/.test(family) ? ["zh-cn", "ja"] : []),
  ]);
  return { name, styles, languages };
}

/** Words in the names of the families of the atlas, and of families that have their outlines. */
const atlasNames =
  /^(inter|montserrat|arimo|arial|liberation|lato|carlito|tinos|times|poppins|archivo|merriweather|nunito|roboto|open sans|oswald|noto sans cjk)\b/i;

/** The families of a part, by name. Families of Debian are in the part that the SHA-256 of their name selects. */
export function textFamilies(part: FontPart): readonly TextFamily[] {
  installFonts();
  const npm = npmFamilies[part].map(npmFamily);
  const known = new Set(Object.values(npmFamilies).flat());
  const debian = debianFamilies().filter(
    ({ name }) => !known.has(name.toLowerCase().replaceAll(" ", "-")) && partOf(name) === part,
  );
  return [...npm, ...debian].filter(({ name }) => !atlasNames.test(name));
}

function partOf(name: string): FontPart {
  const [first = ""] = name.split(" ");
  return createHash("sha256").update(first).digest()[0]! % 2 === 0 ? "tuning" : "held-out";
}
