/**
 * Agreement of a logo of several colors with a place, by the colors alone. The search for edges ignores color, so that
 * a logo is found in any; text has one color, so that a place with the logo's colors where they belong is not text.
 */

import type { Raster } from "../decode/picture.ts";

/** The colors of a logo on a grid over its box. */
export interface ColorGrid {
  /** Cells with ink: their indexes, row by row. */
  readonly cells: Uint16Array;
  /** Two numbers for each of them: red less green, and their mean less blue. The mean of all is 0. */
  readonly chroma: Float32Array;
}

/** The visible part of a logo. */
interface ColoredLogo {
  readonly width: number;
  readonly height: number;
  /** Writes premultiplied red, green, blue and alpha of a pixel, 0 to 255 each, at an index of `out`. */
  readonly read: (x: number, y: number, out: Float32Array, at: number) => void;
}

/** Cells along a side. */
const gridSide = 16;
/** Alpha from which a cell has ink. */
const inkAlpha = 128;
/** Minimum cells with ink. */
const minCells = 24;
/** Minimum spread (standard deviation) of the two numbers of chroma of a logo of several colors, and of a place. */
const [minLogoSpread, minPlaceSpread] = [40, 12];

/** The colors of a logo; undefined for a logo of one color. */
export function colorGridOf({ width, height, read }: ColoredLogo): ColorGrid | undefined {
  const cells: number[] = [];
  const chroma = new Float32Array(2 * gridSide * gridSide);
  const pixel = new Float32Array(4);
  for (let cell = 0; cell < gridSide * gridSide; cell++) {
    const [x, y] = centerOf(cell, 0, 0, width, height);
    read(Math.min(width - 1, x), Math.min(height - 1, y), pixel, 0);
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixel;
    if (alpha < inkAlpha) continue;
    const scale = 255 / alpha;
    setChroma(chroma, cells.length, red * scale, green * scale, blue * scale);
    cells.push(cell);
  }
  const centered = centeredChroma(chroma.slice(0, 2 * cells.length));
  if (cells.length < minCells || spreadOf(centered) < minLogoSpread) return undefined;
  return { cells: Uint16Array.from(cells), chroma: centered };
}

/**
 * The correlation of a logo's colors with those in a box of a picture, -1 to 1; 0 for a place of one color.
 *
 * @param box left, top, right and bottom in pixels; it may exceed the picture
 */
export function colorAgreement(
  { cells, chroma }: ColorGrid,
  { width, height, data }: Raster,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number {
  const seen = new Float32Array(chroma.length);
  for (const [i, cell] of cells.entries()) {
    const [x, y] = centerOf(cell, left, top, right, bottom);
    const at = 4 * (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x)));
    setChroma(seen, i, data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
  }
  const theirs = centeredChroma(seen);
  if (spreadOf(theirs) < minPlaceSpread) return 0;
  let [dot, a, b] = [0, 0, 0];
  for (const [i, value] of theirs.entries()) {
    const own = chroma[i] ?? 0;
    dot += own * value;
    a += own * own;
    b += value * value;
  }
  return dot / Math.sqrt(a * b);
}

/** The pixel in the center of a cell of the grid over a box. */
function centerOf(cell: number, left: number, top: number, right: number, bottom: number) {
  const column = cell % gridSide;
  const row = Math.floor(cell / gridSide);
  return [
    Math.floor(left + ((column + 0.5) * (right - left)) / gridSide),
    Math.floor(top + ((row + 0.5) * (bottom - top)) / gridSide),
  ] as const;
}

function setChroma(chroma: Float32Array, index: number, red: number, green: number, blue: number): void {
  chroma[2 * index] = red - green;
  chroma[2 * index + 1] = (red + green) / 2 - blue;
}

/** Takes their means off pairs of numbers. */
function centeredChroma(chroma: Float32Array): Float32Array {
  const count = Math.max(1, chroma.length / 2);
  let [first, second] = [0, 0];
  for (let i = 0; i < chroma.length; i += 2) {
    first += chroma[i] ?? 0;
    second += chroma[i + 1] ?? 0;
  }
  for (let i = 0; i < chroma.length; i += 2) {
    chroma[i] = (chroma[i] ?? 0) - first / count;
    chroma[i + 1] = (chroma[i + 1] ?? 0) - second / count;
  }
  return chroma;
}

function spreadOf(centered: Float32Array): number {
  let sum = 0;
  for (const value of centered) sum += value * value;
  return Math.sqrt((2 * sum) / Math.max(1, centered.length));
}
