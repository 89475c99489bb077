/** The logo of a queried picture without its background: trimmed, with alpha. */

import { inRows, type Steps, stepWork } from "../../../../core/work/steps.ts";
import type { Raster } from "../../decode/picture.ts";

/** A logo cut out of its picture, read a pixel at a time: a large picture is never copied. */
export interface Cutout {
  readonly width: number;
  readonly height: number;
  /** Writes premultiplied red, green, blue and alpha of a pixel, 0 to 255 each, at an index of `out`. */
  readonly read: (x: number, y: number, out: Float32Array, at: number) => void;
  /** The same for `count` pixels of a row from x on, in less time; `out` receives the first at its beginning. */
  readonly readRun?: (x: number, y: number, count: number, out: Float32Array) => void;
}

/** Alpha from which a pixel belongs to the logo. */
const visibleAlpha = 24;
/** Color distance from the background up to which a pixel is background, and the alpha of each level above it. */
const backgroundTolerance = 12;
const alphaPerLevel = 5;
/** Share of the border that must have the background's color. */
const backgroundShare = 0.75;

/** Cuts the logo out of a picture; undefined when nothing is visible. */
export function* cutOutSteps(raster: Raster): Steps<Cutout | undefined> {
  const alpha = yield* alphaOf(raster);
  const box = yield* boxOf(alpha, raster.width, raster.height);
  if (!box) return undefined;
  const { left, top, width, height } = box;
  const read: Cutout["read"] = (x, y, out, at) => {
    const i = (top + y) * raster.width + left + x;
    const a = alpha[i] ?? 0;
    for (let c = 0; c < 3; c++) out[at + c] = ((raster.data[4 * i + c] ?? 0) * a) / 255;
    out[at + 3] = a;
  };
  const readRun: Cutout["readRun"] = (x, y, count, out) =>
    readPremultiplied(raster.data, alpha, (top + y) * raster.width + left + x, count, out);
  return { width, height, read, readRun };
}

/** Writes `count` pixels from index `from` on with their own alpha. */
function readPremultiplied(
  data: Uint8Array,
  alpha: Uint8Array,
  from: number,
  count: number,
  out: Float32Array,
): void {
  for (let i = from, j = 4 * from, o = 0, end = from + count; i < end; i++, j += 4, o += 4) {
    const a = alpha[i] ?? 0;
    // Most pixels are transparent or opaque, and need no division.
    const gain = a === 255 ? 1 : a;
    const by = a === 255 ? 1 : 255;
    out[o] = ((data[j] ?? 0) * gain) / by;
    out[o + 1] = ((data[j + 1] ?? 0) * gain) / by;
    out[o + 2] = ((data[j + 2] ?? 0) * gain) / by;
    out[o + 3] = a;
  }
}

/** The picture's alpha; for an opaque picture of a uniform border, the distance from the border's color. */
function* alphaOf({ width, height, data }: Raster): Steps<Uint8Array> {
  const alpha = new Uint8Array(width * height);
  let opaque = true;
  yield* inRows(0, alpha.length, 1, (from, to) => {
    for (let i = from; i < to; i++) {
      alpha[i] = data[4 * i + 3] ?? 0;
      if (alpha[i] !== 255) opaque = false;
    }
  });
  const background = opaque ? yield* borderColor(data, width, height) : undefined;
  if (!background) return alpha;
  yield* inRows(0, alpha.length, 1, (from, to) => {
    for (let i = from; i < to; i++) {
      const distance = distanceFrom(background, data, i) - backgroundTolerance;
      alpha[i] = Math.max(0, Math.min(255, distance * alphaPerLevel));
    }
  });
  return alpha;
}

function distanceFrom(color: readonly number[], data: Uint8Array, i: number): number {
  let largest = 0;
  for (let c = 0; c < 3; c++) largest = Math.max(largest, Math.abs((data[4 * i + c] ?? 0) - (color[c] ?? 0)));
  return largest;
}

/** The color of the border where most of it has one color. */
function* borderColor(data: Uint8Array, width: number, height: number): Steps<readonly number[] | undefined> {
  const length = 2 * width + 2 * Math.max(0, height - 2);
  const indexAt = (n: number) => {
    if (n < 2 * width) return n < width ? n : (height - 2) * width + n;
    const side = n - 2 * width;
    return (1 + (side >> 1)) * width + (side & 1) * (width - 1);
  };
  const counts = [0, 1, 2].map(() => new Uint32Array(256));
  yield* inRows(0, length, 1, (from, to) => {
    for (let n = from; n < to; n++) {
      const i = 4 * indexAt(n);
      for (const [c, levels] of counts.entries()) levels[data[i + c] ?? 0]!++;
    }
  });
  const color = counts.map((levels) => medianLevel(levels, length));
  let near = 0;
  yield* inRows(0, length, 1, (from, to) => {
    for (let n = from; n < to; n++) if (distanceFrom(color, data, indexAt(n)) <= backgroundTolerance) near++;
  });
  return near >= backgroundShare * length ? color : undefined;
}

/** The upper median of so many levels, given as the number of each. */
function medianLevel(levels: Uint32Array, length: number): number {
  let below = 0;
  return Math.max(
    0,
    levels.findIndex((count) => {
      below += count;
      return below > length >> 1;
    }),
  );
}

/** The box of what is visible. */
function* boxOf(alpha: Uint8Array, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, i = 0, read = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (++read === stepWork) {
        read = 0;
        yield;
      }
      if ((alpha[i] ?? 0) < visibleAlpha) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      bottom = y + 1;
    }
  }
  return right > left ? { left, top, width: right - left, height: bottom - top } : undefined;
}

/** Rotates a cutout about its center, clockwise; the result contains all of it. */
export function rotateCutout({ width, height, read }: Cutout, degrees: number): Cutout {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const wide = Math.ceil(Math.abs(width * cos) + Math.abs(height * sin));
  const tall = Math.ceil(Math.abs(width * sin) + Math.abs(height * cos));
  const readRotated: Cutout["read"] = (x, y, out, at) => {
    const dx = x + 0.5 - wide / 2;
    const dy = y + 0.5 - tall / 2;
    const fromX = Math.floor(cos * dx + sin * dy + width / 2);
    const fromY = Math.floor(cos * dy - sin * dx + height / 2);
    if (fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) out.fill(0, at, at + 4);
    else read(fromX, fromY, out, at);
  };
  return { width: wide, height: tall, read: readRotated };
}
