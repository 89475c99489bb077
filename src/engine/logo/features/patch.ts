/**
 * A box of a picture, brought to one size: its colours and its foreground map on 64 x 64, stretched, inside
 * an empty margin. Method `chosen`.
 */

import { type Box, over, type Pyramid, picturePyramid, type Source } from "../decode/picture.ts";
import { coefficientsOf, flatPlane, type Plane } from "../regions/background.ts";
import { levelOf } from "../regions/foreground.ts";
import { patchMargin, patchSide } from "../tuning.ts";

/** One view before it is described: values 0 to 255. */
export interface Patch {
  /** patchSide * patchSide * 3 colours. */
  readonly rgb: Float32Array;
  /** patchSide * patchSide distances from the background. */
  readonly map: Float32Array;
}

const inner = patchSide - 2 * patchMargin;

/** Side of a drawn patch without its margin, in pixels. */
export const drawnSide = inner;

/** Makes the patch of a box; box and plane are in pixels of the pyramid's level `seenAt`. */
export function cutPatch(pyramid: Pyramid, seenAt: number, box: Box, plane: Plane): Patch {
  const level = levelFor(box, seenAt);
  const scale = 2 ** (seenAt - level);
  const colours = resample(pyramid.source(level), {
    left: box.left * scale,
    top: box.top * scale,
    right: box.right * scale,
    bottom: box.bottom * scale,
  });
  return fillPatch(colours, box, plane);
}

/** The coarsest level at which the box is still larger than the patch in both directions. */
function levelFor({ left, top, right, bottom }: Box, seenAt: number): number {
  const shorter = Math.min(right - left, bottom - top);
  return Math.max(0, seenAt + Math.floor(Math.log2(shorter / inner)));
}

/** Weights of the source pixels for each target pixel: a triangle at least one source pixel wide. */
interface Taps {
  readonly first: Int32Array;
  readonly size: number;
  /** How many of the `size` weights there are up to the last that is not 0. */
  readonly used: Int32Array;
  readonly weights: Float32Array;
}

function tapsOf(start: number, end: number, limit: number): Taps {
  const step = (end - start) / inner;
  const reach = Math.max(1, step);
  const size = Math.ceil(2 * reach) + 1;
  const first = new Int32Array(inner);
  const weights = new Float32Array(inner * size);
  for (let i = 0; i < inner; i++) {
    const centre = start + (i + 0.5) * step - 0.5;
    const from = Math.ceil(centre - reach);
    first[i] = from;
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const w = Math.max(0, 1 - Math.abs(from + k - centre) / reach);
      weights[i * size + k] = w;
      sum += w;
    }
    for (let k = 0; k < size; k++) weights[i * size + k]! /= sum;
  }
  return clampTaps(first, size, weights, limit);
}

/** Moves the weight of places outside the picture to its edge. */
function clampTaps(first: Int32Array, size: number, weights: Float32Array, limit: number): Taps {
  const used = new Int32Array(inner);
  const last = Math.max(0, limit - size);
  const moved = new Float32Array(size);
  for (let i = 0; i < inner; i++) {
    const from = Math.min(Math.max(first[i]!, 0), last);
    moved.fill(0);
    for (let k = 0; k < size; k++) {
      const place = Math.min(Math.max(first[i]! + k, 0), limit - 1);
      moved[Math.min(Math.max(place - from, 0), size - 1)]! += weights[i * size + k]!;
    }
    weights.set(moved, i * size);
    first[i] = from;
    used[i] = size;
    while (used[i]! > 0 && moved[used[i]! - 1] === 0) used[i]!--;
  }
  return { first, size, used, weights };
}

/** Brings a box to inner x inner colours: each row of the source is averaged across, then shared out downwards. */
function resample(source: Source, box: Box): Float32Array {
  const across = tapsOf(box.left, box.right, source.width);
  const down = tapsOf(box.top, box.bottom, source.height);
  const row = new Float32Array(inner * 3);
  const out = new Float32Array(inner * row.length);
  const lastRow = Math.min(source.height, down.first[inner - 1]! + down.size);
  let first = 0;
  for (let y = down.first[0]!; y < lastRow; y++) {
    averageAcross(source, y, across, row);
    while (first < inner && down.first[first]! + down.used[first]! <= y) first++;
    for (let j = first; j < inner && down.first[j]! <= y; j++) {
      const k = y - down.first[j]!;
      if (k < down.used[j]!) addRow(out, j * row.length, row, down.weights[j * down.size + k]!);
    }
  }
  return out;
}

/** Averages a row of the source to `inner` colours. */
function averageAcross(
  source: Source,
  y: number,
  { first, size, used, weights }: Taps,
  to: Float32Array,
): void {
  const { width, bytes, step, grey } = source;
  for (let i = 0, o = 0; i < inner; i++, o += 3) {
    let r = 0;
    let g = 0;
    let b = 0;
    const end = Math.min(width - first[i]!, used[i]!);
    for (let k = 0, s = (y * width + first[i]!) * step; k < end; k++, s += step) {
      const w = weights[i * size + k]!;
      const alpha = step === 4 ? bytes[s + 3]! : 255;
      r += w * over(bytes[s]!, alpha, grey);
      g += w * over(bytes[s + 1]!, alpha, grey);
      b += w * over(bytes[s + 2]!, alpha, grey);
    }
    to[o] = r;
    to[o + 1] = g;
    to[o + 2] = b;
  }
}

function addRow(out: Float32Array, at: number, row: Float32Array, weight: number): void {
  for (let i = 0; i < row.length; i++) out[at + i]! += weight * row[i]!;
}

/** Puts the colours inside a margin of background, and takes their distance from it. */
function fillPatch(colours: Float32Array, { left, top, right, bottom }: Box, plane: Plane): Patch {
  const rgb = new Float32Array(patchSide * patchSide * 3);
  const map = new Float32Array(patchSide * patchSide);
  const stepX = (right - left) / inner;
  const stepY = (bottom - top) / inner;
  const [red, green, blue, redX, greenX, blueX, redY, greenY, blueY] = coefficientsOf(plane);
  const { noise } = plane;
  for (let y = 0, o = 0, i = 0; y < patchSide; y++) {
    const py = top + (y - patchMargin + 0.5) * stepY - 0.5;
    const insideRow = y >= patchMargin && y < patchSide - patchMargin;
    let from = ((y - patchMargin) * inner - patchMargin) * 3;
    for (let x = 0; x < patchSide; x++, o++, i += 3, from += 3) {
      const px = left + (x - patchMargin + 0.5) * stepX - 0.5;
      const r = red + redX * px + redY * py;
      const g = green + greenX * px + greenY * py;
      const b = blue + blueX * px + blueY * py;
      if (insideRow && x >= patchMargin && x < patchSide - patchMargin) {
        rgb[i] = colours[from]!;
        rgb[i + 1] = colours[from + 1]!;
        rgb[i + 2] = colours[from + 2]!;
        const far = Math.max(Math.abs(rgb[i]! - r), Math.abs(rgb[i + 1]! - g), Math.abs(rgb[i + 2]! - b));
        map[o] = Math.max(0, far - noise);
      } else {
        rgb[i] = r;
        rgb[i + 1] = g;
        rgb[i + 2] = b;
      }
    }
  }
  return { rgb, map: stretch(map) };
}

/** Scales a map so that its strong part is 255. */
function stretch(map: Float32Array): Float32Array {
  const counts = new Uint32Array(256);
  for (let i = 0; i < map.length; i++) counts[Math.min(255, map[i]! | 0)]!++;
  const full = levelOf(counts);
  if (full === undefined) return map;
  const gain = 255 / full;
  for (let i = 0; i < map.length; i++) map[i] = Math.min(255, map[i]! * gain);
  return map;
}

/** A patch of a drawn shape: `ink` gives 0 (none) to 1 (full) at places 0 to 1 across and down. */
export function drawPatch(ink: (x: number, y: number) => number): Patch {
  const rgb = new Uint8Array(inner * inner * 3);
  for (let y = 0, o = 0; y < inner; y++) {
    for (let x = 0; x < inner; x++, o += 3) {
      rgb.fill(255 * ink((x + 0.5) / inner, (y + 0.5) / inner), o, o + 3);
    }
  }
  const picture = { width: inner, height: inner, rgb };
  const box = { left: 0, top: 0, right: inner, bottom: inner };
  return cutPatch(picturePyramid(picture), 0, box, flatPlane(0, 0, 0));
}

/** The same patch seen in a mirror. */
export function mirrorPatch({ rgb, map }: Patch): Patch {
  const out = { rgb: new Float32Array(rgb.length), map: new Float32Array(map.length) };
  for (let y = 0; y < patchSide; y++) {
    for (let x = 0; x < patchSide; x++) {
      const to = y * patchSide + x;
      const from = y * patchSide + patchSide - 1 - x;
      out.map[to] = map[from]!;
      for (let c = 0; c < 3; c++) out.rgb[to * 3 + c] = rgb[from * 3 + c]!;
    }
  }
  return out;
}
