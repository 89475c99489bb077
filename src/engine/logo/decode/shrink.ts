/** Making pictures smaller by exact averages: every source pixel counts by the share of it that is covered. */

import { thumbSide } from "../tuning.ts";
import type { Picture, Pyramid, Raster } from "./picture.ts";

/** Averages a raster down until its longest side fits; smaller ones stay as they are. */
export function shrinkRaster(raster: Raster, side: number): Raster {
  const scale = side / Math.max(raster.width, raster.height);
  if (scale >= 1) return raster;
  const width = Math.max(1, Math.round(raster.width * scale));
  const height = Math.max(1, Math.round(raster.height * scale));
  const rowOf = averagedRows(raster, width);
  const data = new Uint8Array(width * height * 4);
  const sum = new Float64Array(width * 4);
  for (const [y, [first, weights]] of coverage(raster.height, height).entries()) {
    sum.fill(0);
    for (let k = 0; k < weights.length; k++) {
      const row = rowOf(first + k);
      const w = weights[k]!;
      for (let i = 0; i < sum.length; i++) sum[i]! += w * row[i]!;
    }
    writeRow(data, y * width * 4, sum);
  }
  return { width, height, data };
}

/**
 * Shares of the source cells that one target cell covers: [first cell, weights]. The targets share out `extent`
 * evenly, which may go beyond the cells there are by a part of one.
 */
function coverage(
  cells: number,
  to: number,
  extent: number = cells,
): readonly (readonly [number, Float32Array])[] {
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
    return [first, weights] as const;
  });
}

/**
 * Gives rows of a raster averaged to a width, in their order; the last one is kept, as two target rows may share it.
 * Colours are multiplied by alpha so that hidden colours do not bleed.
 */
function averagedRows({ width, data }: Raster, target: number): (y: number) => Float32Array {
  const cells = coverage(width, target);
  const row = new Float32Array(target * 4);
  let known = -1;
  return (y) => {
    if (y === known) return row;
    known = y;
    for (let x = 0, o = 0; x < target; x++, o += 4) {
      const [first, weights] = cells[x]!;
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let k = 0, i = (y * width + first) * 4; k < weights.length; k++, i += 4) {
        const w = weights[k]! * data[i + 3]!;
        r += w * data[i]!;
        g += w * data[i + 1]!;
        b += w * data[i + 2]!;
        a += w;
      }
      row[o] = r;
      row[o + 1] = g;
      row[o + 2] = b;
      row[o + 3] = a;
    }
    return row;
  };
}

function writeRow(out: Uint8Array, at: number, sum: Float64Array): void {
  for (let i = 0; i < sum.length; i += 4) {
    const a = sum[i + 3]!;
    if (a <= 0) continue;
    for (let c = 0; c < 3; c++) out[at + i + c] = Math.round(sum[i + c]! / a);
    out[at + i + 3] = Math.round(a);
  }
}

/**
 * The whole picture at 16 x 16, three bytes a pixel: exact averages, of which those at the right and at the bottom
 * leave out what halving dropped, less than an eighth of them.
 */
export function thumbnail(pyramid: Pyramid, { width, height }: Raster): Uint8Array {
  const level = Math.max(0, Math.floor(Math.log2(Math.min(width, height) / (8 * thumbSide))));
  const small = pyramid.at(level);
  const across = coverage(small.width, thumbSide, width / 2 ** level);
  const down = coverage(small.height, thumbSide, height / 2 ** level);
  return averagePicture(small, across, down);
}

type Coverage = ReturnType<typeof coverage>;

function averagePicture({ width, rgb }: Picture, across: Coverage, down: Coverage): Uint8Array {
  const out = new Uint8Array(across.length * down.length * 3);
  const sum = [0, 0, 0];
  let o = 0;
  for (const [top, tall] of down) {
    for (const [left, wide] of across) {
      sum.fill(0);
      for (let j = 0; j < tall.length; j++) {
        for (let i = 0; i < wide.length; i++) {
          const at = ((top + j) * width + left + i) * 3;
          const w = tall[j]! * wide[i]!;
          for (let c = 0; c < 3; c++) sum[c]! += w * rgb[at + c]!;
        }
      }
      for (let c = 0; c < 3; c++) out[o++] = Math.round(sum[c]!);
    }
  }
  return out;
}
