/** What stands out of the background: which pixels are ink, and the box that holds them. Method `chosen`. */

import type { Box, Picture } from "../decode/picture.ts";
import { inkFloor, inkNoiseFactor, inkPercentile, inkShare } from "../tuning.ts";
import { coefficientsOf, type Plane } from "./background.ts";

/** The ink of a box: one byte a pixel, 1 where the pixel stands out; rows are as wide as the box. */
export interface Ink {
  readonly box: Box;
  readonly bits: Uint8Array;
  readonly counts: InkCounts;
}

/** How much ink each row and column of a box has. */
export interface InkCounts {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
}

/** Finds the ink of a box against a background; undefined when nothing stands out. */
export function findInk(picture: Picture, box: Box, plane: Plane): Ink | undefined {
  const counts = new Uint32Array(256);
  const bits = distances(picture, box, plane, counts);
  const full = levelOf(counts);
  if (full === undefined) return undefined;
  const least = Math.max(inkFloor, full * inkShare, plane.noise * inkNoiseFactor);
  const ink = { box, bits, counts: separate(bits, box, Math.floor(least)) };
  return ink.counts.rows.some((row) => row > 0) ? ink : undefined;
}

/** Makes distances above a level 1 and the others 0, and counts the former. */
function separate(bits: Uint8Array, { left, top, right, bottom }: Box, level: number): InkCounts {
  const columns = new Uint32Array(right - left);
  const rows = new Uint32Array(bottom - top);
  for (let y = 0, i = 0; y < rows.length; y++) {
    let row = 0;
    for (let x = 0; x < columns.length; x++, i++) {
      const bit = bits[i]! > level ? 1 : 0;
      bits[i] = bit;
      row += bit;
      columns[x]! += bit;
    }
    rows[y] = row;
  }
  return { rows, columns };
}

/**
 * Largest channel distance of each pixel from the plane, rounded down; 0 for those up to the floor. `counts` gets how
 * often the others occur.
 */
function distances(picture: Picture, box: Box, plane: Plane, counts: Uint32Array): Uint8Array {
  const flat = plane.k.subarray(3).every((slope) => slope === 0);
  return flat ? flatDistances(picture, box, plane, counts) : slopedDistances(picture, box, plane, counts);
}

/** Distances from one colour, by tables: most backgrounds are that, and it takes a third of the time. */
function flatDistances(
  { width, rgb }: Picture,
  { left, top, right, bottom }: Box,
  plane: Plane,
  counts: Uint32Array,
): Uint8Array {
  const red = distanceTable(plane.k[0]!);
  const green = distanceTable(plane.k[1]!);
  const blue = distanceTable(plane.k[2]!);
  const out = new Uint8Array((right - left) * (bottom - top));
  for (let y = top, o = 0; y < bottom; y++) {
    for (let x = left, i = (y * width + left) * 3; x < right; x++, i += 3, o++) {
      const r = red[rgb[i]!]!;
      const g = green[rgb[i + 1]!]!;
      const b = blue[rgb[i + 2]!]!;
      const far = larger(larger(r, g), b);
      if (far <= inkFloor) continue;
      out[o] = far;
      counts[far]!++;
    }
  }
  return out;
}

/** The larger of two small integers, without a branch, which noise would make a guess. */
function larger(a: number, b: number): number {
  const less = a - b;
  return a - (less & (less >> 31));
}

function distanceTable(level: number): Uint8Array {
  const table = new Uint8Array(256);
  for (let v = 0; v < 256; v++) table[v] = Math.min(255, Math.abs(v - level));
  return table;
}

function slopedDistances(
  { width, rgb }: Picture,
  { left, top, right, bottom }: Box,
  plane: Plane,
  counts: Uint32Array,
): Uint8Array {
  const out = new Uint8Array((right - left) * (bottom - top));
  const [red, green, blue, redX, greenX, blueX, redY, greenY, blueY] = coefficientsOf(plane);
  for (let y = top, o = 0; y < bottom; y++) {
    for (let x = left, i = (y * width + left) * 3; x < right; x++, i += 3, o++) {
      const r = Math.abs(rgb[i]! - (red + redX * x + redY * y));
      const g = Math.abs(rgb[i + 1]! - (green + greenX * x + greenY * y));
      const b = Math.abs(rgb[i + 2]! - (blue + blueX * x + blueY * y));
      const far = Math.min(255, Math.max(r, g, b)) | 0;
      if (far <= inkFloor) continue;
      out[o] = far;
      counts[far]!++;
    }
  }
  return out;
}

/** The level that the given share of the values above the floor stays below. */
export function levelOf(counts: Uint32Array): number | undefined {
  let above = 0;
  for (let v = inkFloor + 1; v < 256; v++) above += counts[v]!;
  if (above === 0) return undefined;
  let left = above * (1 - inkPercentile);
  for (let v = 255; v > inkFloor; v--) {
    left -= counts[v]!;
    if (left <= 0) return v;
  }
  return inkFloor + 1;
}

/** The smallest box that holds the ink of another, and how much ink each of its rows and columns has. */
export interface Trimmed extends InkCounts {
  readonly box: Box;
}

/** Trims the box of ink, or a box within it, to its ink; undefined when there is none. */
export function trimInk(ink: Ink, within: Box = ink.box): Trimmed | undefined {
  const { rows, columns } = within === ink.box ? ink.counts : countInk(ink, within);
  const [top, bottom] = extent(rows, leastCount(columns.length));
  const [left, right] = extent(columns, leastCount(rows.length));
  if (top === bottom || left === right) return undefined;
  const box = {
    left: within.left + left,
    top: within.top + top,
    right: within.left + right,
    bottom: within.top + bottom,
  };
  return { box, rows: rows.subarray(top, bottom), columns: columns.subarray(left, right) };
}

/** A row or column counts from this many ink pixels: single specks of noise on long lines do not. */
function leastCount(length: number): number {
  return length >= 200 ? 2 : 1;
}

function extent(counts: Uint32Array, least: number): readonly [number, number] {
  let start = 0;
  let end = counts.length;
  while (start < end && counts[start]! < least) start++;
  while (end > start && counts[end - 1]! < least) end--;
  return start === end && least > 1 ? extent(counts, 1) : [start, end];
}

/** Counts the ink of a box within the box of ink. */
export function countInk({ box, bits }: Omit<Ink, "counts">, within: Box): InkCounts {
  const stride = box.right - box.left;
  const width = within.right - within.left;
  const rows = new Uint32Array(within.bottom - within.top);
  const columns = new Uint32Array(width);
  for (let y = 0; y < rows.length; y++) {
    const start = (within.top + y - box.top) * stride + within.left - box.left;
    let row = 0;
    for (let x = 0; x < width; x++) {
      if (bits[start + x] === 0) continue;
      row++;
      columns[x]!++;
    }
    rows[y] = row;
  }
  return { rows, columns };
}
