/**
 * The main color of the foreground. A badge or a line of text in another color enlarges the box of a logo, often
 * without an empty row or column between the two; the box of the main color is the logo's own. Method `chosen`.
 */

import type { RgbPicture } from "../decode/picture.ts";
import { layerTolerance, maxLayerArea, minLayerShare } from "../tuning.ts";
import { colorKey, keyColor } from "./background.ts";
import { countForeground, type Foreground, type TrimmedBox, trimForeground } from "./foreground.ts";

/** The box of the main color; undefined when no color covers most of the foreground, or the box is nearly the same. */
export function mainColorBox(
  picture: RgbPicture,
  foreground: Foreground,
  { box: whole }: TrimmedBox,
): TrimmedBox | undefined {
  const bits = new Uint8Array(foreground.bits.length);
  if (markColor(picture, foreground, commonColor(picture, foreground), bits) < minLayerShare)
    return undefined;
  const layer = { box: foreground.box, bits };
  const trimmed = trimForeground({ ...layer, counts: countForeground(layer, layer.box) });
  if (!trimmed) return undefined;
  const { left, top, right, bottom } = trimmed.box;
  const area = (right - left) * (bottom - top);
  return area <= maxLayerArea * (whole.right - whole.left) * (whole.bottom - whole.top) ? trimmed : undefined;
}

/** The most frequent color of the foreground by its key. */
function commonColor({ width, rgb }: RgbPicture, { box, bits }: Foreground) {
  const counts = new Uint32Array(4096);
  let best = 0;
  for (let y = box.top, o = 0; y < box.bottom; y++) {
    for (let x = box.left, i = (y * width + x) * 3; x < box.right; x++, i += 3, o++) {
      if (bits[o] === 0) continue;
      const key = colorKey(rgb[i] ?? 0, rgb[i + 1] ?? 0, rgb[i + 2] ?? 0);
      const count = (counts[key] ?? 0) + 1;
      counts[key] = count;
      if (count > (counts[best] ?? 0)) best = key;
    }
  }
  return keyColor(best);
}

/** Marks the foreground near a color; returns its share of the foreground. */
function markColor(
  { width, rgb }: RgbPicture,
  { box, bits }: Foreground,
  [red, green, blue]: readonly [number, number, number],
  marks: Uint8Array,
): number {
  let all = 0;
  let marked = 0;
  for (let y = box.top, o = 0; y < box.bottom; y++) {
    for (let x = box.left, i = (y * width + x) * 3; x < box.right; x++, i += 3, o++) {
      if (bits[o] === 0) continue;
      all++;
      const r = Math.abs((rgb[i] ?? 0) - red);
      const g = Math.abs((rgb[i + 1] ?? 0) - green);
      const b = Math.abs((rgb[i + 2] ?? 0) - blue);
      if (Math.max(r, g, b) > layerTolerance) continue;
      marks[o] = 1;
      marked++;
    }
  }
  return marked / all;
}
