/**
 * Writes the outlines of the letters of an open font to src/engine/images/text/font-table.ts:
 * `node --import tsx scripts/build-text-font.ts`. Text on images is drawn with them.
 *
 * Noto Sans, copyright 2022 The Noto Project Authors (https://github.com/notofonts/latin-greek-cyrillic), SIL Open Font
 * License 1.1.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type Letter, type Segment, writeLetters } from "../src/engine/images/text/font.ts";
import { type Font, filesOf, installFonts, openFont } from "./fonts.ts";

const family = "noto-sans";

/** Latin with the letters of Vietnamese, Greek, Cyrillic, and punctuation: ranges of code points. */
const ranges: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x218, 0x21b],
  [0x386, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x491],
  [0x1e9e, 0x1e9e],
  [0x1ea0, 0x1ef9],
  [0x2010, 0x2015],
  [0x2018, 0x2026],
  [0x2030, 0x203a],
  [0x20a0, 0x20bf],
  [0x2116, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
];

/** A letter in thousandths of an em; undefined when no file has it. */
function readLetter(fonts: readonly Font[], code: number): Letter | undefined {
  const character = String.fromCodePoint(code);
  const font = fonts.find((candidate) => candidate.charToGlyph(character).index !== 0);
  if (!font) return undefined;
  const glyph = font.charToGlyph(character);
  const segments: Segment[] = glyph
    .getPath(0, 0, 1_000)
    .commands.flatMap(({ type, x = 0, y = 0, x1 = 0, y1 = 0 }) => {
      if (type === "C") throw new Error(`${character} has a cubic curve.`);
      if (type === "Z") return [];
      return [{ type, points: (type === "Q" ? [x1, y1, x, y] : [x, y]).map(Math.round) }];
    });
  return { code, advance: Math.round((glyph.advanceWidth / font.unitsPerEm) * 1_000), segments };
}

installFonts([family]);
const fonts = ["latin", "latin-ext", "vietnamese", "greek", "cyrillic"].map((alphabet) =>
  openFont(join(filesOf(family), `${family}-${alphabet}-400-normal.woff`)),
);
const letters = ranges.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, n) => readLetter(fonts, first + n) ?? []).flat(),
);
const table = brotliCompressSync(writeLetters(letters), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
}).toString("base64");
writeFileSync(
  new URL("../src/engine/images/text/font-table.ts", import.meta.url),
  `/** Generated from \`scripts/build-text-font.ts\`, which names the font and its licence; do not edit. */

/** The outlines of the letters, compressed with Brotli, in base64. */
export const fontTable: string =
  "${table}";
`,
);
console.log(`${letters.length} letters, ${table.length} characters`);
