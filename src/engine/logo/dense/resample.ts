/** Resamples cutouts: averages where they shrink, linear interpolation where they grow. */

import { runSteps, type Steps, stepWork } from "../../../core/work/steps.ts";
import type { Cutout } from "./cutout.ts";

/** A resampled cutout: four numbers a pixel, as `Cutout` reads them. */
export interface SizedCutout {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** A cutout at another size, in steps. */
export function* resampleSteps(cutout: Cutout, width: number, height: number): Steps<SizedCutout> {
  return yield* resampleRows(yield* resampleColumns(cutout, width), height);
}

/** A resampled cutout at another size. */
export function resample(from: SizedCutout, toWidth: number, toHeight: number): SizedCutout {
  return runSteps(resampleSizedSteps(from, toWidth, toHeight));
}

function* resampleSizedSteps(from: SizedCutout, toWidth: number, toHeight: number): Steps<SizedCutout> {
  const { width, height, data } = from;
  const rowAt = (y: number) => data.subarray(y * width * 4, (y + 1) * width * 4);
  const columns = yield* averageColumns(width, height, toWidth, function* (y) {
    yield width;
    return rowAt(y);
  });
  return yield* resampleRows(columns, toHeight);
}

/** The weights of target pixels: those of pixel i are from `start[i]` on, for the source pixels from `first[i]` on. */
interface Weights {
  readonly first: Int32Array;
  readonly start: Int32Array;
  readonly weights: Float64Array;
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

/** Reads each row of a cutout once. */
function* resampleColumns({ width, height, read }: Cutout, to: number): Steps<SizedCutout> {
  const row = new Float32Array(width * 4);
  return yield* averageColumns(width, height, to, function* (y) {
    for (let x = 0, done = 0; x < width; x++) {
      read(x, y, row, x * 4);
      if (++done < stepWork && x + 1 < width) continue;
      yield done;
      done = 0;
    }
    return row;
  });
}

/** Averages the rows that a function reads, which may return the same memory for each. */
function* averageColumns(
  width: number,
  height: number,
  to: number,
  readRow: (y: number) => Steps<Float32Array>,
): Steps<SizedCutout> {
  const { first, start, weights } = yield* weightsOf(width, to);
  const out = new Float32Array(to * height * 4);
  for (let y = 0, o = 0; y < height; y++) {
    const row = yield* readRow(y);
    let done = 0;
    for (let x = 0; x < to; x++, o += 4) {
      let [r, g, b, a] = [0, 0, 0, 0];
      const end = start[x + 1] ?? 0;
      for (let k = start[x] ?? 0, i = 4 * (first[x] ?? 0); k < end; k++, i += 4) {
        const weight = weights[k] ?? 0;
        r += weight * (row[i] ?? 0);
        g += weight * (row[i + 1] ?? 0);
        b += weight * (row[i + 2] ?? 0);
        a += weight * (row[i + 3] ?? 0);
      }
      out[o] = r;
      out[o + 1] = g;
      out[o + 2] = b;
      out[o + 3] = a;
      done += end - (start[x] ?? 0);
      if (done < stepWork) continue;
      yield done;
      done = 0;
    }
    yield done;
  }
  return { width: to, height, data: out };
}

function* resampleRows({ width, height, data }: SizedCutout, to: number): Steps<SizedCutout> {
  const { first, start, weights } = yield* weightsOf(height, to);
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
