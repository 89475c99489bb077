/** Small logos drawn pixel by pixel, so that the tests need no files and no fonts. */

import sharp, { type Sharp } from "sharp";
import type { Raster } from "../../../src/engine/logo/decode/picture.ts";
import { type DescribeOptions, describeLogo } from "../../../src/engine/logo/describe.ts";
import type { LogoDescriptor } from "../../../src/engine/logo/descriptor.ts";

type Color = readonly [red: number, green: number, blue: number];

/** A drawing: whether a position (0 to 1 across and down) is drawn. */
export type Drawing = (x: number, y: number) => boolean;

const inBox = (x: number, y: number, l: number, t: number, r: number, b: number) =>
  x >= l && x < r && y >= t && y < b;

/** Logos that are not similar to any common shape. */
export const drawings: Readonly<Record<string, Drawing>> = {
  /** A staircase with a dot. */
  stairs: (x, y) =>
    (x > 1 - y && Math.floor(x * 5) + Math.floor(y * 5) > 4) || Math.hypot(x - 0.2, y - 0.2) < 0.15,
  /** Two interlocked hooks. */
  hooks: (x, y) =>
    inBox(x, y, 0, 0, 0.22, 0.7) ||
    inBox(x, y, 0, 0.5, 0.6, 0.7) ||
    inBox(x, y, 0.78, 0.3, 1, 1) ||
    inBox(x, y, 0.4, 0.3, 1, 0.42) ||
    inBox(x, y, 0.35, 0.85, 0.9, 1),
  /** A wing of three blades. */
  wing: (x, y) => [0, 0.33, 0.66].some((o) => y > o && y < o + 0.25 && x > (y - o) * 2.2 && x < 1 - o * 0.8),
};

/** Paints a drawing on a background with a margin (share of the side). */
export function paint(
  drawing: Drawing,
  {
    side = 128,
    margin = 0.1,
    foreground = [20, 60, 160] as Color,
    background = [255, 255, 255] as Color,
  } = {},
): Raster {
  const data = new Uint8Array(side * side * 4).fill(255);
  for (let py = 0; py < side; py++) {
    for (let px = 0; px < side; px++) {
      data.set(blend(drawing, px, py, side, margin, foreground, background), (py * side + px) * 4);
    }
  }
  return { width: side, height: side, data };
}

/** Average of 3 x 3 samples in a pixel. */
function blend(
  drawing: Drawing,
  px: number,
  py: number,
  side: number,
  margin: number,
  foreground: Color,
  background: Color,
) {
  let hits = 0;
  for (let j = 0; j < 3; j++) {
    for (let i = 0; i < 3; i++) {
      const x = ((px + (i + 0.5) / 3) / side - margin) / (1 - 2 * margin);
      const y = ((py + (j + 0.5) / 3) / side - margin) / (1 - 2 * margin);
      if (x >= 0 && y >= 0 && x <= 1 && y <= 1 && drawing(x, y)) hits++;
    }
  }
  return background.map((g, c) => Math.round(g + ((foreground[c]! - g) * hits) / 9));
}

/** A raster of one color. */
export function solid(width: number, height: number, [r, g, b]: Color, alpha = 255): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < data.length; i += 4) data.set([r, g, b, alpha], i);
  return { width, height, data };
}

/** A sharp image of a raster. */
export function image({ width, height, data }: Raster): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** A raster as PNG. */
export function png(raster: Raster): Promise<Buffer> {
  return image(raster).png().toBuffer();
}

/** Describes a valid image file. */
export async function described(file: Uint8Array, options: DescribeOptions): Promise<LogoDescriptor> {
  const outcome = await describeLogo(file, options);
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value;
}
