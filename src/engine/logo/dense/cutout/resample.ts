/** Resamples cutouts: averages where they shrink, linear interpolation where they grow. */

import { inRows, runSteps, type Steps, stepWork } from "../../../../core/work/steps.ts";
import {
  averageCells,
  averageColumns,
  averageRows,
  maxCopiedPixels,
  type ResamplePath,
  type Weights,
} from "../kernels/resample-rows.ts";
import type { Cutout } from "./cutout.ts";

/** A resampled cutout: four numbers a pixel, as `Cutout` reads them. */
export interface SizedCutout {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** A cutout at another size, in steps. Tests compare the paths. */
export function* resampleSteps(
  cutout: Cutout,
  width: number,
  height: number,
  path?: ResamplePath,
): Steps<SizedCutout> {
  return yield* resampleRows(yield* resampleCutout(cutout, width, path), height, path);
}

/** A resampled cutout at another size. */
export function resample(
  from: SizedCutout,
  toWidth: number,
  toHeight: number,
  path?: ResamplePath,
): SizedCutout {
  return runSteps(resampleSizedSteps(from, toWidth, toHeight, path));
}

function* resampleSizedSteps(
  { width, height, data }: SizedCutout,
  toWidth: number,
  toHeight: number,
  path: ResamplePath | undefined,
): Steps<SizedCutout> {
  const across = yield* weightsOf(width, toWidth);
  const out = new Float32Array(toWidth * height * 4);
  yield* inRows(0, height, width, (from, to) =>
    averageRows(
      data.subarray(4 * from * width, 4 * to * width),
      width,
      across,
      out,
      4 * from * toWidth,
      path,
    ),
  );
  return yield* resampleRows({ width: toWidth, height, data: out }, toHeight, path);
}

/** The weights of all target pixels, in steps. */
function* weightsOf(from: number, to: number): Steps<Weights> {
  const scale = from / to;
  const reach = Math.max(1, scale);
  const first = new Int32Array(to);
  const start = new Int32Array(to + 1);
  const weights = new Float64Array(to * (Math.ceil(2 * reach) + 1));
  let end = 0;
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * scale;
    const last = Math.min(from - 1, Math.floor(center + reach - 0.5));
    first[i] = Math.max(0, Math.ceil(center - reach - 0.5));
    let sum = 0;
    for (let k = first[i] ?? 0, o = end; k <= last; k++, o++) {
      const weight = Math.max(0, 1 - Math.abs(k + 0.5 - center) / reach);
      weights[o] = weight;
      sum += weight;
    }
    const count = Math.max(0, last - (first[i] ?? 0) + 1);
    if (sum > 0) {
      for (let o = end; o < end + count; o++) weights[o] = (weights[o] ?? 0) / sum;
      end += count;
    } else {
      first[i] = Math.min(from - 1, Math.floor(center));
      weights[end++] = 1;
    }
    start[i + 1] = end;
    yield count;
  }
  return { first, start, weights };
}

/** Reads each pixel of a cutout once, in blocks of rows, and averages its rows. */
function* resampleCutout(
  { width, height, read, readRun }: Cutout,
  to: number,
  path: ResamplePath | undefined,
): Steps<SizedCutout> {
  const across = yield* weightsOf(width, to);
  const out = new Float32Array(to * height * 4);
  const rows = Math.max(1, Math.floor(maxCopiedPixels / Math.max(width, to)));
  const block = new Float32Array(4 * width * Math.min(rows, height));
  for (let y = 0; y < height; y += rows) {
    const end = Math.min(height, y + rows);
    for (let row = y; row < end; row++) {
      const into = block.subarray(4 * width * (row - y));
      for (let x = 0; x < width; x += stepWork) {
        const count = Math.min(stepWork, width - x);
        if (readRun) readRun(x, row, count, into.subarray(4 * x));
        else for (let i = x; i < x + count; i++) read(i, row, into, 4 * i);
        yield count;
      }
    }
    if (width <= maxCopiedPixels) {
      averageRows(block.subarray(0, 4 * width * (end - y)), width, across, out, 4 * to * y, path);
      yield width * (end - y);
      continue;
    }
    // A picture may be millions of pixels wide.
    const cells = Math.max(1, Math.floor((to * stepWork) / (2 * width)));
    for (let cell = 0; cell < to; cell += cells) {
      const last = Math.min(to, cell + cells);
      averageCells(block, across, cell, last, out, 4 * to * y);
      yield (across.start[last] ?? 0) - (across.start[cell] ?? 0);
    }
  }
  return { width: to, height, data: out };
}

function* resampleRows(
  { width, height, data }: SizedCutout,
  to: number,
  path: ResamplePath | undefined,
): Steps<SizedCutout> {
  const down = yield* weightsOf(height, to);
  const fast = averageColumns(data, 4 * width, down, path);
  if (fast) {
    yield Math.max(width * height, width * to);
    return { width, height: to, data: fast };
  }
  const { first, start, weights } = down;
  const out = new Float32Array(width * to * 4);
  let done = 0;
  for (let y = 0; y < to; y++) {
    const begin = start[y] ?? 0;
    const count = (start[y + 1] ?? 0) - begin;
    const from = (first[y] ?? 0) * width * 4;
    for (let i = 0; i < width * 4; i++) {
      let sum = 0;
      for (let k = 0, at = from + i; k < count; k++, at += width * 4)
        sum += (weights[begin + k] ?? 0) * (data[at] ?? 0);
      out[y * width * 4 + i] = sum;
      done += count;
      if (done < 4 * stepWork) continue;
      yield;
      done = 0;
    }
  }
  yield done >> 2;
  return { width, height: to, data: out };
}
