/** The logo of a queried picture without its background: trimmed, with alpha, at any size. */

import type { Raster } from "../decode/picture.ts";

/** A logo cut out of its picture: premultiplied red, green, blue and alpha, 0 to 255. */
export interface Cutout {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Alpha from which a pixel belongs to the logo. */
const visibleAlpha = 24;
/** Color distance from the background up to which a pixel is background, and the alpha of each level above it. */
const backgroundTolerance = 12;
const alphaPerLevel = 5;
/** Share of the border that must have the background's color. */
const backgroundShare = 0.75;

/** Cuts the logo out of a picture; undefined when nothing is visible. */
export function cutOut(raster: Raster): Cutout | undefined {
  const alpha = alphaOf(raster);
  const box = boxOf(alpha, raster.width, raster.height);
  if (!box) return undefined;
  const { left, top, width, height } = box;
  const data = new Float32Array(width * height * 4);
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 4) {
      const i = (top + y) * raster.width + left + x;
      const a = alpha[i] ?? 0;
      for (let c = 0; c < 3; c++) data[o + c] = ((raster.data[4 * i + c] ?? 0) * a) / 255;
      data[o + 3] = a;
    }
  }
  return { width, height, data };
}

/** The picture's alpha; for an opaque picture of a uniform border, the distance from the border's color. */
function alphaOf({ width, height, data }: Raster): Uint8Array {
  const alpha = new Uint8Array(width * height);
  let opaque = true;
  for (let i = 0; i < alpha.length; i++) {
    alpha[i] = data[4 * i + 3] ?? 0;
    if (alpha[i] !== 255) opaque = false;
  }
  const background = opaque ? borderColor(data, width, height) : undefined;
  if (!background) return alpha;
  for (let i = 0; i < alpha.length; i++) {
    const distance = distanceFrom(background, data, i) - backgroundTolerance;
    alpha[i] = Math.max(0, Math.min(255, distance * alphaPerLevel));
  }
  return alpha;
}

function distanceFrom(color: readonly number[], data: Uint8Array, i: number): number {
  let largest = 0;
  for (let c = 0; c < 3; c++) largest = Math.max(largest, Math.abs((data[4 * i + c] ?? 0) - (color[c] ?? 0)));
  return largest;
}

/** The color of the border where most of it has one color. */
function borderColor(data: Uint8Array, width: number, height: number): readonly number[] | undefined {
  const ring: number[] = [];
  for (let x = 0; x < width; x++) ring.push(x, (height - 1) * width + x);
  for (let y = 1; y < height - 1; y++) ring.push(y * width, y * width + width - 1);
  const color = [0, 1, 2].map((c) => median(ring.map((i) => data[4 * i + c] ?? 0)));
  const near = ring.filter((i) => distanceFrom(color, data, i) <= backgroundTolerance).length;
  return near >= backgroundShare * ring.length ? color : undefined;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function boxOf(alpha: Uint8Array, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if ((alpha[i] ?? 0) < visibleAlpha) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  return right > left ? { left, top, width: right - left, height: bottom - top } : undefined;
}

/** Resamples a cutout: averages where it shrinks, linear interpolation where it grows. */
export function resizeCutout(cutout: Cutout, width: number, height: number): Cutout {
  return resizeRows(resizeColumns(cutout, width), height);
}

/** For each target pixel, the first source pixel and the weights from there on. */
function weightsOf(from: number, to: number): readonly { first: number; weights: readonly number[] }[] {
  const scale = from / to;
  const reach = Math.max(1, scale);
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(0, Math.ceil(center - reach - 0.5));
    const last = Math.min(from - 1, Math.floor(center + reach - 0.5));
    const raw: number[] = [];
    for (let k = first; k <= last; k++) raw.push(Math.max(0, 1 - Math.abs(k + 0.5 - center) / reach));
    const sum = raw.reduce((a, b) => a + b, 0);
    if (sum <= 0) return { first: Math.min(from - 1, Math.floor(center)), weights: [1] };
    return { first, weights: raw.map((w) => w / sum) };
  });
}

function resizeColumns({ width, height, data }: Cutout, to: number): Cutout {
  const out = new Float32Array(to * height * 4);
  const columns = weightsOf(width, to);
  for (let y = 0, o = 0; y < height; y++) {
    for (const { first, weights } of columns) {
      for (let c = 0; c < 4; c++, o++) {
        let sum = 0;
        for (let k = 0, i = (y * width + first) * 4 + c; k < weights.length; k++, i += 4)
          sum += (weights[k] ?? 0) * (data[i] ?? 0);
        out[o] = sum;
      }
    }
  }
  return { width: to, height, data: out };
}

function resizeRows({ width, height, data }: Cutout, to: number): Cutout {
  const out = new Float32Array(width * to * 4);
  for (const [y, { first, weights }] of weightsOf(height, to).entries()) {
    for (let i = 0; i < width * 4; i++) {
      let sum = 0;
      for (let k = 0; k < weights.length; k++)
        sum += (weights[k] ?? 0) * (data[(first + k) * width * 4 + i] ?? 0);
      out[y * width * 4 + i] = sum;
    }
  }
  return { width, height: to, data: out };
}

/** Rotates a cutout about its center, clockwise; the result contains all of it. */
export function rotateCutout({ width, height, data }: Cutout, degrees: number): Cutout {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const wide = Math.ceil(Math.abs(width * cos) + Math.abs(height * sin));
  const tall = Math.ceil(Math.abs(width * sin) + Math.abs(height * cos));
  const out = new Float32Array(wide * tall * 4);
  for (let y = 0, o = 0; y < tall; y++) {
    for (let x = 0; x < wide; x++, o += 4) {
      const dx = x + 0.5 - wide / 2;
      const dy = y + 0.5 - tall / 2;
      const fromX = Math.floor(cos * dx + sin * dy + width / 2);
      const fromY = Math.floor(cos * dy - sin * dx + height / 2);
      if (fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) continue;
      out.set(data.subarray((fromY * width + fromX) * 4, (fromY * width + fromX) * 4 + 4), o);
    }
  }
  return { width: wide, height: tall, data: out };
}
