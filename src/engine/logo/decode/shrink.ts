/** Reduces pictures by exact averages: every source pixel counts by the share of it that a target pixel covers. */

import { inRows, runSteps, type Steps, stepWork } from "../../../core/work/steps.ts";
import { thumbnailSide } from "../tuning.ts";
import type { RgbPicture } from "./halve-rows.ts";
import type { Pyramid, Raster } from "./picture.ts";
import { type Coverage, rowSums } from "./shrink-rows.ts";

/**
 * Averages a raster down until its width, and its height over `heights`, are at most `side`; smaller rasters are
 * returned unchanged.
 */
export function* shrinkSteps(raster: Raster, side: number, heights = 1): Steps<Raster> {
  const scale = side / Math.max(raster.width, raster.height / heights);
  if (scale >= 1) return raster;
  const width = Math.max(1, Math.round(raster.width * scale));
  const height = Math.max(1, Math.round(raster.height * scale));
  const small = { width, height, data: new Uint8Array(width * height * 4) };
  const factor = raster.width / width;
  if (exactFactors.includes(factor) && raster.height === factor * height) {
    const work = (from: number, to: number) => averageBlocks(raster, small, factor, from, to);
    yield* inRows(0, height, factor * raster.width, work);
    return small;
  }
  const across = yield* coverage(raster.width, width);
  const down = yield* coverage(raster.height, height);
  const sums = rowSums(raster, across, small);
  // Cells of a row that are averaged in a step: a picture may be millions of pixels wide.
  const cells = Math.max(1, Math.floor(stepWork / Math.ceil(raster.width / width + 1)));
  let currentRow = -1;
  for (let y = 0; y < height; y++) {
    const first = down.first[y] ?? 0;
    for (let k = down.start[y] ?? 0, end = down.start[y + 1] ?? 0, at = first; k < end; k++, at++) {
      // The last row is kept, because two target rows may share it.
      for (let cell = 0; cell < width && at !== currentRow; cell += cells) {
        sums.average(at, cell, Math.min(width, cell + cells));
        yield Math.min(raster.width, stepWork);
      }
      currentRow = at;
      sums.add(down.weights[k] ?? 0);
    }
    sums.write(y);
  }
  return small;
}

/** Factors by which all averages are exact, whatever the order of the sums: a pixel has a share of 1/4 or 1/16. */
const exactFactors: readonly number[] = [2, 4];

/** Averages blocks of `factor` x `factor` pixels. Colors are multiplied by alpha so that hidden colors do not bleed. */
function averageBlocks(
  { width, data }: Raster,
  small: Raster,
  factor: number,
  from: number,
  to: number,
): void {
  for (let y = from, o = from * small.width * 4; y < to; y++) {
    for (let x = 0; x < small.width; x++, o += 4) {
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let j = 0, i = (y * width + x) * factor * 4; j < factor; j++, i += (width - factor) * 4) {
        for (let k = 0; k < factor; k++, i += 4) {
          const alpha = data[i + 3] ?? 0;
          r += alpha * (data[i] ?? 0);
          g += alpha * (data[i + 1] ?? 0);
          b += alpha * (data[i + 2] ?? 0);
          a += alpha;
        }
      }
      if (a === 0) continue;
      small.data[o] = Math.round(r / a);
      small.data[o + 1] = Math.round(g / a);
      small.data[o + 2] = Math.round(b / a);
      small.data[o + 3] = Math.round(a / (factor * factor));
    }
  }
}

/**
 * The coverage of each target cell. The targets divide `extent` evenly; it may exceed the source cells by a fraction
 * of one. In steps.
 */
function* coverage(cells: number, to: number, extent: number = cells): Steps<Coverage> {
  const step = extent / to;
  const first = new Int32Array(to);
  const start = new Int32Array(to + 1);
  const lastOf = (i: number) => Math.min(cells, Math.ceil(Math.min(cells, i * step + step)));
  for (let i = 0; i < to; i++) {
    first[i] = Math.floor(i * step);
    start[i + 1] = (start[i] ?? 0) + Math.max(0, lastOf(i) - (first[i] ?? 0));
  }
  const weights = new Float32Array(start[to] ?? 0);
  for (let i = 0, o = 0; i < to; i++) {
    const begin = i * step;
    const end = Math.min(cells, begin + step);
    for (let k = first[i] ?? 0; k < lastOf(i); k++, o++) {
      weights[o] = (Math.min(k + 1, end) - Math.max(k, begin)) / (end - begin);
    }
    yield (start[i + 1] ?? 0) - (start[i] ?? 0);
  }
  return { first, start, weights };
}

type Size = Pick<Raster, "width" | "height">;

/** Number of halvings before the thumbnail is averaged. */
export function thumbnailLevel({ width, height }: Size): number {
  return Math.max(0, Math.floor(Math.log2(Math.min(width, height) / (8 * thumbnailSide))));
}

/**
 * The whole picture at 16 x 16, three bytes a pixel: exact averages, except that those at the right and at the bottom
 * leave out the pixels that halving dropped, less than an eighth of a cell.
 */
export function thumbnail(pyramid: Pyramid, { width, height }: Size): Uint8Array {
  const level = thumbnailLevel({ width, height });
  const small = pyramid.at(level);
  const across = runSteps(coverage(small.width, thumbnailSide, width / 2 ** level));
  const down = runSteps(coverage(small.height, thumbnailSide, height / 2 ** level));
  return averagePicture(small, across, down);
}

function averagePicture({ width, rgb }: RgbPicture, across: Coverage, down: Coverage): Uint8Array {
  const out = new Uint8Array(across.first.length * down.first.length * 3);
  let o = 0;
  for (let row = 0; row < down.first.length; row++) {
    for (let cell = 0; cell < across.first.length; cell++, o += 3) {
      let r = 0;
      let g = 0;
      let b = 0;
      const bottom = down.start[row + 1] ?? 0;
      for (let j = down.start[row] ?? 0, y = down.first[row] ?? 0; j < bottom; j++, y++) {
        const rowWeight = down.weights[j] ?? 0;
        const right = across.start[cell + 1] ?? 0;
        let at = (y * width + (across.first[cell] ?? 0)) * 3;
        for (let i = across.start[cell] ?? 0; i < right; i++, at += 3) {
          const w = rowWeight * (across.weights[i] ?? 0);
          r += w * (rgb[at] ?? 0);
          g += w * (rgb[at + 1] ?? 0);
          b += w * (rgb[at + 2] ?? 0);
        }
      }
      out[o] = Math.round(r);
      out[o + 1] = Math.round(g);
      out[o + 2] = Math.round(b);
    }
  }
  return out;
}
