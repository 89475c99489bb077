/**
 * Flat areas: connected parts of a picture of nearly one color, such as cards, bars and buttons. Each is a background
 * of its own, whatever surrounds it: a card on a photograph has no other. Method `chosen`.
 */

import { inRows, runSteps, type Steps } from "../../../core/work/steps.ts";
import type { Box, RgbPicture } from "../decode/picture.ts";
import {
  flatAreaStep,
  maxFlatAreas,
  minFlatAreaFill,
  minFlatAreaHeight,
  minFlatAreaPixels,
  minFlatAreaWidth,
} from "../tuning.ts";
import { flatPlane, type Plane } from "./background.ts";

/** A flat area: its box and its color. */
export interface FlatArea {
  readonly box: Box;
  readonly plane: Plane;
  /** Number of its pixels. */
  readonly pixels: number;
}

/** The largest flat areas that fill enough of their boxes, largest first. */
export function findFlatAreas(picture: RgbPicture): readonly FlatArea[] {
  return runSteps(flatAreaSteps(picture));
}

/** The same in steps. */
export function* flatAreaSteps(picture: RgbPicture): Steps<readonly FlatArea[]> {
  const { width, height } = picture;
  const parents = new Int32Array(width * height);
  const joined = new Uint8Array(width);
  yield* inRows(0, height, width, (from, to) => joinNeighbors(picture, parents, joined, from, to));
  const sizes = new Uint32Array(parents.length);
  yield* inRows(0, height, width, (from, to) => countAreas(parents, sizes, from * width, to * width));
  const areas = new Map<number, AreaSum>();
  yield* inRows(0, height, width, (from, to) => sumAreas(picture, parents, sizes, areas, from, to));
  const sums = [...areas.values()];
  return sums
    .filter(isLargeEnough)
    .sort((a, b) => b.pixels - a.pixels)
    .slice(0, maxFlatAreas)
    .map(({ left, top, right, bottom, pixels, red, green, blue }) => ({
      box: { left, top, right: right + 1, bottom: bottom + 1 },
      plane: flatPlane(red / pixels, green / pixels, blue / pixels),
      pixels,
    }));
}

/**
 * Joins neighbors of some rows that differ by at most `flatAreaStep` in each channel. Writes each pixel's parent; a root
 * is its own. `joined` has for each column whether the pixel of the row before is joined to its left one.
 */
function joinNeighbors(
  { width, rgb }: RgbPicture,
  parents: Int32Array,
  joined: Uint8Array,
  from: number,
  to: number,
): void {
  for (let y = from, p = from * width; y < to; y++) {
    let leftAbove = false;
    for (let x = 0; x < width; x++, p++) {
      const left = x > 0 && isNear(rgb, p, p - 1);
      const above = y > 0 && isNear(rgb, p, p - width);
      parents[p] = left ? rootOf(parents, p - 1) : p;
      // Nothing to join when the pixel is joined to the one above by the two at the left.
      if (above && !(left && leftAbove && joined[x] === 1)) join(parents, p, p - width);
      joined[x] = left ? 1 : 0;
      leftAbove = above;
    }
  }
}

function isNear(rgb: Uint8Array, p: number, q: number): boolean {
  const i = p * 3;
  const j = q * 3;
  return (
    Math.abs((rgb[i] ?? 0) - (rgb[j] ?? 0)) <= flatAreaStep &&
    Math.abs((rgb[i + 1] ?? 0) - (rgb[j + 1] ?? 0)) <= flatAreaStep &&
    Math.abs((rgb[i + 2] ?? 0) - (rgb[j + 2] ?? 0)) <= flatAreaStep
  );
}

/** The root of a pixel; halves the path to it. */
function rootOf(parents: Int32Array, pixel: number): number {
  let p = pixel;
  for (let parent = parents[p] ?? 0; parent !== p; parent = parents[p] ?? 0) {
    const above = parents[parent] ?? 0;
    parents[p] = above;
    p = above;
  }
  return p;
}

/** The smaller root becomes the parent of the larger one. */
function join(parents: Int32Array, p: number, q: number): void {
  const a = rootOf(parents, p);
  const b = rootOf(parents, q);
  if (a < b) parents[b] = a;
  else parents[a] = b;
}

/** The extent of an area, inclusive, and the sums of its colors. */
interface AreaSum {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
  red: number;
  green: number;
  blue: number;
}

/** Makes the root of each pixel its parent, and counts the pixels of each root. */
function countAreas(parents: Int32Array, sizes: Uint32Array, from: number, to: number): void {
  for (let p = from; p < to; p++) {
    const root = rootOf(parents, p);
    parents[p] = root;
    sizes[root] = (sizes[root] ?? 0) + 1;
  }
}

/** Adds the pixels of some rows to the areas that are large enough. */
function sumAreas(
  { width, rgb }: RgbPicture,
  parents: Int32Array,
  sizes: Uint32Array,
  sums: Map<number, AreaSum>,
  from: number,
  to: number,
): void {
  let last = -1;
  let sum: AreaSum | undefined;
  for (let y = from, p = from * width; y < to; y++) {
    for (let x = 0; x < width; x++, p++) {
      const root = parents[p] ?? 0;
      if (root !== last) {
        last = root;
        sum =
          (sizes[root] ?? 0) < minFlatAreaPixels ? undefined : (sums.get(root) ?? addArea(sums, root, x, y));
      }
      if (sum) addPixel(sum, x, y, rgb, p * 3);
    }
  }
}

function addArea(sums: Map<number, AreaSum>, root: number, x: number, y: number): AreaSum {
  const sum = { left: x, top: y, right: x, bottom: y, pixels: 0, red: 0, green: 0, blue: 0 };
  sums.set(root, sum);
  return sum;
}

function addPixel(sum: AreaSum, x: number, y: number, rgb: Uint8Array, i: number): void {
  if (x < sum.left) sum.left = x;
  if (x > sum.right) sum.right = x;
  sum.bottom = y;
  sum.pixels++;
  sum.red += rgb[i] ?? 0;
  sum.green += rgb[i + 1] ?? 0;
  sum.blue += rgb[i + 2] ?? 0;
}

function isLargeEnough({ left, top, right, bottom, pixels }: AreaSum): boolean {
  const width = right + 1 - left;
  const height = bottom + 1 - top;
  return (
    width >= minFlatAreaWidth && height >= minFlatAreaHeight && pixels >= minFlatAreaFill * width * height
  );
}
