/** Pictures in memory: what sharp decoded, the opaque working picture, and its halves. Rules `chosen`. */

import { brightLogo, darkBackground } from "./tuning.ts";

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
    if (a === 255) {
      rgb[o] = data[i]!;
      rgb[o + 1] = data[i + 1]!;
      rgb[o + 2] = data[i + 2]!;
    } else {
      const under = grey * (255 - a);
      rgb[o] = (data[i]! * a + under + 127) / 255;
      rgb[o + 1] = (data[i + 1]! * a + under + 127) / 255;
      rgb[o + 2] = (data[i + 2]! * a + under + 127) / 255;
    }
  }
  return { width, height, rgb };
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
  const right = width > 1 ? 4 : 0;
  const down = height > 1 ? width * 4 : 0;
  for (let y = 0, o = 0; y < h; y++) {
    for (let x = 0, i = y * 2 * width * 4; x < w; x++, i += 8, o += 3) {
      const j = i + right;
      const k = i + down;
      const l = k + right;
      const a = data[i + 3]!;
      const b = data[j + 3]!;
      const c = data[k + 3]!;
      const d = data[l + 3]!;
      if ((a & b & c & d) === 255) {
        rgb[o] = (data[i]! + data[j]! + data[k]! + data[l]! + 2) >> 2;
        rgb[o + 1] = (data[i + 1]! + data[j + 1]! + data[k + 1]! + data[l + 1]! + 2) >> 2;
        rgb[o + 2] = (data[i + 2]! + data[j + 2]! + data[k + 2]! + data[l + 2]! + 2) >> 2;
        continue;
      }
      if ((a | b | c | d) === 0) {
        rgb[o] = grey;
        rgb[o + 1] = grey;
        rgb[o + 2] = grey;
        continue;
      }
      const under = grey * (1020 - a - b - c - d) + 510;
      rgb[o] = (data[i]! * a + data[j]! * b + data[k]! * c + data[l]! * d + under) / 1020;
      rgb[o + 1] = (data[i + 1]! * a + data[j + 1]! * b + data[k + 1]! * c + data[l + 1]! * d + under) / 1020;
      rgb[o + 2] = (data[i + 2]! * a + data[j + 2]! * b + data[k + 2]! * c + data[l + 2]! * d + under) / 1020;
    }
  }
  return { width: w, height: h, rgb };
}

/** A picture and its halves, each made when first asked for. */
export interface Pyramid {
  /** The picture halved so many times. */
  at(level: number): Picture;
}

/** The pyramid of a raster on a grey. */
export function rasterPyramid(raster: Raster, grey: number): Pyramid {
  return lazyPyramid((level) => (level === 0 ? flatten(raster, grey) : flattenHalf(raster, grey)), 1);
}

/** The pyramid of a picture. */
export function picturePyramid(picture: Picture): Pyramid {
  return lazyPyramid(() => picture, 0);
}

/** Levels up to `given` come from `make`; the others are halves of the one before. */
function lazyPyramid(make: (level: number) => Picture, given: number): Pyramid {
  const levels: (Picture | undefined)[] = [];
  const at = (level: number): Picture => {
    levels[level] ??= level <= given ? make(level) : halve(at(level - 1));
    return levels[level];
  };
  return { at };
}
