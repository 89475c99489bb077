/** Families of Debian's font packages: downloaded and unpacked into the cache, never installed. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder, grouped } from "../pages/cache.ts";

/** The packages; any that the archive no longer has is reported and left out. */
export const fontPackages =
  "fonts-adf-gillius fonts-adf-libris fonts-adf-universalis fonts-anonymous-pro fonts-arphic-uming fonts-averia-sans-gwf fonts-b612 fonts-cabin fonts-cantarell fonts-clear-sans fonts-comfortaa fonts-comic-neue fonts-courier-prime fonts-crosextra-caladea fonts-crosextra-carlito fonts-dejavu-core fonts-dejavu-extra fonts-dosis fonts-ebgaramond fonts-fantasque-sans fonts-freefont-ttf fonts-gemunu-libre fonts-gfs-artemisia fonts-gfs-didot fonts-gfs-neohellenic fonts-go fonts-hack-ttf fonts-inconsolata fonts-ipaexfont-gothic fonts-ipaexfont-mincho fonts-junction fonts-junicode fonts-lato fonts-league-spartan fonts-liberation2 fonts-lindenhill fonts-linuxlibertine fonts-lobster fonts-monoid fonts-mononoki fonts-national-park fonts-noto-mono fonts-oldstandard fonts-open-sans fonts-opendyslexic fonts-oxygen fonts-paratype fonts-play fonts-quattrocento fonts-roboto-unhinted fonts-sawarabi-gothic fonts-sil-andika fonts-sil-charis fonts-sil-gentiumplus fonts-stix fonts-texgyre fonts-tuffy fonts-urw-base35 fonts-vlgothic fonts-vollkorn fonts-wqy-microhei fonts-wqy-zenhei fonts-yanone-kaffeesatz".split(
    " ",
  );

/** A family that pages can be set in. */
export interface TextFamily {
  /** Its name in CSS. */
  readonly name: string;
  /** Elements that load it. */
  readonly styles: string;
  /** Codes of the languages that it has the letters of. */
  readonly languages: ReadonlySet<string>;
}

/** Families without ordinary letters. */
const leftOut = /symbol|math|stix(size|int|var|non)|initials|keyboard|smallcaps|d050000l|monoisome|beta/i;

/** Downloads and unpacks the packages once. */
function unpack(): string {
  const folder = join(cacheFolder(), "debian-fonts");
  const files = join(folder, "files");
  const downloads = join(folder, "deb");
  if (existsSync(join(folder, "complete"))) return files;
  for (const made of [files, downloads]) mkdirSync(made, { recursive: true });
  const present = readdirSync(downloads);
  for (const name of fontPackages) {
    if (present.some((file) => file.startsWith(`${name}_`))) continue;
    try {
      execFileSync("apt-get", ["download", name], { cwd: downloads, stdio: "ignore" });
    } catch {
      console.warn(`${name} cannot be downloaded with apt-get; its families are left out.`);
    }
  }
  for (const file of readdirSync(downloads)) execFileSync("dpkg", ["-x", join(downloads, file), files]);
  writeFileSync(join(folder, "complete"), "");
  return files;
}

interface FontFile {
  readonly family: string;
  readonly style: string;
  readonly weight: number;
  readonly isItalic: boolean;
  readonly languages: readonly string[];
  readonly file: string;
}

/** The weight of CSS for a weight of fontconfig. */
const weights = [
  [55, 300],
  [90, 400],
  [150, 500],
  [190, 600],
  [202, 700],
  [Number.POSITIVE_INFINITY, 800],
] as const;

function scan(folder: string): readonly FontFile[] {
  const format = `${"family[0] style[0] weight slant variable fontformat lang file"
    .split(" ")
    .map((field) => `%{${field}}`)
    .join("\t")}\n`;
  const listed = execFileSync("fc-scan", ["--format", format, folder], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return listed.split("\n").flatMap((line) => {
    const [family = "", style = "", weight, slant, variable, kind = "", languages = "", file = ""] =
      line.split("\t");
    const isUsed = /\.(ttf|otf|ttc)$/.test(file) && /^(TrueType|CFF)$/.test(kind) && variable === "False";
    if (!isUsed || leftOut.test(family) || /condensed|narrow/i.test(style)) return [];
    const css = weights.find(([below]) => Number(weight) < below)?.[1] ?? 400;
    return { family, style, weight: css, isItalic: Number(slant) > 0, languages: languages.split("|"), file };
  });
}

/** The families of the packages, by name. */
export function debianFamilies(): readonly TextFamily[] {
  const files = scan(unpack());
  return [...grouped(files, ({ family }) => family)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, all]) => {
      const upright = all.filter(({ isItalic, weight }) => !isItalic && weight >= 400);
      const [first] = upright;
      if (!first) return [];
      const faces = [...grouped(all, ({ weight, isItalic }) => `${weight} ${isItalic}`).values()].map(
        ([face]) =>
          `@font-face{font-family:'${name}';src:url('${pathToFileURL(face!.file).href}');font-weight:${face!.weight};font-style:${face!.isItalic ? "italic" : "normal"}}`,
      );
      const languages = new Set(first.languages);
      return { name, styles: `<style>${faces.join("")}</style>`, languages };
    })
    .filter(({ languages }) => languages.has("en") || languages.has("ja") || languages.has("zh-cn"));
}
