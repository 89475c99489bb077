/** Pages for tests of dense detection: a logo drawn on a page of lines and boxes, without fonts. */

import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { type Drawing, paint, solid } from "../drawings.ts";
import { randomBytes } from "../random.ts";

type Rgb = readonly [red: number, green: number, blue: number];

/** Fills a rectangle. */
export function rectangle(page: Raster, left: number, top: number, wide: number, tall: number, color: Rgb) {
  for (let y = Math.max(0, top); y < Math.min(page.height, top + tall); y++) {
    for (let x = Math.max(0, left); x < Math.min(page.width, left + wide); x++) {
      page.data.set(color, (y * page.width + x) * 4);
    }
  }
}

/** A page with lines of words, a header bar and buttons; other words for each seed. */
export function wordsPage(width: number, height: number, seed = 1): Raster {
  const page = solid(width, height, [255, 255, 255]);
  const random = randomBytes(seed, 4096);
  let n = 0;
  const next = () => random[n++ % random.length]!;
  rectangle(page, 0, 0, width, 50, [34, 60, 90]);
  for (let y = 80; y < height - 12; y += 22) {
    for (let x = 20; x < width - 60; x += 8) {
      if (next() % 5 === 0) continue;
      rectangle(page, x, y, 2 + (next() % 4), 2 + (next() % 9), [40, 40, 40]);
      rectangle(page, x, y + (next() % 9), 5, 2, [40, 40, 40]);
    }
  }
  return page;
}

/** Places a drawing of so many pixels on a page. */
export function place(page: Raster, drawing: Drawing, left: number, top: number, side: number, color: Rgb) {
  const at = (top * page.width + left) * 4;
  const background: Rgb = [page.data[at]!, page.data[at + 1]!, page.data[at + 2]!];
  const logo = paint(drawing, { side, margin: 0, foreground: color, background });
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = (y * side + x) * 4;
      page.data.set(logo.data.subarray(from, from + 4), ((top + y) * page.width + left + x) * 4);
    }
  }
  return page;
}

/** A picture without its first columns. */
export function withoutColumns({ width, height, data }: Raster, columns: number): Raster {
  const out = solid(width - columns, height, [0, 0, 0]);
  for (let y = 0; y < height; y++) {
    out.data.set(data.subarray((y * width + columns) * 4, (y + 1) * width * 4), y * out.width * 4);
  }
  return out;
}

/** A picture of random bytes, partly of one color and partly transparent. */
export function noise(width: number, height: number, seed: number): Raster {
  const data = randomBytes(seed, Math.max(4, width * height * 4)).slice(0, width * height * 4);
  for (let i = 0; i < data.length; i += 4) {
    if ((i >> 7) % 3 === 0) data.set([90, 120, 200], i);
    if ((i >> 9) % 5 !== 0) data[i + 3] = 255;
  }
  return { width, height, data };
}
