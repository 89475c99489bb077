/** Reduces pictures by exact averages: every source pixel counts by the share of it that a target pixel covers. */

import { thumbnailSide } from "../tuning.ts";
import type { Pyramid, Raster, RgbPicture } from "./picture.ts";

/**
 * Averages a raster down until its width, and its height over `heights`, are at most `side`; smaller rasters are
 * returned unchanged.
 */
export function shrinkRaster(raster: Raster, side: number, heights = 1): Raster {
  const scale = side / Math.max(raster.width, raster.height / heights);
  if (scale >= 1) return raster;
  const width = Math.max(1, Math.round(raster.width * scale));
  const height = Math.max(1, Math.round(raster.height * scale));
  const rowOf = averagedRows(raster, width);
  const data = new Uint8Array(width * height * 4);
  const sum = new Float64Array(width * 4);
  for (const [y, { first, weights }] of coverage(raster.height, height).entries()) {
    sum.fill(0);
    for (const [k, weight] of weights.entries()) {
      const row = rowOf(first + k);
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (row[i] ?? 0);
    }
    writeRow(data, y * width * 4, sum);
  }
  return { width, height, data };
}

/** The source cells that one target cell covers, each with its share. */
interface CellCoverage {
  readonly first: number;
  readonly weights: Float32Array;
}

/**
 * The coverage of each target cell. The targets divide `extent` evenly; it may exceed the source cells by a fraction
 * of one.
 */
function coverage(cells: number, to: number, extent: number = cells): readonly CellCoverage[] {
  const step = extent / to;
  return Array.from({ length: to }, (_, i) => {
    const start = i * step;
    const end = Math.min(cells, start + step);
    const first = Math.floor(start);
    const last = Math.min(cells, Math.ceil(end));
    const weights = new Float32Array(last - first);
    for (let k = first; k < last; k++) {
      weights[k - first] = (Math.min(k + 1, end) - Math.max(k, start)) / (end - start);
    }
    return { first, weights };
  });
}

/**
 * A function that returns rows of a raster averaged to a width; call it in row order. The last row is kept, because
 * two target rows may share it. Colors are multiplied by alpha so that hidden colors do not bleed.
 */
function averagedRows({ width, data }: Raster, target: number): (y: number) => Float32Array {
  const cells = coverage(width, target);
  const row = new Float32Array(target * 4);
  let currentRow = -1;
  return (y) => {
    if (y === currentRow) return row;
    currentRow = y;
    let o = 0;
    for (const { first, weights } of cells) {
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let k = 0, i = (y * width + first) * 4; k < weights.length; k++, i += 4) {
        const w = (weights[k] ?? 0) * (data[i + 3] ?? 0);
        r += w * (data[i] ?? 0);
        g += w * (data[i + 1] ?? 0);
        b += w * (data[i + 2] ?? 0);
        a += w;
      }
      row[o++] = r;
      row[o++] = g;
      row[o++] = b;
      row[o++] = a;
    }
    return row;
  };
}

function writeRow(out: Uint8Array, at: number, sum: Float64Array): void {
  for (let i = 0; i < sum.length; i += 4) {
    const a = sum[i + 3] ?? 0;
    if (a <= 0) continue;
    for (let c = i; c < i + 3; c++) out[at + c] = Math.round((sum[c] ?? 0) / a);
    out[at + i + 3] = Math.round(a);
  }
}

/**
 * The whole picture at 16 x 16, three bytes a pixel: exact averages, except that those at the right and at the bottom
 * leave out the pixels that halving dropped, less than an eighth of a cell.
 */
export function thumbnail(pyramid: Pyramid, { width, height }: Raster): Uint8Array {
  const level = Math.max(0, Math.floor(Math.log2(Math.min(width, height) / (8 * thumbnailSide))));
  const small = pyramid.at(level);
  const across = coverage(small.width, thumbnailSide, width / 2 ** level);
  const down = coverage(small.height, thumbnailSide, height / 2 ** level);
  return averagePicture(small, across, down);
}

function averagePicture(
  { width, rgb }: RgbPicture,
  across: readonly CellCoverage[],
  down: readonly CellCoverage[],
): Uint8Array {
  const out = new Uint8Array(across.length * down.length * 3);
  let o = 0;
  for (const { first: top, weights: tall } of down) {
    for (const { first: left, weights: wide } of across) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (let j = 0; j < tall.length; j++) {
        const rowWeight = tall[j] ?? 0;
        for (let i = 0, at = ((top + j) * width + left) * 3; i < wide.length; i++, at += 3) {
          const w = rowWeight * (wide[i] ?? 0);
          r += w * (rgb[at] ?? 0);
          g += w * (rgb[at + 1] ?? 0);
          b += w * (rgb[at + 2] ?? 0);
        }
      }
      out[o++] = Math.round(r);
      out[o++] = Math.round(g);
      out[o++] = Math.round(b);
    }
  }
  return out;
}
