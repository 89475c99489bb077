/** Averages rows and columns of four numbers a pixel: in WebAssembly where the runtime has SIMD, else in TypeScript; both are equal. */

import { stepWork } from "../../../../core/work/steps.ts";
import { pictureKernels } from "../../decode/kernels/picture-kernels.ts";

/** The weights of target pixels: those of pixel i are from `start[i]` on, for the source pixels from `first[i]` on. */
export interface Weights {
  readonly first: Int32Array;
  readonly start: Int32Array;
  readonly weights: Float64Array;
}

/** Which path is taken; tests compare them. */
export type ResamplePath = "fast" | "plain";

/** Pixels that are copied to the memory of the kernels at once. */
export const maxCopiedPixels = 1 << 16;

/** Averages each of some rows of `width` pixels, and writes the target pixels from an index of `out` on. */
export function averageRows(
  rows: Float32Array,
  width: number,
  across: Weights,
  out: Float32Array,
  at: number,
  path: ResamplePath = "fast",
): void {
  if (path === "fast" && fastRows(rows, width, across, out, at)) return;
  const cells = across.first.length;
  for (let row = 0, o = at; row < rows.length; row += 4 * width, o += 4 * cells)
    averageCells(rows.subarray(row, row + 4 * width), across, 0, cells, out, o);
}

/** Returns false where there are too many pixels or the runtime has no SIMD. */
function fastRows(
  rows: Float32Array,
  width: number,
  { first, start, weights }: Weights,
  out: Float32Array,
  at: number,
): boolean {
  const cells = first.length;
  const count = rows.length / (4 * width);
  const used = weights.subarray(0, start[cells]);
  const weightsAt = 4 * rows.length;
  const outAt = weightsAt + used.byteLength;
  const firstAt = outAt + 16 * cells * count;
  const startAt = firstAt + 4 * cells;
  const fast =
    rows.length <= 4 * maxCopiedPixels &&
    cells * count <= maxCopiedPixels &&
    pictureKernels(startAt + 4 * cells + 4);
  if (!fast) return false;
  const { kernels, buffer } = fast;
  new Float32Array(buffer, 0, rows.length).set(rows);
  new Float64Array(buffer, weightsAt, used.length).set(used);
  new Int32Array(buffer, firstAt, cells).set(first);
  new Int32Array(buffer, startAt, cells + 1).set(start);
  for (let y = 0; y < count; y++)
    kernels.averageFloats(16 * width * y, firstAt, startAt, weightsAt, cells, outAt + 16 * cells * y);
  out.set(new Float32Array(buffer, outAt, 4 * cells * count), at);
  return true;
}

/** Writes the target pixels `from` to before `to` of a row whose first target pixel is at an index of `out`. */
export function averageCells(
  row: Float32Array,
  { first, start, weights }: Weights,
  from: number,
  to: number,
  out: Float32Array,
  at: number,
): void {
  for (let x = from, o = at + 4 * from; x < to; x++, o += 4) {
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
  }
}

/**
 * Averages columns of rows of `length` numbers, a multiple of 4; returns undefined where there are too many or the runtime has
 * no SIMD.
 */
export function averageColumns(
  data: Float32Array,
  length: number,
  { first, start, weights }: Weights,
  path: ResamplePath = "fast",
): Float32Array | undefined {
  const rows = first.length;
  if (path === "plain" || Math.max(data.length, rows * length) > 4 * stepWork) return undefined;
  const sumsAt = 4 * data.length;
  const outAt = sumsAt + 8 * length;
  const fast = pictureKernels(outAt + 4 * length * rows);
  if (!fast) return undefined;
  const { kernels, buffer } = fast;
  new Float32Array(buffer, 0, data.length).set(data);
  const sums = new Float64Array(buffer, sumsAt, length);
  for (let y = 0; y < rows; y++) {
    sums.fill(0);
    const end = start[y + 1] ?? 0;
    for (let k = start[y] ?? 0, from = 4 * length * (first[y] ?? 0); k < end; k++, from += 4 * length)
      kernels.addRow(sumsAt, from, weights[k] ?? 0, length >> 2);
    kernels.writeFloats(sumsAt, length, outAt + 4 * length * y);
  }
  return new Float32Array(buffer, outAt, length * rows).slice();
}
