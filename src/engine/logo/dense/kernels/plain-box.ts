/** The kernels that fit and compare boxes, in TypeScript, with the same order of operations as `assembly/dense.ts`. */

import type { DenseKernels } from "./kernel-functions.ts";

/** The field that boxes are placed on, and where its picture is. */
interface Ground {
  readonly field: number;
  readonly stride: number;
  readonly low: number;
  readonly right: number;
  readonly bottom: number;
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly across: number;
  readonly down: number;
}

/** The kernels on a memory, as bytes and as 64-bit floats. */
export function plainBoxKernels(
  signed: Int8Array,
  doubles: Float64Array,
): Pick<DenseKernels, "placeOn" | "fitBox" | "compareField"> {
  let ground: Ground = { field: 0, stride: 0, low: 0, right: 0, bottom: 0 };
  return {
    placeOn: (field, stride, width, height, padding) => {
      ground = { field, stride, low: padding, right: padding + width, bottom: padding + height };
    },
    fitBox: (points, count, energy, x, y, columns, rows, min, max, to) => {
      const packed = doubles.subarray(points >> 3, (points >> 3) + 4 * count);
      const valueAt = (at: Placed) => cosineAt(signed, packed, energy, ground, at);
      const inRange = (scale: number) => scale >= min && scale <= max;
      let best: Placed = { x, y, across: 1, down: 1 };
      let value = valueAt(best);
      for (const size of [1, 0.5]) {
        for (const step of stepsOf(columns, rows, size)) {
          for (const sign of [1, -1]) {
            let moved = false;
            for (let n = 0; n < 3; n++) {
              const next = step(best, sign);
              const reached = inRange(next.across) && inRange(next.down) ? valueAt(next) : -1;
              if (reached <= value) break;
              best = next;
              value = reached;
              moved = true;
            }
            if (moved) break;
          }
        }
      }
      doubles.set([best.x, best.y, best.across, best.down, value], to >> 3);
    },
    compareField: (template, columns, rows, side, x, y, across, down, to) => {
      const field = signed.subarray(template, template + 2 * columns * rows);
      doubles.set(compareField(signed, field, columns, rows, side, ground, { x, y, across, down }), to >> 3);
    },
  };
}

/** Steps of position and size; the size changes about the center, and both axes first. */
function stepsOf(
  columns: number,
  rows: number,
  size: number,
): readonly ((at: Placed, sign: number) => Placed)[] {
  const grow = (at: Placed, wide: number, tall: number): Placed => ({
    x: at.x - (columns * wide) / 2,
    y: at.y - (rows * tall) / 2,
    across: at.across + wide,
    down: at.down + tall,
  });
  const scale = 0.06 * size;
  return [
    (at, sign) => grow(at, sign * scale, sign * scale),
    (at, sign) => ({ ...at, x: at.x + sign * size }),
    (at, sign) => ({ ...at, y: at.y + sign * size }),
    (at, sign) => grow(at, sign * scale, 0),
    (at, sign) => grow(at, 0, sign * scale),
  ];
}

/** The cosine of the points inside of the picture, less what is outside. */
function cosineAt(
  signed: Int8Array,
  points: Float64Array,
  energy: number,
  { field, stride, low, right, bottom }: Ground,
  { x, y, across, down }: Placed,
): number {
  let [dot, squares, visible] = [0, 0, 0];
  for (let p = 0; p < points.length; p += 4) {
    const atX = x + (points[p] ?? 0) * across - 0.5;
    const atY = y + (points[p + 1] ?? 0) * down - 0.5;
    if (!(atX >= low && atY >= low && atX < right && atY < bottom)) continue;
    const column = Math.floor(atX);
    const row = Math.floor(atY);
    const at = field + 2 * (row * stride + column);
    const between = (i: number) => {
      const before = signed[i] ?? 0;
      return before + (atX - column) * ((signed[i + 2] ?? 0) - before);
    };
    const upperU = between(at);
    const upperV = between(at + 1);
    const pageU = upperU + (atY - row) * (between(at + 2 * stride) - upperU);
    const pageV = upperV + (atY - row) * (between(at + 2 * stride + 1) - upperV);
    const u = points[p + 2] ?? 0;
    const v = points[p + 3] ?? 0;
    dot += u * pageU + v * pageV;
    squares += pageU * pageU + pageV * pageV;
    visible += u * u + v * v;
  }
  if (visible < 0.4 * energy) return 0;
  const cosine = dot / Math.sqrt(visible * (squares + 0.05 * visible));
  return cosine * Math.sqrt(Math.sqrt(visible / energy));
}

function compareField(
  signed: Int8Array,
  template: Int8Array,
  columns: number,
  rows: number,
  side: number,
  { field, stride, low, right, bottom }: Ground,
  { x, y, across, down }: Placed,
): Float64Array {
  const blocks = side * side;
  const sums = new Float64Array(3 * blocks + 4);
  const add = (i: number, value: number) => {
    sums[i] = (sums[i] ?? 0) + value;
  };
  for (let row = 0, i = 0; row < rows; row++) {
    const atY = y + (row + 0.5) * down - 0.5;
    const isInner = Math.abs(2 * row + 1 - rows) < 0.7 * rows;
    for (let column = 0; column < columns; column++, i += 2) {
      const u = template[i] ?? 0;
      const v = template[i + 1] ?? 0;
      const square = u * u + v * v;
      const atX = x + (column + 0.5) * across - 0.5;
      if (!(atX >= low && atY >= low && atX < right && atY < bottom)) {
        add(3 * blocks, square);
        continue;
      }
      const left = Math.floor(atX);
      const top = Math.floor(atY);
      const dx = atX - left;
      const dy = atY - top;
      const at = field + 2 * (top * stride + left);
      const between = (k: number) =>
        (1 - dx) * (1 - dy) * (signed[k] ?? 0) +
        dx * (1 - dy) * (signed[k + 2] ?? 0) +
        (1 - dx) * dy * (signed[k + 2 * stride] ?? 0) +
        dx * dy * (signed[k + 2 * stride + 2] ?? 0);
      const pageU = between(at);
      const pageV = between(at + 1);
      const dot = u * pageU + v * pageV;
      const other = pageU * pageU + pageV * pageV;
      const block = Math.floor((row * side) / rows) * side + Math.floor((column * side) / columns);
      add(block, dot);
      add(blocks + block, square);
      add(2 * blocks + block, other);
      if (!isInner || Math.abs(2 * column + 1 - columns) >= 0.7 * columns) continue;
      add(3 * blocks + 1, dot);
      add(3 * blocks + 2, square);
      add(3 * blocks + 3, other);
    }
  }
  return sums;
}
