/**
 * The main color of the foreground. A badge or a line of text in another color enlarges the box of a logo, often
 * without an empty row or column between the two; the box of the main color is the logo's own. Method `chosen`.
 */

import { inRows, type Steps } from "../../../core/work/steps.ts";
import type { RgbPicture } from "../decode/picture.ts";
import { layerTolerance, maxLayerArea, minLayerShare } from "../tuning.ts";
import { colorKey, keyColor } from "./background.ts";
import { countForeground, type Foreground, type TrimmedBox, trimSteps } from "./foreground.ts";

/** The box of the main color; undefined when no color covers most of the foreground, or the box is nearly the same. */
export function* mainColorBox(
  picture: RgbPicture,
  foreground: Foreground,
  { box: whole }: TrimmedBox,
): Steps<TrimmedBox | undefined> {
  const { box } = foreground;
  const width = box.right - box.left;
  const counts = new Uint32Array(4096);
  let key = 0;
  yield* inRows(box.top, box.bottom, width, (from, to) => {
    key = countColors(picture, foreground, counts, key, from, to);
  });
  const layer = { box, bits: new Uint8Array(foreground.bits.length) };
  const color = keyColor(key);
  let marked = 0;
  yield* inRows(box.top, box.bottom, width, (from, to) => {
    marked += markColor(picture, foreground, color, layer.bits, from, to);
  });
  const all = foreground.counts.rows.reduce((sum, count) => sum + count, 0);
  if (marked / all < minLayerShare) return undefined;
  const trimmed = yield* trimSteps({ ...layer, counts: yield* countForeground(layer, box) }, box);
  if (!trimmed) return undefined;
  const { left, top, right, bottom } = trimmed.box;
  const area = (right - left) * (bottom - top);
  return area <= maxLayerArea * (whole.right - whole.left) * (whole.bottom - whole.top) ? trimmed : undefined;
}

/** Counts the colors of the foreground of some rows by their keys; returns the key of the most frequent color so far. */
function countColors(
  { width, rgb }: RgbPicture,
  { box, bits }: Foreground,
  counts: Uint32Array,
  before: number,
  from: number,
  to: number,
): number {
  const words = wordsOf(bits);
  let best = before;
  for (let y = from, o = (from - box.top) * (box.right - box.left); y < to; y++) {
    for (let x = box.left, i = (y * width + x) * 3; x < box.right; x++, i += 3, o++) {
      if (bits[o] === 0) {
        const empty = emptyAfter(words, o, box.right - x);
        x += empty;
        i += 3 * empty;
        o += empty;
        continue;
      }
      const key = colorKey(rgb[i] ?? 0, rgb[i + 1] ?? 0, rgb[i + 2] ?? 0);
      const count = (counts[key] ?? 0) + 1;
      counts[key] = count;
      if (count > (counts[best] ?? 0)) best = key;
    }
  }
  return best;
}

/** Marks the foreground of some rows near a color; returns how much of it. */
function markColor(
  { width, rgb }: RgbPicture,
  { box, bits }: Foreground,
  [red, green, blue]: readonly [number, number, number],
  marks: Uint8Array,
  from: number,
  to: number,
): number {
  const words = wordsOf(bits);
  let marked = 0;
  for (let y = from, o = (from - box.top) * (box.right - box.left); y < to; y++) {
    for (let x = box.left, i = (y * width + x) * 3; x < box.right; x++, i += 3, o++) {
      if (bits[o] === 0) {
        const empty = emptyAfter(words, o, box.right - x);
        x += empty;
        i += 3 * empty;
        o += empty;
        continue;
      }
      const r = Math.abs((rgb[i] ?? 0) - red);
      const g = Math.abs((rgb[i + 1] ?? 0) - green);
      const b = Math.abs((rgb[i + 2] ?? 0) - blue);
      if (Math.max(r, g, b) > layerTolerance) continue;
      marks[o] = 1;
      marked++;
    }
  }
  return marked;
}

/** The bits four at a time; those of a foreground begin a buffer. */
function wordsOf({ buffer, length }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, 0, length >> 2);
}

/** Pixels without foreground that can be skipped after one at index `o`: of its word, and of the empty words after it. */
function emptyAfter(words: Uint32Array, o: number, left: number): number {
  if (o % 4 !== 0) return 0;
  let empty = 0;
  for (let word = o >> 2; empty + 4 <= left && words[word] === 0; word++) empty += 4;
  return Math.max(0, empty - 1);
}
