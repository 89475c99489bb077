/**
 * Flat areas: connected parts of a picture of nearly one color, such as cards, bars and buttons. Each is a background
 * of its own, whatever surrounds it: a card on a photograph has no other. Method `chosen`.
 */

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
  const parents = joinNeighbors(picture);
  const sums = sumAreas(picture, parents);
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

/** Joins neighbors that differ by at most `flatAreaStep` in each channel: each pixel's parent, a root is its own. */
function joinNeighbors({ width, height, rgb }: RgbPicture): Int32Array {
  const parents = new Int32Array(width * height);
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      parents[p] = p;
      if (x > 0 && isNear(rgb, p, p - 1)) parents[p] = rootOf(parents, p - 1);
      if (y > 0 && isNear(rgb, p, p - width)) join(parents, p, p - width);
    }
  }
  return parents;
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

function sumAreas({ width, rgb }: RgbPicture, parents: Int32Array): AreaSum[] {
  const sizes = new Uint32Array(parents.length);
  for (let p = 0; p < parents.length; p++) {
    const root = rootOf(parents, p);
    parents[p] = root;
    sizes[root] = (sizes[root] ?? 0) + 1;
  }
  const sums = new Map<number, AreaSum>();
  for (let p = 0, x = 0, y = 0; p < parents.length; p++) {
    const root = parents[p] ?? 0;
    if ((sizes[root] ?? 0) >= minFlatAreaPixels) addPixel(sums, root, x, y, rgb, p * 3);
    if (++x === width) {
      x = 0;
      y++;
    }
  }
  return [...sums.values()];
}

function addPixel(
  sums: Map<number, AreaSum>,
  root: number,
  x: number,
  y: number,
  rgb: Uint8Array,
  i: number,
): void {
  let sum = sums.get(root);
  if (!sum) {
    sum = { left: x, top: y, right: x, bottom: y, pixels: 0, red: 0, green: 0, blue: 0 };
    sums.set(root, sum);
  }
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
