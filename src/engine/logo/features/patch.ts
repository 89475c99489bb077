/**
 * Patches: a box of a picture resampled to one size, as colors and as a foreground map of 64 x 64 inside an empty
 * margin. The aspect is not kept. Method `chosen`.
 */

import type { Steps } from "../../../core/work/steps.ts";
import { over } from "../decode/flatten-pixels.ts";
import type { Box, PixelSource, Pyramid } from "../decode/picture.ts";
import { colorAt, isFlat, type Plane } from "../regions/background.ts";
import { foregroundLevel } from "../regions/foreground.ts";
import { viewKernels } from "../regions/kernels/view-kernels.ts";
import { patchMargin, patchSide } from "../tuning.ts";

/** The pixels of a view: values 0 to 255. */
export interface Patch {
  /** patchSide * patchSide * 3 colors. */
  readonly rgb: Float32Array;
  /** patchSide * patchSide distances from the background. */
  readonly map: Float32Array;
}

/** Side of a patch without its margin, in pixels. */
export const innerSide = patchSide - 2 * patchMargin;

/** Cuts the patch of a box in steps; box and plane are in pixels of the pyramid's level `searchedLevel`. */
export function* cutPatch(pyramid: Pyramid, searchedLevel: number, box: Box, plane: Plane): Steps<Patch> {
  const level = levelFor(box, searchedLevel);
  // The full size may need no opaque copy.
  if (level > 0) yield* pyramid.steps(level);
  const scale = 2 ** (searchedLevel - level);
  const colors = resample(pyramid.source(level), {
    left: box.left * scale,
    top: box.top * scale,
    right: box.right * scale,
    bottom: box.bottom * scale,
  });
  return fillPatch(colors, box, plane);
}

/** The coarsest level at which the box is still larger than the patch in both directions. */
function levelFor({ left, top, right, bottom }: Box, searchedLevel: number): number {
  const shorter = Math.min(right - left, bottom - top);
  return Math.max(0, searchedLevel + Math.floor(Math.log2(shorter / innerSide)));
}

/** A triangle filter, at least one source pixel wide: the source pixels of each target pixel and their weights. */
interface Filter {
  /** First source pixel of each target pixel. */
  readonly first: Int32Array;
  /** Number of weights stored for each target pixel. */
  readonly size: number;
  /** Number of weights of each target pixel, up to the last that is not 0. */
  readonly used: Int32Array;
  readonly weights: Float32Array;
}

function filterOf(start: number, end: number, limit: number): Filter {
  const step = (end - start) / innerSide;
  const reach = Math.max(1, step);
  const size = Math.ceil(2 * reach) + 1;
  const first = new Int32Array(innerSide);
  const used = new Int32Array(innerSide);
  const weights = new Float32Array(innerSide * size);
  for (let i = 0; i < innerSide; i++) {
    const center = start + (i + 0.5) * step - 0.5;
    const from = Math.ceil(center - reach);
    const own = weights.subarray(i * size, (i + 1) * size);
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const w = Math.max(0, 1 - Math.abs(from + k - center) / reach);
      own[k] = w;
      sum += w;
    }
    for (let k = 0; k < size; k++) own[k] = (own[k] ?? 0) / sum;
    first[i] = Math.min(Math.max(from, 0), Math.max(0, limit - size));
    if (from < 0 || from + size > limit) clampWeights(own, from, first[i] ?? 0, limit);
    used[i] = usedWeights(own);
  }
  return { first, size, used, weights };
}

/** Number of weights up to the last that is not 0. */
function usedWeights(weights: Float32Array): number {
  let used = weights.length;
  while (used > 0 && weights[used - 1] === 0) used--;
  return used;
}

/** Moves the weights of positions outside the picture to its edge. */
function clampWeights(weights: Float32Array, from: number, first: number, limit: number): void {
  const { length } = weights;
  const moved = new Float32Array(length);
  for (let k = 0; k < length; k++) {
    const position = Math.min(Math.max(from + k, 0), limit - 1);
    const to = Math.min(Math.max(position - first, 0), length - 1);
    moved[to] = (moved[to] ?? 0) + (weights[k] ?? 0);
  }
  weights.set(moved);
}

/** Memory of the last resampling, reused because allocating it for each view loads the garbage collector. */
const scratch = {
  row: new Float32Array(innerSide * 3),
  out: new Float32Array(innerSide * innerSide * 3),
};

/**
 * Resamples a box to innerSide x innerSide colors: each source row is averaged across, then added to its target rows. The result
 * is valid until the next call. Tests compare the paths.
 */
export function resample(source: PixelSource, box: Box, path: "fast" | "plain" = "fast"): Float32Array {
  const across = filterOf(box.left, box.right, source.width);
  const down = filterOf(box.top, box.bottom, source.height);
  return (path === "fast" && resampleFast(source, across, down)) || resamplePlain(source, across, down);
}

/** Rows of a source that a filter reads. */
function rowsOf({ first, size }: Filter, height: number): readonly [from: number, to: number] {
  return [first[0] ?? 0, Math.min(height, (first[innerSide - 1] ?? 0) + size)];
}

/** The same in WebAssembly; undefined for transparent pixels, and where the runtime has no SIMD. */
function resampleFast({ width, height, bytes, step }: PixelSource, across: Filter, down: Filter) {
  if (step !== 3) return undefined;
  const [top, bottom] = rowsOf(down, height);
  const left = across.first[0] ?? 0;
  const rowBytes = 3 * (Math.min(width, (across.first[innerSide - 1] ?? 0) + across.size) - left);
  const rowAt = 64;
  const outAt = rowAt + 12 * innerSide;
  const acrossAt = outAt + 12 * innerSide * innerSide;
  const downAt = acrossAt + filterBytes(across);
  const pixelsAt = downAt + filterBytes(down);
  const fast = viewKernels(pixelsAt + rowBytes * (bottom - top) + 4);
  if (!fast) return undefined;
  const { kernels, buffer } = fast;
  const memory = new Uint8Array(buffer);
  for (let y = top, to = pixelsAt; y < bottom; y++, to += rowBytes) {
    const from = (y * width + left) * 3;
    memory.set(bytes.subarray(from, from + rowBytes), to);
  }
  writeFilter(buffer, acrossAt, across, left, width);
  writeFilter(buffer, downAt, down, 0, height);
  kernels.resampleColors(
    pixelsAt,
    rowBytes,
    top,
    bottom,
    acrossAt,
    across.size,
    downAt,
    down.size,
    innerSide,
    rowAt,
    outAt,
  );
  return new Float32Array(buffer, outAt, 3 * innerSide * innerSide);
}

function filterBytes({ weights }: Filter): number {
  return 8 * innerSide + weights.byteLength;
}

/** Writes a filter whose first pixel is number `start` of `limit`. */
function writeFilter(
  buffer: ArrayBuffer,
  at: number,
  { first, used, weights }: Filter,
  start: number,
  limit: number,
): void {
  const words = new Int32Array(buffer, at, 2 * innerSide);
  for (let i = 0; i < innerSide; i++) {
    const from = first[i] ?? 0;
    words[i] = from - start;
    words[innerSide + i] = Math.min(limit - from, used[i] ?? 0);
  }
  new Float32Array(buffer, at + 8 * innerSide, weights.length).set(weights);
}

function resamplePlain(source: PixelSource, across: Filter, down: Filter): Float32Array {
  const { row, out } = scratch;
  out.fill(0);
  const [firstRow, lastRow] = rowsOf(down, source.height);
  let first = 0;
  for (let y = firstRow; y < lastRow; y++) {
    averageAcross(source, y, across, row);
    while (first < innerSide && (down.first[first] ?? 0) + (down.used[first] ?? 0) <= y) first++;
    for (let j = first; j < innerSide; j++) {
      const k = y - (down.first[j] ?? 0);
      if (k < 0) break;
      if (k < (down.used[j] ?? 0)) addRow(out, j * row.length, row, down.weights[j * down.size + k] ?? 0);
    }
  }
  return out;
}

/** Averages a source row to `innerSide` colors. */
function averageAcross(source: PixelSource, y: number, filter: Filter, to: Float32Array): void {
  if (source.step === 4) averageTransparent(source, y, filter, to);
  else averageOpaque(source, y, filter, to);
}

/** Not shared with `averageOpaque`: the alpha takes half of the time. */
function averageTransparent(
  { width, bytes, matte }: PixelSource,
  y: number,
  { first, size, used, weights }: Filter,
  to: Float32Array,
): void {
  for (let i = 0, o = 0; i < innerSide; i++, o += 3) {
    let r = 0;
    let g = 0;
    let b = 0;
    const from = first[i] ?? 0;
    const end = Math.min(width - from, used[i] ?? 0);
    for (let k = 0, s = (y * width + from) * 4; k < end; k++, s += 4) {
      const w = weights[i * size + k] ?? 0;
      const alpha = bytes[s + 3] ?? 0;
      r += w * over(bytes[s] ?? 0, alpha, matte);
      g += w * over(bytes[s + 1] ?? 0, alpha, matte);
      b += w * over(bytes[s + 2] ?? 0, alpha, matte);
    }
    to[o] = r;
    to[o + 1] = g;
    to[o + 2] = b;
  }
}

function averageOpaque(
  { width, bytes }: PixelSource,
  y: number,
  { first, size, used, weights }: Filter,
  to: Float32Array,
): void {
  for (let i = 0, o = 0; i < innerSide; i++, o += 3) {
    let r = 0;
    let g = 0;
    let b = 0;
    const from = first[i] ?? 0;
    const end = Math.min(width - from, used[i] ?? 0);
    for (let k = i * size, s = (y * width + from) * 3, last = k + end; k < last; k++, s += 3) {
      const w = weights[k] ?? 0;
      r += w * (bytes[s] ?? 0);
      g += w * (bytes[s + 1] ?? 0);
      b += w * (bytes[s + 2] ?? 0);
    }
    to[o] = r;
    to[o + 1] = g;
    to[o + 2] = b;
  }
}

function addRow(out: Float32Array, at: number, row: Float32Array, weight: number): void {
  for (let i = 0; i < row.length; i++) out[at + i] = (out[at + i] ?? 0) + weight * (row[i] ?? 0);
}

/** Fills a patch with colors inside a margin of background, and with their distances from the background. Tests compare the paths. */
export function fillPatch(
  colors: Float32Array,
  box: Box,
  plane: Plane,
  path: "fast" | "plain" = "fast",
): Patch {
  const rgb = new Float32Array(patchSide * patchSide * 3);
  const map = new Float32Array(patchSide * patchSide);
  if (path === "fast" && isFlat(plane)) fillFlat({ rgb, map }, colors, plane);
  else fillSloped({ rgb, map }, colors, box, plane);
  return { rgb, map: stretch(map) };
}

/** Most backgrounds have one color: nothing is computed for the margin. */
function fillFlat({ rgb, map }: Patch, colors: Float32Array, { red, green, blue, noise }: Plane): void {
  const [r, g, b] = [red.level, green.level, blue.level];
  for (let i = 0; i < rgb.length; i += 3) {
    rgb[i] = r;
    rgb[i + 1] = g;
    rgb[i + 2] = b;
  }
  const rowNumbers = 3 * innerSide;
  for (let y = 0, from = 0; y < innerSide; y++) {
    const at = (y + patchMargin) * patchSide + patchMargin;
    rgb.set(colors.subarray(from, from + rowNumbers), 3 * at);
    for (let o = at, end = at + innerSide; o < end; o++, from += 3) {
      const dr = Math.abs((colors[from] ?? 0) - r);
      const dg = Math.abs((colors[from + 1] ?? 0) - g);
      const db = Math.abs((colors[from + 2] ?? 0) - b);
      map[o] = Math.max(0, Math.max(dr, dg, db) - noise);
    }
  }
}

function fillSloped(
  { rgb, map }: Patch,
  colors: Float32Array,
  { left, top, right, bottom }: Box,
  { red, green, blue, noise }: Plane,
): void {
  const stepX = (right - left) / innerSide;
  const stepY = (bottom - top) / innerSide;
  for (let y = 0, o = 0, i = 0; y < patchSide; y++) {
    const py = top + (y - patchMargin + 0.5) * stepY - 0.5;
    const insideRow = y >= patchMargin && y < patchSide - patchMargin;
    let from = ((y - patchMargin) * innerSide - patchMargin) * 3;
    for (let x = 0; x < patchSide; x++, o++, i += 3, from += 3) {
      const px = left + (x - patchMargin + 0.5) * stepX - 0.5;
      const r = colorAt(red, px, py);
      const g = colorAt(green, px, py);
      const b = colorAt(blue, px, py);
      if (insideRow && x >= patchMargin && x < patchSide - patchMargin) {
        const cr = colors[from] ?? 0;
        const cg = colors[from + 1] ?? 0;
        const cb = colors[from + 2] ?? 0;
        rgb[i] = cr;
        rgb[i + 1] = cg;
        rgb[i + 2] = cb;
        map[o] = Math.max(0, Math.max(Math.abs(cr - r), Math.abs(cg - g), Math.abs(cb - b)) - noise);
      } else {
        rgb[i] = r;
        rgb[i + 1] = g;
        rgb[i + 2] = b;
      }
    }
  }
}

/** Scales a map so that its full foreground level becomes 255. */
function stretch(map: Float32Array): Float32Array {
  const counts = new Uint32Array(256);
  for (let i = 0; i < map.length; i++) {
    const level = Math.min(255, (map[i] ?? 0) | 0);
    counts[level] = (counts[level] ?? 0) + 1;
  }
  const full = foregroundLevel(counts);
  if (full === undefined) return map;
  const gain = 255 / full;
  for (let i = 0; i < map.length; i++) map[i] = Math.min(255, (map[i] ?? 0) * gain);
  return map;
}

/** The patch mirrored left to right. */
export function mirrorPatch({ rgb, map }: Patch): Patch {
  const out = { rgb: new Float32Array(rgb.length), map: new Float32Array(map.length) };
  for (let y = 0; y < patchSide; y++) {
    for (let x = 0; x < patchSide; x++) {
      const to = y * patchSide + x;
      const from = y * patchSide + patchSide - 1 - x;
      out.map[to] = map[from] ?? 0;
      for (let c = 0; c < 3; c++) out.rgb[to * 3 + c] = rgb[from * 3 + c] ?? 0;
    }
  }
  return out;
}
