/** Pictures in memory: the decoded raster, the opaque working picture, and the pyramid of its halvings. `chosen`. */

import { viewOf } from "../../../core/view-of.ts";
import { inRows, runSteps, type Steps } from "../../../core/work/steps.ts";
import { brightLogoLevel, darkMatte } from "../tuning.ts";
import { flattenPixels } from "./flatten-pixels.ts";
import { halveRows, type RgbPicture } from "./halve-rows.ts";

/** A decoded picture: sRGB, 8 bits, four channels (red, green, blue, alpha), rows from the top. */
export interface Raster {
  /** In pixels, from 1. */
  readonly width: number;
  /** In pixels, from 1. */
  readonly height: number;
  /** width * height * 4 bytes; alpha is not premultiplied. */
  readonly data: Uint8Array;
}

/** Approximate number of pixels that are sampled to choose a matte. */
const matteSamples = 16_384;

/** The matte of a picture, the gray level behind its transparent pixels: dark when its visible part is bright, else 255. */
export function matteOf({ width, height, data }: Raster): number {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / matteSamples)));
  let light = 0;
  let visible = 0;
  let hidden = 0;
  for (let y = 0; y < height; y += step) {
    for (let i = y * width * 4, end = i + width * 4; i < end; i += step * 4) {
      const a = data[i + 3] ?? 0;
      light += a * (0.299 * (data[i] ?? 0) + 0.587 * (data[i + 1] ?? 0) + 0.114 * (data[i + 2] ?? 0));
      visible += a;
      hidden += 255 - a;
    }
  }
  return hidden > 0 && visible > 0 && light / visible > brightLogoLevel ? darkMatte : 255;
}

/** Composites a raster on a matte. */
export function flatten(raster: Raster, matte: number): RgbPicture {
  return runSteps(flattenSteps(raster, matte));
}

function* flattenSteps(raster: Raster, matte: number): Steps<RgbPicture> {
  const { width, height } = raster;
  const rgb = new Uint8Array(width * height * 3);
  yield* inRows(0, height, width, (from, to) =>
    flattenPixels(raster.data, matte, rgb, from * width, to * width),
  );
  return { width, height, rgb };
}

/** The picture at half the size, averaged; an odd last row or column is dropped. */
function* halveSteps(picture: RgbPicture): Steps<RgbPicture> {
  const width = Math.max(1, picture.width >> 1);
  const height = Math.max(1, picture.height >> 1);
  const half = { width, height, rgb: new Uint8Array(width * height * 3) };
  yield* inRows(0, height, 4 * width, (from, to) => halveRows(picture, half, from, to));
  return half;
}

/** The half of `flatten(raster, matte)` in one pass; equal but for rounding. */
function* flattenHalfSteps(raster: Raster, matte: number): Steps<RgbPicture> {
  const width = Math.max(1, raster.width >> 1);
  const height = Math.max(1, raster.height >> 1);
  const half = { width, height, rgb: new Uint8Array(width * height * 3) };
  const pixels = wordsOf(raster.data);
  yield* inRows(0, height, 4 * width, (from, to) => flattenHalfRows(raster, pixels, matte, half, from, to));
  return half;
}

function flattenHalfRows(
  { width, height }: Raster,
  pixels: Uint32Array,
  matte: number,
  { width: w, rgb }: RgbPicture,
  from: number,
  to: number,
): void {
  const right = width > 1 ? 1 : 0;
  const down = height > 1 ? width : 0;
  for (let y = from, o = from * w * 3; y < to; y++) {
    for (let x = 0, i = y * 2 * width; x < w; x++, i += 2, o += 3) {
      const p = pixels[i] ?? 0;
      const q = pixels[i + right] ?? 0;
      const r = pixels[i + down] ?? 0;
      const s = pixels[i + down + right] ?? 0;
      if ((p & q & r & s) >>> 24 === 255) {
        // Red and blue are summed in one word, 16 bits each.
        const redBlue = (p & 0xff00ff) + (q & 0xff00ff) + (r & 0xff00ff) + (s & 0xff00ff) + 0x20002;
        const green = ((p >>> 8) & 255) + ((q >>> 8) & 255) + ((r >>> 8) & 255) + ((s >>> 8) & 255) + 2;
        rgb[o] = redBlue >>> 2;
        rgb[o + 1] = green >>> 2;
        rgb[o + 2] = redBlue >>> 18;
        continue;
      }
      const a = p >>> 24;
      const b = q >>> 24;
      const c = r >>> 24;
      const d = s >>> 24;
      if ((a | b | c | d) === 0) {
        rgb[o] = matte;
        rgb[o + 1] = matte;
        rgb[o + 2] = matte;
        continue;
      }
      const under = matte * (1020 - a - b - c - d) + 510;
      for (let k = 0; k < 24; k += 8, o++) {
        const sum =
          ((p >>> k) & 255) * a + ((q >>> k) & 255) * b + ((r >>> k) & 255) * c + ((s >>> k) & 255) * d;
        rgb[o] = (sum + under) / 1020;
      }
      o -= 3;
    }
  }
}

const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** The pixels as 32-bit words with red in the lowest byte; a copy when the bytes are not aligned or ordered that way. */
function wordsOf(data: Uint8Array): Uint32Array {
  if (littleEndian) {
    const { buffer, byteOffset, length } = data.byteOffset % 4 === 0 ? data : data.slice();
    return new Uint32Array(buffer, byteOffset, length / 4);
  }
  const view = viewOf(data);
  return Uint32Array.from({ length: data.length / 4 }, (_, i) => view.getUint32(i * 4, true));
}

/** Pixels to cut patches from: three bytes each, or four with alpha last, composited on a matte. */
export interface PixelSource {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
  /** Bytes of a pixel. */
  readonly step: 3 | 4;
  readonly matte: number;
}

/** A picture and its halvings, each computed on first use. */
export interface Pyramid {
  /** The picture halved `level` times. */
  at(level: number): RgbPicture;
  /** Computes it in steps, if it is not yet; `at` then only returns it. */
  steps(level: number): Steps<void>;
  /** The same pixels to cut patches from; the full size needs no opaque copy for this. */
  source(level: number): PixelSource;
}

/** The pyramid of a raster on a matte. */
export function rasterPyramid(raster: Raster, matte: number): Pyramid {
  const made: (RgbPicture | undefined)[] = [];
  const levels = halvings(made, [() => flattenSteps(raster, matte), () => flattenHalfSteps(raster, matte)]);
  const { width, height, data } = raster;
  const source = (level: number): PixelSource =>
    level === 0 && !made[0] ? { width, height, bytes: data, step: 4, matte } : sourceOf(levels.at(level));
  return { ...levels, source };
}

function sourceOf({ width, height, rgb }: RgbPicture): PixelSource {
  return { width, height, bytes: rgb, step: 3, matte: 0 };
}

/** The levels of a pyramid: the first ones are made in their own ways, the others are halved. */
function halvings(
  made: (RgbPicture | undefined)[],
  first: readonly (() => Steps<RgbPicture>)[],
): Pick<Pyramid, "at" | "steps"> {
  function* make(level: number): Steps<RgbPicture> {
    const known = made[level];
    if (known) return known;
    const picture = yield* first[level]?.() ?? halveSteps(yield* make(level - 1));
    made[level] = picture;
    return picture;
  }
  return {
    at: (level) => made[level] ?? runSteps(make(level)),
    *steps(level) {
      yield* make(level);
    },
  };
}
