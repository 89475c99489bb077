/**
 * The distance between two pictures that may be one picture at another size or compression: by thumbnails alone, so
 * that it works where the views of the two differ. `chosen` (docs/interface/brand.md, "Pictures at the edge").
 */

import type { LogoDescriptor } from "../descriptor.ts";
import {
  coarseThumbnailSide,
  copyPixelsPerCell,
  maxCopyDistance,
  maxSimilarCopyDistance,
  minCopyContrast,
  thumbnailSide,
} from "../tuning.ts";

/** Difference that rounding to whole levels causes between equal thumbnails, of 255. */
const rounding = 0.5;

type ThumbnailedPicture = Pick<LogoDescriptor, "width" | "height" | "thumbnail">;

/**
 * The difference of two thumbnails as a share of their contrast: 0 for copies, about 1 for pictures of different
 * things. Infinite for different aspects, and when the contrast is too low to decide.
 */
export function copyDistance(a: ThumbnailedPicture, b: ThumbnailedPicture): number {
  if (!sameAspect(a, b)) return Number.POSITIVE_INFINITY;
  const across = cellsOf(Math.min(a.width, b.width));
  const down = cellsOf(Math.min(a.height, b.height));
  const p = gridOf(a.thumbnail, across, down);
  const q = gridOf(b.thumbnail, across, down);
  const contrast = Math.min(contrastOf(p), contrastOf(q));
  if (contrast < minCopyContrast) return Number.POSITIVE_INFINITY;
  return Math.max(0, distanceOf(p, q) - rounding) / contrast;
}

/** Values that exclude most copies of a picture: its thumbnail in few cells, and the contrast of the whole thumbnail. */
interface CopyFilter {
  readonly cells: Float64Array;
  readonly contrast: number;
}

/** By thumbnail, since one picture is compared with many. */
const filters = new WeakMap<Uint8Array, CopyFilter>();

function filterOf(thumbnail: Uint8Array): CopyFilter {
  const known = filters.get(thumbnail);
  if (known) return known;
  const cells = gridOf(thumbnail, coarseThumbnailSide, coarseThumbnailSide);
  const filter = { cells, contrast: contrastOf(thumbnail) };
  filters.set(thumbnail, filter);
  return filter;
}

/**
 * Whether `copyDistance` may be at most `maxSimilarCopyDistance`, in a fraction of its time. Averaging lowers both a
 * difference and a contrast, so no copy is missed.
 */
export function mayBeCopy(a: ThumbnailedPicture, b: ThumbnailedPicture): boolean {
  if (!sameAspect(a, b)) return false;
  const { cells, contrast } = filterOf(a.thumbnail);
  const difference = distanceOf(cells, gridOf(b.thumbnail, coarseThumbnailSide, coarseThumbnailSide));
  return difference - rounding <= maxSimilarCopyDistance * contrast * rounded;
}

/** More than any error of floating point numbers. */
const rounded = 1 + 1e-9;

/** Whether the aspects of two sizes differ by no more than rounding to whole pixels explains. */
function sameAspect(a: ThumbnailedPicture, b: ThumbnailedPicture): boolean {
  const slack = 1 / Math.min(a.width, a.height, b.width, b.height);
  return Math.abs(Math.log((a.width * b.height) / (a.height * b.width))) <= Math.max(0.03, slack);
}

/** Number of cells along a side of so many pixels: few for few pixels, because resampling methods differ there. */
function cellsOf(pixels: number): number {
  let cells = thumbnailSide;
  while (cells > coarseThumbnailSide && pixels < cells * copyPixelsPerCell) cells /= 2;
  return cells;
}

/** A thumbnail averaged to fewer cells, three numbers each. */
function gridOf(thumbnail: Uint8Array, across: number, down: number): Float64Array {
  const grid = new Float64Array(across * down * 3);
  const [wide, tall] = [thumbnailSide / across, thumbnailSide / down];
  for (let y = 0, i = 0; y < thumbnailSide; y++) {
    for (let x = 0; x < thumbnailSide; x++) {
      const cell = (Math.floor(y / tall) * across + Math.floor(x / wide)) * 3;
      for (let c = cell; c < cell + 3; c++, i++) grid[c] = (grid[c] ?? 0) + (thumbnail[i] ?? 0);
    }
  }
  return grid.map((sum) => sum / (wide * tall));
}

/** Root mean square distance from the mean color. */
function contrastOf(grid: Float64Array | Uint8Array): number {
  const mean = [0, 0, 0];
  for (let i = 0; i < grid.length; i++) mean[i % 3] = (mean[i % 3] ?? 0) + (3 * (grid[i] ?? 0)) / grid.length;
  let sum = 0;
  for (let i = 0; i < grid.length; i++) sum += ((grid[i] ?? 0) - (mean[i % 3] ?? 0)) ** 2;
  return Math.sqrt(sum / grid.length);
}

/** Root mean square difference. */
function distanceOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return Math.sqrt(sum / a.length);
}

/** Bytes of the coarse thumbnail that an index keeps. */
export const coarseThumbnailBytes = coarseThumbnailSide * coarseThumbnailSide;

/** A thumbnail reduced to a few gray levels, for an index to keep. */
export function coarseThumbnail(thumbnail: Uint8Array): Uint8Array {
  const grid = gridOf(thumbnail, coarseThumbnailSide, coarseThumbnailSide);
  return Uint8Array.from({ length: coarseThumbnailBytes }, (_, i) => {
    const [red = 0, green = 0, blue = 0] = grid.subarray(3 * i);
    return Math.round((red + green + blue) / 3);
  });
}

/**
 * Maximum sum of squared differences between the coarse thumbnails of a picture and its copies; undefined when it can
 * have no copies. Averaging lowers both a difference and a contrast, so no copy is missed; both sides are rounded once
 * more.
 */
export function coarseLimit(thumbnail: Uint8Array): number | undefined {
  const contrast = contrastOf(thumbnail);
  if (contrast < minCopyContrast) return undefined;
  return coarseThumbnailBytes * (maxCopyDistance * contrast + 3 * rounding) ** 2;
}
