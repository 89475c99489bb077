/** Enlarges small regions of a picture to twice the size, so that small logos have more pixels to compare. */

import { over } from "./flatten-pixels.ts";
import { matteOf, type Raster } from "./picture.ts";

/** Left, top, right and bottom, in pixels. */
type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A region of a picture at twice the size, and where it is. */
export interface EnlargedRegion {
  readonly raster: Raster;
  /** Left and top of the region in the picture. */
  readonly left: number;
  readonly top: number;
}

/** Weights of the Catmull-Rom cubic at a quarter of a pixel after the second of four pixels. */
const weights = [-9 / 128, 111 / 128, 29 / 128, -3 / 128] as const;

/**
 * The region around a box of a picture, opaque, at twice the size.
 *
 * @param margin pixels around the box, where the picture has them
 */
export function enlarge(picture: Raster, box: Box, margin: number): EnlargedRegion {
  const left = Math.max(0, Math.floor(box[0]) - margin);
  const top = Math.max(0, Math.floor(box[1]) - margin);
  const width = Math.max(0, Math.min(picture.width, Math.ceil(box[2]) + margin) - left);
  const height = Math.max(0, Math.min(picture.height, Math.ceil(box[3]) + margin) - top);
  const colors = colorsOf(picture, left, top, width, height);
  const row = 6 * width;
  const wide = new Float32Array(row * height);
  for (let y = 0; y < height; y++) {
    for (let c = 0; c < 3; c++) double(colors, 3 * width * y + c, wide, row * y + c, 3, width);
  }
  const tall = new Float32Array(2 * row * height);
  for (let column = 0; column < row; column++) double(wide, column, tall, column, row, height);
  const data = new Uint8Array(16 * width * height);
  for (let i = 0, o = 0; o < data.length; i += 3, o += 4) {
    for (let c = 0; c < 3; c++) data[o + c] = Math.min(255, Math.max(0, Math.round(tall[i + c] ?? 0)));
    data[o + 3] = 255;
  }
  return { raster: { width: 2 * width, height: 2 * height, data }, left, top };
}

/** The colors of a region, three numbers a pixel. */
function colorsOf(picture: Raster, left: number, top: number, width: number, height: number): Float32Array {
  const colors = new Float32Array(3 * width * height);
  let matte: number | undefined;
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0, i = 4 * ((top + y) * picture.width + left); x < width; x++, i += 4) {
      const alpha = picture.data[i + 3] ?? 0;
      if (alpha !== 255) matte ??= matteOf(picture);
      for (let c = 0; c < 3; c++) colors[o++] = over(picture.data[i + c] ?? 0, alpha, matte ?? 255);
    }
  }
  return colors;
}

/** Writes twice as many values as it reads from a row or a column, whose values are `step` apart; its ends are repeated. */
function double(
  from: Float32Array,
  at: number,
  to: Float32Array,
  toAt: number,
  step: number,
  count: number,
): void {
  const value = (n: number) => from[at + step * Math.min(count - 1, Math.max(0, n))] ?? 0;
  const [a, b, c, d] = weights;
  for (let n = 0; n < count; n++) {
    const [far, before, own, after, last] = [
      value(n - 2),
      value(n - 1),
      value(n),
      value(n + 1),
      value(n + 2),
    ];
    to[toAt + 2 * n * step] = d * far + c * before + b * own + a * after;
    to[toAt + (2 * n + 1) * step] = a * before + b * own + c * after + d * last;
  }
}
