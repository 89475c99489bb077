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
export function resample(
  { width, height, data }: SizedCutout,
  toWidth: number,
  toHeight: number,
): SizedCutout {
  const read: Cutout["read"] = (x, y, out, at) => {
    const i = (y * width + x) * 4;
    for (let c = 0; c < 4; c++) out[at + c] = data[i + c] ?? 0;
  };
  return runSteps(resampleSteps({ width, height, read }, toWidth, toHeight));
}

/** For a target pixel, the first source pixel and the weights from there on. */
interface Weights {
  readonly first: number;
  readonly weights: readonly number[];
}

function weightsAt(i: number, from: number, to: number): Weights {
  const scale = from / to;
  const reach = Math.max(1, scale);
  const center = (i + 0.5) * scale;
  const first = Math.max(0, Math.ceil(center - reach - 0.5));
  const last = Math.min(from - 1, Math.floor(center + reach - 0.5));
  const raw: number[] = [];
  for (let k = first; k <= last; k++) raw.push(Math.max(0, 1 - Math.abs(k + 0.5 - center) / reach));
  const sum = raw.reduce((a, b) => a + b, 0);
  if (sum <= 0) return { first: Math.min(from - 1, Math.floor(center)), weights: [1] };
  return { first, weights: raw.map((w) => w / sum) };
}

/** Reads each row of a cutout once. */
function* resampleColumns({ width, height, read }: Cutout, to: number): Steps<SizedCutout> {
  const out = new Float32Array(to * height * 4);
  const columns: Weights[] = [];
  let done = 0;
  for (let x = 0; x < to; x++) {
    const column = weightsAt(x, width, to);
    columns.push(column);
    done += column.weights.length;
    if (done < stepWork) continue;
    yield done;
    done = 0;
  }
  const row = new Float32Array(width * 4);
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      read(x, y, row, x * 4);
      if (++done < stepWork) continue;
      yield done;
      done = 0;
    }
    for (const { first, weights } of columns) {
      for (let c = 0; c < 4; c++, o++) {
        let sum = 0;
        for (let k = 0, i = first * 4 + c; k < weights.length; k++, i += 4)
          sum += (weights[k] ?? 0) * (row[i] ?? 0);
        out[o] = sum;
      }
      done += weights.length;
      if (done < stepWork) continue;
      yield done;
      done = 0;
    }
  }
  yield done;
  return { width: to, height, data: out };
}

function* resampleRows({ width, height, data }: SizedCutout, to: number): Steps<SizedCutout> {
  const out = new Float32Array(width * to * 4);
  let done = 0;
  for (let y = 0; y < to; y++) {
    const { first, weights } = weightsAt(y, height, to);
    for (let i = 0; i < width * 4; i++) {
      let sum = 0;
      for (let k = 0; k < weights.length; k++)
        sum += (weights[k] ?? 0) * (data[(first + k) * width * 4 + i] ?? 0);
      out[y * width * 4 + i] = sum;
      done += weights.length;
      if (done < 4 * stepWork) continue;
      yield;
      done = 0;
    }
  }
  yield done >> 2;
  return { width, height: to, data: out };
}
