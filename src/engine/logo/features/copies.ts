/**
 * Two pictures that may be one picture at another size or compression: the block hash decides whether they can be, and the
 * distance of their thumbnails how similar they are. `chosen` (docs/interface/brand.md, "Pictures at the edge").
 */

import type { LogoDescriptor } from "../descriptor.ts";
import {
  clearLevels,
  coarseThumbnailSide,
  copyPixelsPerCell,
  maxDifferentBlocks,
  minCopyContrast,
  thumbnailSide,
} from "../tuning.ts";

/** Difference that rounding to whole levels causes between equal thumbnails, of 255. */
const rounding = 0.5;

type ThumbnailedPicture = Pick<LogoDescriptor, "width" | "height" | "thumbnail">;
type HashedPicture = Pick<LogoDescriptor, "blockHash" | "thumbnail">;

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

/**
 * Whether two pictures have the same block hash, which decides whether they can be copies: of the blocks that are clearly
 * brighter or darker than the median of their band in either picture, hardly any has another bit. Others are noise.
 */
export function hasSameBlocks(a: HashedPicture, b: HashedPicture): boolean {
  const [p, q] = [blocksOf(a), blocksOf(b)];
  let clear = 0;
  let different = 0;
  for (let i = 0; i < p.length; i++) {
    if (Math.abs(p[i] ?? 0) !== clearBit && Math.abs(q[i] ?? 0) !== clearBit) continue;
    clear++;
    if ((p[i] ?? 0) > 0 !== (q[i] ?? 0) > 0) different++;
  }
  return different <= maxDifferentBlocks * clear;
}

/** By thumbnail, since one picture is compared with many. */
const blocks = new WeakMap<Uint8Array, Int8Array>();
const clearBit = 2;

/** The sign of each block: positive for a bit that is set; 2 where the block is clear, else 1. */
function blocksOf({ blockHash, thumbnail }: HashedPicture): Int8Array {
  const known = blocks.get(thumbnail);
  if (known) return known;
  const count = thumbnailSide * thumbnailSide;
  const band = count / bands;
  const sums = Float64Array.from(
    { length: count },
    (_, i) => (thumbnail[3 * i] ?? 0) + (thumbnail[3 * i + 1] ?? 0) + (thumbnail[3 * i + 2] ?? 0),
  );
  const signs = new Int8Array(count);
  for (let from = 0; from < count; from += band) {
    const sorted = sums.slice(from, from + band).sort();
    const median = ((sorted[band / 2 - 1] ?? 0) + (sorted[band / 2] ?? 0)) / 2;
    for (let i = from; i < from + band; i++) {
      const isSet = (Number.parseInt(blockHash[i >> 2] ?? "0", 16) >> (3 - (i & 3))) & 1;
      const size = Math.abs((sums[i] ?? 0) - median) > 3 * clearLevels ? clearBit : 1;
      signs[i] = isSet ? size : -size;
    }
  }
  blocks.set(thumbnail, signs);
  return signs;
}

/** Bands of rows that have a median each, in the block hash. */
const bands = 4;

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
