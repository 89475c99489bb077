/** Foreground: the pixels of a box that differ from its background, and the box that holds them. Method `chosen`. */

import { inRows, runSteps, type Steps } from "../../../core/work/steps.ts";
import type { Box, RgbPicture } from "../decode/picture.ts";
import { foregroundFloor, foregroundNoiseFactor, foregroundPercentile, foregroundShare } from "../tuning.ts";
import { colorAt, isFlat, type Plane } from "./background.ts";
import { countRows, threshold } from "./foreground-counts.ts";
import { type ViewKernels, viewKernels } from "./kernels/view-kernels.ts";

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
  return runSteps(foregroundSteps(picture, box, plane));
}

/** The same in steps. */
export function* foregroundSteps(picture: RgbPicture, box: Box, plane: Plane): Steps<Foreground | undefined> {
  const histogram = new Uint32Array(256);
  const width = box.right - box.left;
  const bits = new Uint8Array(width * (box.bottom - box.top));
  const measure = distancesFrom(plane);
  const rowsOf = (from: number, to: number) => ({ ...box, top: from, bottom: to });
  yield* inRows(box.top, box.bottom, width, (from, to) =>
    measure(picture, rowsOf(from, to), bits, (from - box.top) * width, histogram),
  );
  const full = foregroundLevel(histogram);
  if (full === undefined) return undefined;
  const level = Math.floor(
    Math.max(foregroundFloor, full * foregroundShare, plane.noise * foregroundNoiseFactor),
  );
  const counts = { rows: new Uint32Array(box.bottom - box.top), columns: new Uint32Array(width) };
  yield* inRows(0, counts.rows.length, width, (from, to) => {
    const columns = counts.columns;
    threshold(
      { bits, stride: width, from: from * width, rows: to - from, level },
      counts.rows.subarray(from, to),
      columns,
    );
  });
  return counts.rows.some((row) => row > 0) ? { box, bits, counts } : undefined;
}

/**
 * Writes the largest channel distance of each pixel of a box from a plane, rounded down; leaves those up to the floor.
 * The others are added to `histogram`.
 */
type MeasureDistances = (
  picture: RgbPicture,
  box: Box,
  out: Uint8Array,
  at: number,
  histogram: Uint32Array,
) => void;

function distancesFrom(plane: Plane, path: "fast" | "plain" = "fast"): MeasureDistances {
  const { plain, kernel } = isFlat(plane) ? flatDistances(plane) : slopedDistances(plane);
  if (path === "plain" || !kernel) return plain;
  return (picture, box, out, at, histogram) => {
    const small = (box.right - box.left) * (box.bottom - box.top) < minFastPixels;
    if (small || !fastDistances(kernel, picture, box, out, at, histogram))
      plain(picture, box, out, at, histogram);
  };
}

/** A measurement in TypeScript, and in WebAssembly where that is supported for the plane. */
interface DistancePaths {
  readonly plain: MeasureDistances;
  readonly kernel: DistanceKernel | undefined;
}

/** The numbers of a plane as the kernels read them, and the kernel for `count` pixels of a row from (`x`, `y`) on. */
interface DistanceKernel {
  readonly numbers: Uint8Array;
  /** Whether pixels of several rows can be measured together. */
  readonly joinsRows: boolean;
  readonly measure: (
    kernels: ViewKernels,
    from: number,
    count: number,
    x: number,
    y: number,
    to: number,
  ) => void;
}

/** Distances from one color: most backgrounds are flat. */
function flatDistances({ red, green, blue }: Plane): DistancePaths {
  const tables = [red, green, blue].map(({ level }) => distanceTable(level));
  const numbers = colorBytes(tables);
  const measure: DistanceKernel["measure"] = (kernels, from, count, _x, _y, to) =>
    kernels.measure(from, count, 0, foregroundFloor, to, histogramAt);
  return { plain: tableDistances(tables), kernel: numbers && { numbers, joinsRows: true, measure } };
}

/** The distances of a box from a plane and their histogram. Tests compare the paths. */
export function measureDistances(
  picture: RgbPicture,
  box: Box,
  plane: Plane,
  path: "fast" | "plain" = "fast",
): { readonly distances: Uint8Array; readonly histogram: Uint32Array } {
  const distances = new Uint8Array((box.right - box.left) * (box.bottom - box.top));
  const histogram = new Uint32Array(256);
  distancesFrom(plane, path)(picture, box, distances, 0, histogram);
  return { distances, histogram };
}

/** Pixels from which copying to the memory of the kernels is worth it. */
const minFastPixels = 512;
/** Width of a picture, in widths of a box, up to which its whole rows are copied. */
const maxWidthRatio = 4;
/** Addresses in the memory of the kernels. */
const histogramAt = 128;
const pixelsAt = 2048;

/** The same in WebAssembly; returns false where the runtime has no SIMD. */
function fastDistances(
  { numbers, joinsRows, measure }: DistanceKernel,
  { width, rgb }: RgbPicture,
  { left, top, right, bottom }: Box,
  out: Uint8Array,
  at: number,
  histogram: Uint32Array,
): boolean {
  const row = right - left;
  const count = row * (bottom - top);
  // Whole rows are copied at once, when the box has enough of them.
  const copied = width <= maxWidthRatio * row ? width : row;
  const outAt = pixelsAt + 3 * copied * (bottom - top);
  const fast = viewKernels(outAt + count);
  if (!fast) return false;
  const bytes = new Uint8Array(fast.buffer);
  bytes.set(numbers);
  if (copied === width) bytes.set(rgb.subarray(top * width * 3, bottom * width * 3), pixelsAt);
  else
    for (let y = top, to = pixelsAt; y < bottom; y++, to += 3 * row) {
      const from = (y * width + left) * 3;
      bytes.set(rgb.subarray(from, from + 3 * row), to);
    }
  const counts = new Uint32Array(fast.buffer, histogramAt, 256);
  counts.fill(0);
  if (joinsRows && copied === row) measure(fast.kernels, pixelsAt, count, left, top, outAt);
  else {
    const first = pixelsAt + (copied === width ? 3 * left : 0);
    for (let y = 0; y < bottom - top; y++)
      measure(fast.kernels, first + 3 * y * copied, row, left, top + y, outAt + y * row);
  }
  out.set(bytes.subarray(outAt, outAt + count), at);
  for (let i = 0; i < 256; i++) histogram[i] = (histogram[i] ?? 0) + (counts[i] ?? 0);
  return true;
}

/**
 * For 16 pixels, the level of each channel below which its distance grows, and then the one above which it does; undefined
 * for tables that do not grow by 1 a level.
 */
function colorBytes(tables: readonly Uint8Array[]): Uint8Array | undefined {
  const color = new Uint8Array(96);
  for (const [channel, table] of tables.entries()) {
    const low = table[0] ?? 0;
    const high = 255 - (table[255] ?? 0);
    for (let v = 0; v < 256; v++) if (table[v] !== Math.max(0, low - v, v - high)) return undefined;
    for (let i = channel; i < 48; i += 3) {
      color[i] = low;
      color[48 + i] = high;
    }
  }
  return color;
}

/** Distances by tables, which need a third of the time of computing them. */
function tableDistances([red, green, blue]: readonly Uint8Array[]): MeasureDistances {
  return ({ width, rgb }, { left, top, right, bottom }, out, at, histogram) => {
    for (let y = top, o = at; y < bottom; y++) {
      for (let x = left, i = (y * width + left) * 3; x < right; x++, i += 3, o++) {
        const r = red?.[rgb[i] ?? 0] ?? 0;
        const g = green?.[rgb[i + 1] ?? 0] ?? 0;
        const b = blue?.[rgb[i + 2] ?? 0] ?? 0;
        const distance = larger(larger(r, g), b);
        if (distance <= foregroundFloor) continue;
        out[o] = distance;
        histogram[distance] = (histogram[distance] ?? 0) + 1;
      }
    }
  };
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

/** Distances from a gradient. */
function slopedDistances({ red, green, blue }: Plane): DistancePaths {
  const none = { level: 0, slopeX: 0, slopeY: 0 };
  const channels = [red, green, blue, none];
  const numbers = new Uint8Array(
    Float64Array.from([
      ...channels.map(({ level }) => level),
      ...channels.map(({ slopeX }) => slopeX),
      ...channels.map(({ slopeY }) => slopeY),
    ]).buffer,
  );
  const measure: DistanceKernel["measure"] = (kernels, from, count, x, y, to) =>
    kernels.measureSloped(from, count, x, y, 0, foregroundFloor, to, histogramAt);
  const plain: MeasureDistances = ({ width, rgb }, { left, top, right, bottom }, out, at, histogram) => {
    for (let y = top, o = at; y < bottom; y++) {
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
  };
  return { plain, kernel: { numbers, joinsRows: false, measure } };
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
  return runSteps(trimSteps(foreground, within));
}

/** The same in steps. */
export function* trimSteps(foreground: Foreground, within: Box): Steps<TrimmedBox | undefined> {
  const { rows, columns } =
    within === foreground.box ? foreground.counts : yield* countForeground(foreground, within);
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

/** Counts the foreground of a box inside the box of the foreground, in steps. */
export function* countForeground(
  foreground: Pick<Foreground, "box" | "bits">,
  within: Box,
): Steps<ForegroundCounts> {
  const width = within.right - within.left;
  const counts = { rows: new Uint32Array(within.bottom - within.top), columns: new Uint32Array(width) };
  const stride = foreground.box.right - foreground.box.left;
  const start = (within.top - foreground.box.top) * stride + within.left - foreground.box.left;
  yield* inRows(0, counts.rows.length, width, (from, to) =>
    countRows(
      { bits: foreground.bits, stride, from: start + from * stride, rows: to - from },
      counts.rows.subarray(from, to),
      counts.columns,
    ),
  );
  return counts;
}
