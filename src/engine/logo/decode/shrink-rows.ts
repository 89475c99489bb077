/** Averages rows of a raster: in WebAssembly where the runtime has SIMD, else in TypeScript; both are equal. */

import { ownPictureKernels } from "./kernels/picture-kernels.ts";
import type { Raster } from "./picture.ts";

/** The source cells that each target cell covers, with their shares; those of target i are from `start[i]` on. */
export interface Coverage {
  readonly first: Int32Array;
  readonly start: Int32Array;
  readonly weights: Float32Array;
}

/** The averages of one row of a raster, and the weighted sums of such rows. Colors are multiplied by alpha so that hidden colors do not bleed. */
export interface RowSums {
  /** Averages a row of the raster, for the target cells `from` to below `to`. */
  average(y: number, from: number, to: number): void;
  /** Adds the averaged row to the sums. */
  add(weight: number): void;
  /** Writes the sums as a row of the smaller raster, and clears them. */
  write(y: number): void;
}

/** Widths up to which a row is copied to the memory of the kernels. */
const maxFastWidth = 1 << 16;

/** Sums of rows of a raster for the rows of a smaller one. Tests compare the paths. */
export function rowSums(
  raster: Raster,
  across: Coverage,
  small: Raster,
  path: "fast" | "plain" = "fast",
): RowSums {
  const fast = path === "fast" && raster.width <= maxFastWidth && fastSums(raster, across, small);
  return fast || plainSums(raster, across, small);
}

/** The same in WebAssembly; undefined where the runtime has no SIMD. */
function fastSums(
  { width, data }: Raster,
  { first, start, weights }: Coverage,
  small: Raster,
): RowSums | undefined {
  const cells = small.width;
  const rowAt = 64;
  const sumsAt = rowAt + 16 * cells;
  const outAt = sumsAt + 32 * cells;
  const firstAt = outAt + 4 * cells;
  const startAt = firstAt + first.byteLength;
  const weightsAt = startAt + start.byteLength;
  const pixelsAt = weightsAt + weights.byteLength;
  const own = ownPictureKernels(pixelsAt + 4 * width + 64);
  if (!own) return undefined;
  const { kernels, buffer } = own;
  const bytes = new Uint8Array(buffer);
  new Int32Array(buffer, firstAt, first.length).set(first);
  new Int32Array(buffer, startAt, start.length).set(start);
  new Float32Array(buffer, weightsAt, weights.length).set(weights);
  return {
    average: (y, from, to) => {
      bytes.set(data.subarray(y * width * 4, (y + 1) * width * 4), pixelsAt);
      kernels.averageRow(
        pixelsAt,
        firstAt + 4 * from,
        startAt + 4 * from,
        weightsAt,
        to - from,
        rowAt + 16 * from,
      );
    },
    add: (weight) => kernels.addRow(sumsAt, rowAt, weight, cells),
    write: (y) => {
      kernels.writeRow(sumsAt, cells, outAt);
      small.data.set(bytes.subarray(outAt, outAt + 4 * cells), y * cells * 4);
      bytes.fill(0, sumsAt, sumsAt + 32 * cells);
    },
  };
}

function plainSums(raster: Raster, across: Coverage, small: Raster): RowSums {
  const row = new Float32Array(small.width * 4);
  const sum = new Float64Array(small.width * 4);
  return {
    average: (y, from, to) => averageRow(raster, y, across, row, from, to),
    add: (weight) => {
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (row[i] ?? 0);
    },
    write: (y) => {
      writeRow(small.data, y * small.width * 4, sum);
      sum.fill(0);
    },
  };
}

function averageRow(
  { width, data }: Raster,
  y: number,
  { first, start, weights }: Coverage,
  row: Float32Array,
  from: number,
  to: number,
): void {
  for (let cell = from, o = from * 4; cell < to; cell++, o += 4) {
    let r = 0;
    let g = 0;
    let b = 0;
    let a = 0;
    const end = start[cell + 1] ?? 0;
    for (let k = start[cell] ?? 0, i = (y * width + (first[cell] ?? 0)) * 4; k < end; k++, i += 4) {
      const w = (weights[k] ?? 0) * (data[i + 3] ?? 0);
      r += w * (data[i] ?? 0);
      g += w * (data[i + 1] ?? 0);
      b += w * (data[i + 2] ?? 0);
      a += w;
    }
    row[o] = r;
    row[o + 1] = g;
    row[o + 2] = b;
    row[o + 3] = a;
  }
}

function writeRow(out: Uint8Array, at: number, sum: Float64Array): void {
  for (let i = 0; i < sum.length; i += 4) {
    const a = sum[i + 3] ?? 0;
    if (a <= 0) continue;
    for (let c = i; c < i + 3; c++) out[at + c] = Math.round((sum[c] ?? 0) / a);
    out[at + i + 3] = Math.round(a);
  }
}
