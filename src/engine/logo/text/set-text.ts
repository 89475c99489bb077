/** Sets letters of the atlas on a picture, line by line. */

import type { Raster } from "../decode/picture.ts";
import type { Face, Glyph } from "./glyph-atlas.ts";

/** Size of a picture of text, in pixels. */
const width = 512;
const height = 400;
/** Pixels before a line. */
const margin = 6;
/** Of a line, in pixels of the bitmaps: its height, its baseline from the top, and the gap between words or letters. */
const line = { height: 31, baseline: 23, gap: 7 } as const;

/** A picture of text with the place of the next letter. Letters that have no room are left out. */
export interface Sheet {
  /** Ink of each pixel, 0 to 255. */
  readonly ink: Uint8Array;
  x: number;
  y: number;
}

/** An empty picture. */
export function emptySheet(): Sheet {
  return { ink: new Uint8Array(width * height), x: margin, y: 0 };
}

/** Sets letters apart from each other. */
export function setApart(sheet: Sheet, letters: Iterable<Glyph>, scale: number): void {
  for (const glyph of letters) setRun(sheet, [glyph], scale);
}

/** Sets a word; letters that the face does not have are left out. */
export function setWord(sheet: Sheet, face: Face, word: string, scale: number): void {
  const run = [...word].flatMap((letter) => face.get(letter.codePointAt(0) ?? 0) ?? []);
  setRun(sheet, run, scale);
}

function setRun(sheet: Sheet, run: readonly Glyph[], scale: number): void {
  const advance = run.reduce((sum, glyph) => sum + glyph.advance, 0);
  if (sheet.x + advance * scale > width) {
    sheet.x = margin;
    sheet.y += line.height * scale;
  }
  if (sheet.y + line.height * scale > height) return;
  for (const glyph of run) {
    drawGlyph(sheet, glyph, scale);
    sheet.x += glyph.advance * scale;
  }
  sheet.x += line.gap * scale;
}

/** Draws a letter enlarged, by linear interpolation of its coverage. */
function drawGlyph({ ink, x: left, y: top }: Sheet, glyph: Glyph, scale: number): void {
  const { width: w, height: h, levels } = glyph;
  const x0 = left + glyph.left * scale;
  const y0 = top + (line.baseline - glyph.rise) * scale;
  const levelAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= w || y >= h ? 0 : (levels[y * w + x] ?? 0);
  const [fromX, toX] = rangeOf(x0, w, scale, width);
  const [fromY, toY] = rangeOf(y0, h, scale, height);
  for (let y = fromY; y < toY; y++) {
    const v = (y + 0.5 - y0) / scale - 0.5;
    const row = Math.floor(v);
    for (let x = fromX; x < toX; x++) {
      const u = (x + 0.5 - x0) / scale - 0.5;
      const column = Math.floor(u);
      const p = u - column;
      const upper = levelAt(column, row) * (1 - p) + levelAt(column + 1, row) * p;
      const lower = levelAt(column, row + 1) * (1 - p) + levelAt(column + 1, row + 1) * p;
      const level = Math.round(85 * (upper + (lower - upper) * (v - row)));
      const o = y * width + x;
      if (level > (ink[o] ?? 0)) ink[o] = level;
    }
  }
}

/** The pixels that a bitmap of `size` reaches from `start`. */
function rangeOf(
  start: number,
  size: number,
  scale: number,
  end: number,
): readonly [from: number, to: number] {
  return [Math.max(0, Math.floor(start - scale)), Math.min(end, Math.ceil(start + (size + 1) * scale))];
}

/** The picture: dark on light, or light on dark. */
export function rasterOf({ ink }: Sheet, isLightOnDark: boolean): Raster {
  const [ground, slope] = isLightOnDark ? [24, 0.88] : [255, -0.88];
  const data = new Uint8Array(ink.length * 4).fill(255);
  for (let i = 0, o = 0; i < ink.length; i++, o += 4) {
    const value = Math.round(ground + slope * (ink[i] ?? 0));
    data[o] = value;
    data[o + 1] = value;
    data[o + 2] = value;
  }
  return { width, height, data };
}
