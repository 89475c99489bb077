/**
 * Compares a logo with a place by the colors alone. The search for edges ignores color, so that a logo is found in any. A
 * place with the logo's colors is less often a common thing, and one with several of them where they belong is not text.
 */

import type { Raster } from "../decode/picture.ts";

/** The colors of a logo on a grid over its box. */
export interface ColorGrid {
  /** Cells with ink: their indexes, row by row. */
  readonly cells: Uint16Array;
  /** Chroma of each of them, two numbers: red less green, and their mean less blue. */
  readonly chroma: Float32Array;
  /** The same less their means, of a logo of several colors. */
  readonly several: Float32Array | undefined;
  /** Whether the colors are far from gray. */
  readonly isColorful: boolean;
}

/** A comparison of a logo with a place by their colors. */
export interface ColorMatch {
  /** Correlation with the logo's colors, -1 to 1; 0 for a place or a logo of one color. */
  readonly agreement: number;
  /** Mean distance from the logo's colors, in levels of chroma; infinite for a logo that is nearly gray. */
  readonly distance: number;
}

/** The colors of a place that are not compared. */
export const noColorMatch: ColorMatch = { agreement: 0, distance: Number.POSITIVE_INFINITY };

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
/** Minimum mean length of the chroma of a logo that is not gray: the distance of a gray place from it. */
const minChroma = 80;

/** The colors of a logo; undefined for one that is nearly gray. */
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
  if (cells.length < minCells) return undefined;
  const own = chroma.slice(0, 2 * cells.length);
  const centered = centeredChroma(own);
  const several = spreadOf(centered) < minLogoSpread ? undefined : centered;
  const isColorful = meanDistance(own, new Float32Array(own.length)) >= minChroma;
  return several || isColorful
    ? { cells: Uint16Array.from(cells), chroma: own, several, isColorful }
    : undefined;
}

/**
 * Compares a logo's colors with those in a box of a picture.
 *
 * @param box left, top, right and bottom in pixels; it may exceed the picture
 */
export function matchColors(
  { cells, chroma, several, isColorful }: ColorGrid,
  { width, height, data }: Raster,
  [left, top, right, bottom]: readonly [number, number, number, number],
): ColorMatch {
  const seen = new Float32Array(chroma.length);
  for (const [i, cell] of cells.entries()) {
    const [x, y] = centerOf(cell, left, top, right, bottom);
    const at = 4 * (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x)));
    setChroma(seen, i, data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
  }
  const distance = isColorful ? meanDistance(chroma, seen) : noColorMatch.distance;
  return { distance, agreement: several ? correlation(several, centeredChroma(seen)) : 0 };
}

function meanDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 2)
    sum += Math.hypot((a[i] ?? 0) - (b[i] ?? 0), (a[i + 1] ?? 0) - (b[i + 1] ?? 0));
  return (2 * sum) / Math.max(1, a.length);
}

/** The correlation of two lists of centered chroma; 0 where the second one has one color. */
function correlation(own: Float32Array, theirs: Float32Array): number {
  if (spreadOf(theirs) < minPlaceSpread) return 0;
  let [dot, a, b] = [0, 0, 0];
  for (const [i, value] of theirs.entries()) {
    const ours = own[i] ?? 0;
    dot += ours * value;
    a += ours * ours;
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

/** Pairs of numbers less their means. */
function centeredChroma(chroma: Float32Array): Float32Array {
  const count = Math.max(1, chroma.length / 2);
  let [first, second] = [0, 0];
  for (let i = 0; i < chroma.length; i += 2) {
    first += chroma[i] ?? 0;
    second += chroma[i + 1] ?? 0;
  }
  return chroma.map((value, i) => value - (i % 2 === 0 ? first : second) / count);
}

function spreadOf(centered: Float32Array): number {
  let sum = 0;
  for (const value of centered) sum += value * value;
  return Math.sqrt((2 * sum) / Math.max(1, centered.length));
}
