/** Foreground: the pixels of a box that differ from its background, and the box that holds them. Method `chosen`. */

import type { Box, RgbPicture } from "../decode/picture.ts";
import { foregroundFloor, foregroundNoiseFactor, foregroundPercentile, foregroundShare } from "../tuning.ts";
import { colorAt, isFlat, type Plane } from "./background.ts";

/** The foreground of a box: one byte a pixel, 1 for foreground, in rows as wide as the box. */
export interface Foreground {
  readonly box: Box;
  readonly bits: Uint8Array;
  readonly counts: ForegroundCounts;
}

/** Number of foreground pixels in each row and column of a box. */
export interface ForegroundCounts {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
}

/** Finds the foreground of a box against a background; undefined without foreground. */
export function findForeground(picture: RgbPicture, box: Box, plane: Plane): Foreground | undefined {
  const histogram = new Uint32Array(256);
  const bits = distances(picture, box, plane, histogram);
  const full = foregroundLevel(histogram);
  if (full === undefined) return undefined;
  const level = Math.max(foregroundFloor, full * foregroundShare, plane.noise * foregroundNoiseFactor);
  const counts = threshold(bits, box, Math.floor(level));
  return counts.rows.some((row) => row > 0) ? { box, bits, counts } : undefined;
}

/** Replaces distances above a level with 1 and the others with 0; counts the former. */
function threshold(bits: Uint8Array, { left, top, right, bottom }: Box, level: number): ForegroundCounts {
  const columns = new Uint32Array(right - left);
  const rows = new Uint32Array(bottom - top);
  for (let y = 0, i = 0; y < rows.length; y++) {
    let row = 0;
    for (let x = 0; x < columns.length; x++, i++) {
      const bit = (bits[i] ?? 0) > level ? 1 : 0;
      bits[i] = bit;
      row += bit;
      columns[x] = (columns[x] ?? 0) + bit;
    }
    rows[y] = row;
  }
  return { rows, columns };
}

/**
 * Largest channel distance of each pixel from the plane, rounded down; 0 for those up to the floor. The others are
 * added to `histogram`.
 */
function distances(picture: RgbPicture, box: Box, plane: Plane, histogram: Uint32Array): Uint8Array {
  return (isFlat(plane) ? flatDistances : slopedDistances)(picture, box, plane, histogram);
}

/** Distances from one color, by tables: most backgrounds are flat, and tables need a third of the time. */
function flatDistances(
  { width, rgb }: RgbPicture,
  { left, top, right, bottom }: Box,
  plane: Plane,
  histogram: Uint32Array,
): Uint8Array {
  const red = distanceTable(plane.red.level);
  const green = distanceTable(plane.green.level);
  const blue = distanceTable(plane.blue.level);
  const out = new Uint8Array((right - left) * (bottom - top));
  for (let y = top, o = 0; y < bottom; y++) {
    for (let x = left, i = (y * width + left) * 3; x < right; x++, i += 3, o++) {
      const r = red[rgb[i] ?? 0] ?? 0;
      const g = green[rgb[i + 1] ?? 0] ?? 0;
      const b = blue[rgb[i + 2] ?? 0] ?? 0;
      const distance = larger(larger(r, g), b);
      if (distance <= foregroundFloor) continue;
      out[o] = distance;
      histogram[distance] = (histogram[distance] ?? 0) + 1;
    }
  }
  return out;
}

/** The larger of two small integers, without a branch: noise would make it unpredictable. */
function larger(a: number, b: number): number {
  const difference = a - b;
  return a - (difference & (difference >> 31));
}

function distanceTable(level: number): Uint8Array {
  const table = new Uint8Array(256);
  for (let v = 0; v < 256; v++) table[v] = Math.min(255, Math.abs(v - level));
  return table;
}

function slopedDistances(
  { width, rgb }: RgbPicture,
  { left, top, right, bottom }: Box,
  { red, green, blue }: Plane,
  histogram: Uint32Array,
): Uint8Array {
  const out = new Uint8Array((right - left) * (bottom - top));
  for (let y = top, o = 0; y < bottom; y++) {
    for (let x = left, i = (y * width + left) * 3; x < right; x++, i += 3, o++) {
      const r = Math.abs((rgb[i] ?? 0) - colorAt(red, x, y));
      const g = Math.abs((rgb[i + 1] ?? 0) - colorAt(green, x, y));
      const b = Math.abs((rgb[i + 2] ?? 0) - colorAt(blue, x, y));
      const distance = Math.min(255, Math.max(r, g, b)) | 0;
      if (distance <= foregroundFloor) continue;
      out[o] = distance;
      histogram[distance] = (histogram[distance] ?? 0) + 1;
    }
  }
  return out;
}

/** The full foreground level: a percentile of the distances above the floor; undefined without any. */
export function foregroundLevel(histogram: Uint32Array): number | undefined {
  let left = histogram.subarray(foregroundFloor + 1).reduce((sum, count) => sum + count, 0);
  if (left === 0) return undefined;
  left *= 1 - foregroundPercentile;
  for (let level = 255; level > foregroundFloor; level--) {
    left -= histogram[level] ?? 0;
    if (left <= 0) return level;
  }
  return foregroundFloor + 1;
}

/** The smallest box around foreground, and the foreground in each of its rows and columns. */
export interface TrimmedBox extends ForegroundCounts {
  readonly box: Box;
}

/** Trims a box, by default the one of the foreground, to the foreground in it; undefined without foreground. */
export function trimForeground(foreground: Foreground, within: Box = foreground.box): TrimmedBox | undefined {
  const { rows, columns } =
    within === foreground.box ? foreground.counts : countForeground(foreground, within);
  const [top, bottom] = extent(rows, minCount(columns.length));
  const [left, right] = extent(columns, minCount(rows.length));
  if (top === bottom || left === right) return undefined;
  const box = {
    left: within.left + left,
    top: within.top + top,
    right: within.left + right,
    bottom: within.top + bottom,
  };
  return { box, rows: rows.subarray(top, bottom), columns: columns.subarray(left, right) };
}

/** Minimum number of foreground pixels of a row or column that counts: single noisy pixels on long lines do not. */
function minCount(length: number): number {
  return length >= 200 ? 2 : 1;
}

function extent(counts: Uint32Array, min: number): readonly [start: number, end: number] {
  const start = counts.findIndex((count) => count >= min);
  if (start >= 0) return [start, counts.findLastIndex((count) => count >= min) + 1];
  return min > 1 ? extent(counts, 1) : [0, 0];
}

/** Counts the foreground of a box inside the box of the foreground. */
export function countForeground(
  { box, bits }: Pick<Foreground, "box" | "bits">,
  within: Box,
): ForegroundCounts {
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
      columns[x] = (columns[x] ?? 0) + 1;
    }
    rows[y] = row;
  }
  return { rows, columns };
}
