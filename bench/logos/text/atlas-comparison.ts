/**
 * Compares the letters of a family with those of the atlas, so that no page is set in a font that the package knows:
 * names differ between copies of the same outlines.
 */

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { type Face, type Glyph, glyphFaces } from "../../../src/engine/logo/text/glyph-atlas.ts";
import type { TextFamily } from "./debian-fonts.ts";

/** Pixels of an em in the atlas, and of a cell of the drawn table of letters. */
const em = 26;
const cell = 64;
/** Letters that differ between families, by a language that has them; a face is compared by those that it has. */
const alphabets = { en: "aegkmrstywGQRMSKJ2579", ru: "бжфщя", el: "δζλψω", ja: "日東語あの" } as const;
/** Letters of a face that are needed. */
const minLetters = 5;
/** Common coverage, of all coverage, from which two faces are the same: copies reach 0.9, and others of the same designers 0.83. */
export const sameFace = 0.8;

/** The largest similarity of a family at a weight to a face of the atlas, 0 to 1. */
export async function atlasSimilarity(page: Page, family: TextFamily, file: string): Promise<number> {
  const similar: number[] = [];
  const letters = Object.entries(alphabets).flatMap(([language, own]) =>
    family.languages.has(language) ? [...own] : [],
  );
  for (const weight of [400, 500, 600, 700, 800]) {
    const drawn = letters
      .map(
        (letter, i) =>
          `<text x="${i * cell + 16}" y="44" font-family="'${family.name}'" font-weight="${weight}">${letter}</text>`,
      )
      .join("");
    const style = `body{margin:0}text{font-size:${em}px;text-rendering:geometricPrecision}`;
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8">${family.styles}<style>${style}</style><svg width="${letters.length * cell}" height="${cell}">${drawn}</svg>`,
    );
    await page.goto(pathToFileURL(file).href);
    await page.evaluate("document.fonts.ready.then(() => 0)");
    const shot = await page.screenshot({ clip: { x: 0, y: 0, width: letters.length * cell, height: cell } });
    const { data, info } = await sharp(shot).greyscale().raw().toBuffer({ resolveWithObject: true });
    const inkAt = (x: number, y: number) => 255 - (data[(y * info.width + x) * info.channels] ?? 255);
    for (const face of glyphFaces()) similar.push(similarityOf(face, letters, inkAt));
  }
  return Math.max(...similar);
}

function similarityOf(
  face: Face,
  letters: readonly string[],
  inkAt: (x: number, y: number) => number,
): number {
  const shares = letters.flatMap((letter, i) => {
    const glyph = face.get(letter.codePointAt(0) ?? 0);
    return glyph ? [commonShare(glyph, i * cell, inkAt)] : [];
  });
  return shares.length < minLetters ? 0 : shares.reduce((a, b) => a + b, 0) / shares.length;
}

/** The common coverage of a letter of the atlas and a drawn cell, as a share of that of either. */
function commonShare(
  { left, rise, width, height, levels }: Glyph,
  from: number,
  inkAt: (x: number, y: number) => number,
): number {
  let [common, all] = [0, 0];
  for (let y = 0; y < cell; y++) {
    for (let x = 0; x < cell; x++) {
      const [column, row] = [x - 16 - left, y - 44 + rise];
      const isInside = column >= 0 && row >= 0 && column < width && row < height;
      const ours = isInside ? (levels[row * width + column] ?? 0) * 85 : 0;
      const theirs = inkAt(from + x, y);
      common += Math.min(ours, theirs);
      all += Math.max(ours, theirs);
    }
  }
  return common / Math.max(1, all);
}
