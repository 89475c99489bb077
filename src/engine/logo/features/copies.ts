/**
 * How far two pictures are from being one picture at another size or compression: by thumbnails alone, so that it
 * holds where the views of the two differ. Method `chosen`, for brand.md, "Pictures at the edge".
 */

import type { LogoDescriptor } from "../descriptor.ts";
import { coarseSide, copyContrast, copyReach, copySamples, thumbSide } from "../tuning.ts";

/** What rounding to whole levels makes of equal thumbnails, of 255. */
const rounding = 0.5;

type Copyable = Pick<LogoDescriptor, "width" | "height" | "thumb">;

/**
 * The difference of two thumbnails as a share of their contrast: 0 for copies, about 1 for pictures of different
 * things. Infinite for another aspect, and where there is too little contrast to tell.
 */
export function copyDistance(a: Copyable, b: Copyable): number {
  if (!sameAspect(a, b)) return Number.POSITIVE_INFINITY;
  const across = cellsOf(Math.min(a.width, b.width));
  const down = cellsOf(Math.min(a.height, b.height));
  const p = gridOf(a.thumb, across, down);
  const q = gridOf(b.thumb, across, down);
  const contrast = Math.min(contrastOf(p), contrastOf(q));
  if (contrast < copyContrast) return Number.POSITIVE_INFINITY;
  return Math.max(0, distanceOf(p, q) - rounding) / contrast;
}

/** Sizes whose aspect differs by no more than rounding to whole pixels explains. */
function sameAspect(a: Copyable, b: Copyable): boolean {
  const slack = 1 / Math.min(a.width, a.height, b.width, b.height);
  return Math.abs(Math.log((a.width * b.height) / (a.height * b.width))) <= Math.max(0.03, slack);
}

/** Cells of a grid along a side of so many pixels: few for few pixels, of which each resampling makes others. */
function cellsOf(pixels: number): number {
  let cells = thumbSide;
  while (cells > coarseSide && pixels < cells * copySamples) cells /= 2;
  return cells;
}

/** A thumbnail averaged to fewer cells, three numbers each. */
function gridOf(thumb: Uint8Array, across: number, down: number): Float64Array {
  const grid = new Float64Array(across * down * 3);
  const [wide, tall] = [thumbSide / across, thumbSide / down];
  for (let y = 0, i = 0; y < thumbSide; y++) {
    for (let x = 0; x < thumbSide; x++) {
      const cell = (Math.floor(y / tall) * across + Math.floor(x / wide)) * 3;
      for (let c = 0; c < 3; c++, i++) grid[cell + c]! += thumb[i]!;
    }
  }
  return grid.map((sum) => sum / (wide * tall));
}

/** Root mean square distance from the mean colour. */
function contrastOf(grid: Float64Array | Uint8Array): number {
  const mean = [0, 0, 0];
  for (let i = 0; i < grid.length; i++) mean[i % 3]! += (3 * grid[i]!) / grid.length;
  let sum = 0;
  for (let i = 0; i < grid.length; i++) sum += (grid[i]! - mean[i % 3]!) ** 2;
  return Math.sqrt(sum / grid.length);
}

/** Root mean square difference. */
function distanceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(sum / a.length);
}

/** Bytes of what an index keeps of a thumbnail. */
export const coarseBytes = coarseSide * coarseSide;

/** A thumbnail as few grey levels, for an index to keep. */
export function coarseThumb(thumb: Uint8Array): Uint8Array {
  const grid = gridOf(thumb, coarseSide, coarseSide);
  return Uint8Array.from({ length: coarseBytes }, (_, i) =>
    Math.round((grid[3 * i]! + grid[3 * i + 1]! + grid[3 * i + 2]!) / 3),
  );
}

/**
 * Sum of squares by which coarse thumbnails of copies of a picture may differ; undefined when it can have none.
 * Averaging lowers both a difference and a contrast, so none of them is missed; both sides are rounded once more.
 */
export function coarseLimit(thumb: Uint8Array): number | undefined {
  const contrast = contrastOf(thumb);
  return contrast < copyContrast ? undefined : coarseBytes * (copyReach * contrast + 3 * rounding) ** 2;
}
