/** Pictures in memory: what sharp decoded, the opaque working picture, and its halves. Rules `chosen`. */

import { brightLogo, darkBackground } from "../tuning.ts";

/** A decoded picture: sRGB, 8 bits, four channels (red, green, blue, alpha), rows from the top. */
export interface Raster {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** width * height * 4 bytes; alpha is not multiplied in. */
  readonly data: Uint8Array;
}

/** An opaque picture: three bytes a pixel. */
export interface Picture {
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

/** Pixels of a raster that are looked at to choose a backdrop: enough, and few. */
const backdropSamples = 16_384;

/** The grey that a transparent picture is laid on: white, or dark when its visible part is bright. */
export function backdropOf({ width, height, data }: Raster): number {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / backdropSamples)));
  let light = 0;
  let visible = 0;
  let hidden = 0;
  for (let y = 0; y < height; y += step) {
    for (let i = y * width * 4, end = i + width * 4; i < end; i += step * 4) {
      const a = data[i + 3]!;
      light += a * (0.299 * data[i]! + 0.587 * data[i + 1]! + 0.114 * data[i + 2]!);
      visible += a;
      hidden += 255 - a;
    }
  }
  return hidden > 0 && visible > 0 && light / visible > brightLogo ? darkBackground : 255;
}

/** Lays a raster on a grey. */
export function flatten({ width, height, data }: Raster, grey: number): Picture {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, o = 0; i < data.length; i += 4, o += 3) {
    const a = data[i + 3]!;
    rgb[o] = over(data[i]!, a, grey);
    rgb[o + 1] = over(data[i + 1]!, a, grey);
    rgb[o + 2] = over(data[i + 2]!, a, grey);
  }
  return { width, height, rgb };
}

/** A channel's value over a grey: values and alpha 0 to 255. */
export function over(value: number, alpha: number, grey: number): number {
  return alpha === 255 ? value : ((value * alpha + grey * (255 - alpha) + 127) / 255) | 0;
}

/** The picture at half the size, averaged; an odd last row or column is dropped. */
export function halve({ width, height, rgb }: Picture): Picture {
  const w = Math.max(1, width >> 1);
  const h = Math.max(1, height >> 1);
  const out = new Uint8Array(w * h * 3);
  const right = width > 1 ? 3 : 0;
  const down = height > 1 ? width * 3 : 0;
  for (let y = 0, o = 0; y < h; y++) {
    for (let x = 0, i = y * 2 * width * 3; x < w; x++, i += 6) {
      for (let c = 0; c < 3; c++, o++) {
        const j = i + c;
        out[o] = (rgb[j]! + rgb[j + right]! + rgb[j + down]! + rgb[j + right + down]! + 2) >> 2;
      }
    }
  }
  return { width: w, height: h, rgb: out };
}

/** A raster on a grey at half the size: what `halve` of `flatten` is, but for rounding, in one pass. */
function flattenHalf({ width, height, data }: Raster, grey: number): Picture {
  const w = Math.max(1, width >> 1);
  const h = Math.max(1, height >> 1);
  const rgb = new Uint8Array(w * h * 3);
  const pixels = wordsOf(data);
  const right = width > 1 ? 1 : 0;
  const down = height > 1 ? width : 0;
  for (let y = 0, o = 0; y < h; y++) {
    for (let x = 0, i = y * 2 * width; x < w; x++, i += 2, o += 3) {
      const p = pixels[i]!;
      const q = pixels[i + right]!;
      const r = pixels[i + down]!;
      const s = pixels[i + down + right]!;
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
        rgb[o] = grey;
        rgb[o + 1] = grey;
        rgb[o + 2] = grey;
        continue;
      }
      const under = grey * (1020 - a - b - c - d) + 510;
      for (let k = 0; k < 3; k++) {
        const at = (v: number) => (v >>> (8 * k)) & 255;
        rgb[o + k] = (at(p) * a + at(q) * b + at(r) * c + at(s) * d + under) / 1020;
      }
    }
  }
  return { width: w, height: h, rgb };
}

const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** The pixels as words with red in the lowest byte; a copy where the bytes do not lie so. */
function wordsOf(data: Uint8Array): Uint32Array {
  if (littleEndian && data.byteOffset % 4 === 0) {
    return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  }
  const words = new Uint32Array(data.length / 4);
  for (let i = 0, o = 0; o < words.length; i += 4, o++) {
    words[o] = data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16) | (data[i + 3]! << 24);
  }
  return words;
}

/** Pixels to take patches from: three bytes each, or four, of which the last is alpha, to be laid on a grey. */
export interface Source {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
  readonly step: 3 | 4;
  readonly grey: number;
}

/** A picture and its halves, each made when first asked for. */
export interface Pyramid {
  /** The picture halved so many times. */
  at(level: number): Picture;
  /** The same to take patches from, which the full size need not be made for. */
  source(level: number): Source;
}

/** The pyramid of a raster on a grey. */
export function rasterPyramid(raster: Raster, grey: number): Pyramid {
  const smaller = halves(() => flattenHalf(raster, grey));
  let full: Picture | undefined;
  const at = (level: number): Picture => {
    if (level > 0) return smaller(level - 1);
    full ??= flatten(raster, grey);
    return full;
  };
  const { width, height, data } = raster;
  const source = (level: number): Source =>
    level === 0 && !full ? { width, height, bytes: data, step: 4, grey } : sourceOf(at(level));
  return { at, source };
}

/** The pyramid of a picture. */
export function picturePyramid(picture: Picture): Pyramid {
  const at = halves(() => picture);
  return { at, source: (level) => sourceOf(at(level)) };
}

function sourceOf({ width, height, rgb }: Picture): Source {
  return { width, height, bytes: rgb, step: 3, grey: 0 };
}

/** A picture and the halves of it, each made when first asked for. */
function halves(make: () => Picture): (times: number) => Picture {
  const made: (Picture | undefined)[] = [];
  const at = (times: number): Picture => {
    made[times] ??= times === 0 ? make() : halve(at(times - 1));
    return made[times];
  };
  return at;
}
