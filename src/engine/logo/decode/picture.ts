/** Pictures in memory: the decoded raster, the opaque working picture, and the pyramid of its halvings. `chosen`. */

import { brightLogoLevel, darkMatte } from "../tuning.ts";

/** A decoded picture: sRGB, 8 bits, four channels (red, green, blue, alpha), rows from the top. */
export interface Raster {
  /** In pixels, from 1. */
  readonly width: number;
  /** In pixels, from 1. */
  readonly height: number;
  /** width * height * 4 bytes; alpha is not premultiplied. */
  readonly data: Uint8Array;
}

/** An opaque picture: three bytes a pixel. */
export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** A rectangle in pixels; right and bottom are exclusive. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The box of a whole picture. */
export function wholeBox({ width, height }: { width: number; height: number }): Box {
  return { left: 0, top: 0, right: width, bottom: height };
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
export function flatten({ width, height, data }: Raster, matte: number): RgbPicture {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, o = 0; i < data.length; i += 4, o += 3) {
    const a = data[i + 3] ?? 0;
    rgb[o] = over(data[i] ?? 0, a, matte);
    rgb[o + 1] = over(data[i + 1] ?? 0, a, matte);
    rgb[o + 2] = over(data[i + 2] ?? 0, a, matte);
  }
  return { width, height, rgb };
}

/** A channel's value composited over a matte (Porter and Duff's "over"); all values 0 to 255. */
export function over(value: number, alpha: number, matte: number): number {
  return alpha === 255 ? value : ((value * alpha + matte * (255 - alpha) + 127) / 255) | 0;
}

/** The picture at half the size, averaged; an odd last row or column is dropped. */
export function halve({ width, height, rgb }: RgbPicture): RgbPicture {
  const w = Math.max(1, width >> 1);
  const h = Math.max(1, height >> 1);
  const out = new Uint8Array(w * h * 3);
  const right = width > 1 ? 3 : 0;
  const down = height > 1 ? width * 3 : 0;
  for (let y = 0, o = 0; y < h; y++) {
    for (let x = 0, i = y * 2 * width * 3; x < w; x++, i += 6) {
      for (let j = i; j < i + 3; j++, o++) {
        const upper = (rgb[j] ?? 0) + (rgb[j + right] ?? 0);
        out[o] = (upper + (rgb[j + down] ?? 0) + (rgb[j + right + down] ?? 0) + 2) >> 2;
      }
    }
  }
  return { width: w, height: h, rgb: out };
}

/** `halve(flatten(raster, matte))` in one pass; equal but for rounding. */
function flattenHalf({ width, height, data }: Raster, matte: number): RgbPicture {
  const w = Math.max(1, width >> 1);
  const h = Math.max(1, height >> 1);
  const rgb = new Uint8Array(w * h * 3);
  const pixels = wordsOf(data);
  const right = width > 1 ? 1 : 0;
  const down = height > 1 ? width : 0;
  for (let y = 0, o = 0; y < h; y++) {
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
      for (let k = 0; k < 3; k++) {
        const at = (v: number) => (v >>> (8 * k)) & 255;
        rgb[o + k] = (at(p) * a + at(q) * b + at(r) * c + at(s) * d + under) / 1020;
      }
    }
  }
  return { width: w, height: h, rgb };
}

const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** The pixels as 32-bit words with red in the lowest byte; a copy when the bytes are not aligned or ordered that way. */
function wordsOf(data: Uint8Array): Uint32Array {
  if (littleEndian && data.byteOffset % 4 === 0) {
    return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
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
  /** The same pixels to cut patches from; the full size needs no opaque copy for this. */
  source(level: number): PixelSource;
}

/** The pyramid of a raster on a matte. */
export function rasterPyramid(raster: Raster, matte: number): Pyramid {
  const smaller = halvings(() => flattenHalf(raster, matte));
  let full: RgbPicture | undefined;
  const at = (level: number): RgbPicture => {
    if (level > 0) return smaller(level - 1);
    full ??= flatten(raster, matte);
    return full;
  };
  const { width, height, data } = raster;
  const source = (level: number): PixelSource =>
    level === 0 && !full ? { width, height, bytes: data, step: 4, matte } : sourceOf(at(level));
  return { at, source };
}

/** The pyramid of a picture. */
export function picturePyramid(picture: RgbPicture): Pyramid {
  const at = halvings(() => picture);
  return { at, source: (level) => sourceOf(at(level)) };
}

function sourceOf({ width, height, rgb }: RgbPicture): PixelSource {
  return { width, height, bytes: rgb, step: 3, matte: 0 };
}

/** A function that returns a picture halved so many times, each halving computed on first use. */
function halvings(makeFirst: () => RgbPicture): (times: number) => RgbPicture {
  const made: (RgbPicture | undefined)[] = [];
  const at = (times: number): RgbPicture => {
    made[times] ??= times === 0 ? makeFirst() : halve(at(times - 1));
    return made[times];
  };
  return at;
}
