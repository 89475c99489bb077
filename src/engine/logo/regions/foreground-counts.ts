/** Counts foreground in rows and columns: in WebAssembly where the runtime has SIMD, else in TypeScript; both are equal. */

import { viewKernels } from "./kernels/view-kernels.ts";

/** Rows of a map with a byte a pixel. */
export interface MapRows {
  readonly bits: Uint8Array;
  /** Bytes from a row to the next. */
  readonly stride: number;
  /** Index of the first pixel of the first row. */
  readonly from: number;
  /** Number of rows. */
  readonly rows: number;
}

/** Which path is taken; tests compare them. */
type Path = "fast" | "plain";

/** Pixels from which copying to the memory of the kernels is worth it. */
const minFastPixels = 1024;
/** Bytes of a row, in pixels that are counted, up to which whole rows are copied. */
const maxStrideRatio = 8;

/** Replaces values above a level with 1 and the others with 0; counts the former in each row, and adds them to the columns. */
export function threshold(
  map: MapRows & { readonly level: number },
  rows: Uint32Array,
  columns: Uint32Array,
  path: Path = "fast",
): void {
  const level = Math.min(255, map.level);
  if (path === "fast" && fastCounts(map, level, rows, columns)) return;
  const { bits, stride, from } = map;
  for (let y = 0; y < map.rows; y++) {
    let row = 0;
    for (let x = 0, i = from + y * stride; x < columns.length; x++, i++) {
      const bit = (level - (bits[i] ?? 0)) >>> 31;
      bits[i] = bit;
      columns[x] = (columns[x] ?? 0) + bit;
      row += bit;
    }
    rows[y] = row;
  }
}

/** Counts the values of 1 in each row, and adds them to the columns; the others are 0. */
export function countRows(map: MapRows, rows: Uint32Array, columns: Uint32Array, path: Path = "fast"): void {
  if (path === "fast" && fastCounts(map, undefined, rows, columns)) return;
  const { bits, stride, from } = map;
  for (let y = 0; y < map.rows; y++) {
    let row = 0;
    for (let x = 0, i = from + y * stride; x < columns.length; x++, i++) {
      const bit = bits[i] ?? 0;
      columns[x] = (columns[x] ?? 0) + bit;
      row += bit;
    }
    rows[y] = row;
  }
}

/** Both in WebAssembly, without a level only counting; returns false where it is not worth it or not supported. */
function fastCounts(
  { bits, stride, from, rows: height }: MapRows,
  level: number | undefined,
  rows: Uint32Array,
  columns: Uint32Array,
): boolean {
  const width = columns.length;
  if (width * height < minFastPixels || stride > maxStrideRatio * width) return false;
  const bytesOfRows = (height - 1) * stride + width;
  const columnsAt = 4 * height;
  const tallyAt = columnsAt + 4 * width;
  const mapAt = (tallyAt + width + 31) & ~15;
  const fast = viewKernels(mapAt + bytesOfRows + 16);
  if (!fast) return false;
  const bytes = new Uint8Array(fast.buffer);
  bytes.fill(0, columnsAt, mapAt);
  bytes.set(bits.subarray(from, from + bytesOfRows), mapAt);
  fast.kernels.threshold(mapAt, stride, width, height, level ?? 0, 0, columnsAt, tallyAt);
  rows.set(new Uint32Array(fast.buffer, 0, height));
  const counted = new Uint32Array(fast.buffer, columnsAt, width);
  for (let x = 0; x < width; x++) columns[x] = (columns[x] ?? 0) + (counted[x] ?? 0);
  if (level !== undefined) bits.set(bytes.subarray(mapAt, mapAt + bytesOfRows), from);
  return true;
}
