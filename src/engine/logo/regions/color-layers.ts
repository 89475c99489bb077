/**
 * What has the colour of most of the ink. A badge or a line of text in another colour widens the box of a logo, and
 * no empty row or column need lie between the two; the box of this layer is the logo's own. Method `chosen`.
 */

import type { Picture } from "../decode/picture.ts";
import { layerArea, layerShare, layerTolerance } from "../tuning.ts";
import { countInk, type Ink, type Trimmed, trimInk } from "./foreground.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** The box of the ink's main colour; undefined when no colour has most of the ink, or all of its box. */
export function mainLayer(picture: Picture, ink: Ink, { box }: Trimmed): Trimmed | undefined {
  const bits = new Uint8Array(ink.bits.length);
  if (markColour(picture, ink, commonColour(picture, ink), bits) < layerShare) return undefined;
  const layer = trimInk({ box: ink.box, bits, counts: countInk({ box: ink.box, bits }, ink.box) });
  if (!layer) return undefined;
  const area = (layer.box.right - layer.box.left) * (layer.box.bottom - layer.box.top);
  return area <= layerArea * (box.right - box.left) * (box.bottom - box.top) ? layer : undefined;
}

/** The most frequent colour of the ink, to the nearest 16 levels. */
function commonColour({ width, rgb }: Picture, { box, bits }: Ink): Colour {
  const counts = new Uint32Array(4096);
  let best = 0;
  for (let y = box.top, o = 0; y < box.bottom; y++) {
    for (let x = box.left, i = (y * width + x) * 3; x < box.right; x++, i += 3, o++) {
      if (bits[o] === 0) continue;
      const key = ((rgb[i]! >> 4) << 8) | ((rgb[i + 1]! >> 4) << 4) | (rgb[i + 2]! >> 4);
      counts[key]!++;
      if (counts[key]! > counts[best]!) best = key;
    }
  }
  return [(best >> 8) * 16 + 8, ((best >> 4) & 15) * 16 + 8, (best & 15) * 16 + 8];
}

/** Marks the ink near a colour; gives its share of all ink. */
function markColour({ width, rgb }: Picture, { box, bits }: Ink, [r, g, b]: Colour, to: Uint8Array): number {
  let all = 0;
  let found = 0;
  for (let y = box.top, o = 0; y < box.bottom; y++) {
    for (let x = box.left, i = (y * width + x) * 3; x < box.right; x++, i += 3, o++) {
      if (bits[o] === 0) continue;
      all++;
      const far = Math.max(Math.abs(rgb[i]! - r), Math.abs(rgb[i + 1]! - g), Math.abs(rgb[i + 2]! - b));
      if (far > layerTolerance) continue;
      to[o] = 1;
      found++;
    }
  }
  return found / all;
}
