/**
 * Draws letters of open fonts and writes src/engine/logo/text/glyph-atlas-table.ts:
 * `node --import tsx scripts/build-glyph-atlas.ts`. Queried logos are searched in text that is set with them.
 *
 * All families have the SIL Open Font License 1.1, but Roboto Slab, which has the Apache License 2.0.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import sharp from "sharp";
import { type Glyph, writeFaces } from "../src/engine/logo/text/glyph-atlas.ts";
import { type Font, filesOf, installFonts, openFont } from "./fonts.ts";

/** Pixels of an em. */
const em = 26;

const latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789&";
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789&";
const cyrillic = "БГДЖЗИЙЛПУФЦЧШЩЫЭЮЯбвгджзийклмнптуфцчшщыьэюя";
const greek = "ΓΔΘΛΞΠΣΦΨΩαβγδεζηθκλμνξπρστυφχψω";
const cjk =
  "日本中国人大小上下口田目山川水火木金土年月語文字会社新東京手力入出生学校店車電気高白心天地あいうえおかきくけこさしたつてとなにのはまもらりるれをんアイエオカコサスタテトナマロン";

/** A face: package of @fontsource with its version, weight, and the letters that are drawn of it. */
const faces: readonly (readonly [family: string, weight: number, alphabet: Alphabet])[] = [
  ["inter", 400, "latin"],
  ["montserrat", 700, "latin"],
  ["arimo", 400, "latin"],
  ["lato", 700, "latin"],
  ["tinos", 400, "latin"],
  ["poppins", 600, "latin"],
  ["merriweather", 700, "latin"],
  ["nunito", 700, "latin"],
  ["roboto-mono", 400, "latin"],
  ["open-sans", 400, "latin"],
  ["oswald", 500, "latin"],
  ["roboto-slab", 500, "latin"],
  ["inter", 600, "cyrillic"],
  ["tinos", 400, "cyrillic"],
  ["roboto", 500, "greek"],
  ["noto-sans-jp", 500, "japanese"],
  ["montserrat", 900, "capitals"],
  ["tinos", 700, "capitals"],
  ["roboto-mono", 700, "capitals"],
  ["archivo-black", 400, "capitals"],
  ["lato", 900, "capitals"],
  ["open-sans", 800, "capitals"],
];

type Alphabet = "latin" | "capitals" | "cyrillic" | "greek" | "japanese";

const letters: Readonly<Record<Alphabet, string>> = { latin, capitals, cyrillic, greek, japanese: cjk };

/** Draws a letter: its coverage, cropped, in four levels. */
async function drawGlyph(font: Font, letter: string): Promise<Glyph | undefined> {
  const outline = font.charToGlyph(letter);
  if (outline.index === 0) return undefined;
  const [side, left, baseline] = [3 * em, em, 2 * em];
  const path = outline.getPath(left, baseline, em).toPathData(3);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><path d="${path}"/></svg>`;
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const levelAt = (x: number, y: number) => Math.round(((data[4 * (y * side + x) + 3] ?? 0) / 255) * 3);
  const inked = Array.from({ length: side * side }, (_, i) => i).filter(
    (i) => levelAt(i % side, Math.floor(i / side)) > 0,
  );
  const xs = inked.map((i) => i % side);
  const ys = inked.map((i) => Math.floor(i / side));
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [width, height] = [x1 - x0 + 1, y1 - y0 + 1];
  return {
    code: letter.codePointAt(0) ?? 0,
    advance: Math.round((outline.advanceWidth / font.unitsPerEm) * em),
    left: x0 - left,
    rise: baseline - y0,
    width,
    height,
    levels: Uint8Array.from({ length: width * height }, (_, i) =>
      levelAt(x0 + (i % width), y0 + Math.floor(i / width)),
    ),
  };
}

/** The fonts of a family that may have letters of an alphabet: large alphabets are spread over several files. */
function fontsOf(family: string, weight: number, alphabet: Alphabet): readonly Font[] {
  const files = filesOf(family);
  const end = `-${weight}-normal.woff`;
  const named = join(files, `${family}-${alphabet === "capitals" ? "latin" : alphabet}${end}`);
  if (alphabet !== "japanese") return [openFont(named)];
  return readdirSync(files)
    .filter((file) => file.endsWith(end) && /-\d+-\d+-normal/.test(file))
    .sort()
    .map((file) => openFont(join(files, file)));
}

async function drawFaces(): Promise<readonly (readonly Glyph[])[]> {
  const drawn: Glyph[][] = [];
  for (const [family, weight, alphabet] of faces) {
    const fonts = fontsOf(family, weight, alphabet);
    const glyphs: Glyph[] = [];
    for (const letter of letters[alphabet]) {
      for (const font of fonts) {
        const glyph = await drawGlyph(font, letter);
        if (!glyph) continue;
        glyphs.push(glyph);
        break;
      }
    }
    if (glyphs.length < [...letters[alphabet]].length)
      throw new Error(
        `${family} ${weight} has ${glyphs.length} of ${[...letters[alphabet]].length} letters.`,
      );
    drawn.push(glyphs);
  }
  return drawn;
}

installFonts(faces.map(([family]) => family));
const table = brotliCompressSync(writeFaces(await drawFaces()), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
}).toString("base64");
const target = new URL("../src/engine/logo/text/glyph-atlas-table.ts", import.meta.url);
writeFileSync(
  target,
  `/** Generated from \`scripts/build-glyph-atlas.ts\`, which names the fonts and their licences; do not edit. */

/** The letters of the faces, compressed with Brotli, in base64. */
export const glyphAtlasTable: string =
  "${table}";
`,
);
console.log(`${faces.length} faces, ${table.length} characters`);
