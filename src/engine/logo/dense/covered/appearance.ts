/** The colors of a logo on a grid, and how far those of a place are from them: what shows that a part of it is covered. */

import type { Steps } from "../../../../core/work/steps.ts";
import type { Raster } from "../../decode/picture.ts";
import type { Cutout } from "../cutout/cutout.ts";
import { resampleSteps } from "../cutout/resample.ts";
import { colorTolerance, minProbedShare } from "../dense-tuning.ts";
import type { LogoBox } from "../verify-box.ts";
import type { GridTest } from "./cover.ts";

/** A logo as cells. */
export interface Appearance {
  readonly width: number;
  readonly height: number;
  /** Premultiplied red, green, blue and alpha of each cell, row by row. */
  readonly data: Uint8Array;
  /** Opaque cells by their index, those whose neighbors have nearly the same color: they are read first. */
  readonly probes: Uint16Array;
}

/** Size of the grid, the root of width times height, and the range of its sides. */
const gridSize = 24;
const [minSide, maxSide] = [6, 72];
/** Maximum number of probes, and their minimum alpha. */
const maxProbes = 32;
const probeAlpha = 192;
/** Alpha up to which a cell shows the ground. */
const groundAlpha = 12;
/** Maximum samples of a cell along a side. */
const maxSamples = 3;

/** The appearance of a logo, in steps. */
export function* appearanceSteps(cutout: Cutout): Steps<Appearance> {
  const root = Math.sqrt(cutout.width * cutout.height);
  const sideOf = (length: number) =>
    Math.max(minSide, Math.min(maxSide, Math.round((length * gridSize) / root)));
  const cells = yield* resampleSteps(cutout, sideOf(cutout.width), sideOf(cutout.height));
  const { width, height } = cells;
  const data = Uint8Array.from(cells.data, (value) => Math.min(255, Math.max(0, Math.round(value))));
  const opaque: { readonly cell: number; readonly spread: number }[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const cell = y * width + x;
      if ((data[4 * cell + 3] ?? 0) >= probeAlpha)
        opaque.push({ cell, spread: spreadAround(data, width, cell) });
    }
  }
  // Of equal spreads those that are far from each other.
  const flat = opaque.filter(({ spread }) => spread <= colorTolerance);
  const best =
    flat.length >= maxProbes ? flat : opaque.sort((a, b) => a.spread - b.spread).slice(0, maxProbes);
  const count = Math.min(maxProbes, best.length);
  const probes = Uint16Array.from(
    { length: count },
    (_, i) => best[Math.floor((i * best.length) / count)]?.cell ?? 0,
  );
  return { width, height, data, probes };
}

/** The largest difference of a cell from the eight around it, in any channel. */
function spreadAround(data: Uint8Array, width: number, cell: number): number {
  let spread = 0;
  for (let j = -1; j <= 1; j++)
    for (let i = -1; i <= 1; i++)
      for (let c = 0; c < 4; c++) {
        const other = data[4 * (cell + j * width + i) + c] ?? 0;
        spread = Math.max(spread, Math.abs(other - (data[4 * cell + c] ?? 0)));
      }
  return spread;
}

/** Whether enough of the probes have their color in a box; true without probes. */
export function mayAppear(
  { width, height, data, probes }: Appearance,
  picture: Raster,
  [left, top, right, bottom]: LogoBox,
): boolean {
  const across = (right - left) / width;
  const down = (bottom - top) / height;
  let same = 0;
  for (const cell of probes) {
    const x = Math.floor(left + ((cell % width) + 0.5) * across);
    const y = Math.floor(top + (Math.floor(cell / width) + 0.5) * down);
    const at = 4 * (within(y, picture.height) * picture.width + within(x, picture.width));
    let distance = 0;
    for (let c = 0; c < 3; c++)
      distance = Math.max(distance, Math.abs((picture.data[at + c] ?? 0) - (data[4 * cell + c] ?? 0)));
    if (distance <= colorTolerance) same++;
  }
  return same >= minProbedShare * probes.length;
}

function within(at: number, length: number): number {
  return Math.min(length - 1, Math.max(0, at));
}

/** A logo at a place: red, green and blue of each cell and of the cells around them, row by row. */
export interface Observation {
  readonly seen: Float32Array;
  /** The colors of the logo on the color behind it. */
  readonly expected: Float32Array;
  /**
   * The distance of each cell of the logo from the colors that it and its neighbors should have, 0 to 255: 0 between
   * the smallest and the largest of them, so that a place may be moved by a cell.
   */
  readonly deviations: Float32Array;
}

/** Observes a logo in a box of a picture. */
export function observe(appearance: Appearance, picture: Raster, box: LogoBox): Observation {
  const seen = cellColors(appearance, picture, box);
  const expected = expectedColors(appearance, groundOf(appearance, seen));
  return { seen, expected, deviations: deviationsOf(appearance, seen, expected) };
}

/** Mean colors of the cells of a box, and of the cells around it. */
function cellColors(
  { width, height }: Appearance,
  picture: Raster,
  [left, top, right, bottom]: LogoBox,
): Float32Array {
  const { data } = picture;
  const across = (right - left) / width;
  const down = (bottom - top) / height;
  const samples = Math.max(1, Math.min(maxSamples, Math.round(Math.max(across, down))));
  const columns = samplesOf(left - across, across, width + 2, samples, picture.width);
  const rows = samplesOf(top - down, down, height + 2, samples, picture.height);
  const share = 1 / samples ** 2;
  const out = new Float32Array((width + 2) * (height + 2) * 3);
  for (let y = 0, o = 0; y < height + 2; y++) {
    for (let x = 0; x < width + 2; x++, o += 3) {
      let [red, green, blue] = [0, 0, 0];
      for (let j = y * samples; j < (y + 1) * samples; j++) {
        const row = (rows[j] ?? 0) * picture.width;
        for (let i = x * samples; i < (x + 1) * samples; i++) {
          const at = 4 * (row + (columns[i] ?? 0));
          red += data[at] ?? 0;
          green += data[at + 1] ?? 0;
          blue += data[at + 2] ?? 0;
        }
      }
      out[o] = red * share;
      out[o + 1] = green * share;
      out[o + 2] = blue * share;
    }
  }
  return out;
}

/** The pixels along an axis that are read for so many cells. */
function samplesOf(from: number, step: number, cells: number, samples: number, length: number): Int32Array {
  const at = new Int32Array(cells * samples);
  for (let i = 0; i < at.length; i++) at[i] = within(Math.floor(from + ((i + 0.5) * step) / samples), length);
  return at;
}

/** The color behind a logo: the median of its transparent cells and of the cells around it. */
function groundOf({ width, height, data }: Appearance, seen: Float32Array): readonly number[] {
  const counts = new Uint16Array(3 * 256);
  let total = 0;
  for (let y = -1, at = 0; y <= height; y++) {
    for (let x = -1; x <= width; x++, at += 3) {
      const isInside = x >= 0 && y >= 0 && x < width && y < height;
      if (isInside && (data[4 * (y * width + x) + 3] ?? 0) > groundAlpha) continue;
      total++;
      for (let c = 0; c < 3; c++) {
        const level = 256 * c + Math.floor(seen[at + c] ?? 0);
        counts[level] = (counts[level] ?? 0) + 1;
      }
    }
  }
  return [0, 1, 2].map((c) => {
    let level = 0;
    for (let below = counts[256 * c] ?? 0; 2 * below <= total && level < 255; )
      below += counts[256 * c + ++level] ?? 0;
    return level;
  });
}

/** The colors of a logo on a ground, with a cell of the ground around it. */
function expectedColors({ width, height, data }: Appearance, ground: readonly number[]): Float32Array {
  const [red = 0, green = 0, blue = 0] = ground;
  const out = new Float32Array((width + 2) * (height + 2) * 3);
  for (let y = -1, at = 0; y <= height; y++) {
    for (let x = -1; x <= width; x++, at += 3) {
      const isInside = x >= 0 && y >= 0 && x < width && y < height;
      const i = 4 * (y * width + x);
      const open = isInside ? 1 - (data[i + 3] ?? 0) / 255 : 1;
      out[at] = open * red + (isInside ? (data[i] ?? 0) : 0);
      out[at + 1] = open * green + (isInside ? (data[i + 1] ?? 0) : 0);
      out[at + 2] = open * blue + (isInside ? (data[i + 2] ?? 0) : 0);
    }
  }
  return out;
}

function deviationsOf(
  { width, height }: Appearance,
  seen: Float32Array,
  expected: Float32Array,
): Float32Array {
  const stride = 3 * (width + 2);
  const lows = expected.slice();
  const highs = expected.slice();
  // First along rows, then along columns.
  for (const step of [3, stride]) {
    const [low, high] = [lows.slice(), highs.slice()];
    for (let at = step; at < expected.length - step; at++) {
      lows[at] = Math.min(low[at - step] ?? 0, low[at] ?? 0, low[at + step] ?? 0);
      highs[at] = Math.max(high[at - step] ?? 0, high[at] ?? 0, high[at + step] ?? 0);
    }
  }
  const out = new Float32Array(width * height);
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0, at = (y + 1) * stride + 3; x < width; x++, o++) {
      let deviation = 0;
      for (let c = 0; c < 3; c++, at++) {
        const value = seen[at] ?? 0;
        deviation = Math.max(deviation, (lows[at] ?? 0) - value, value - (highs[at] ?? 0));
      }
      out[o] = deviation;
    }
  }
  return out;
}

/** The similarity of a logo's colors to those of the cells that are compared, without the means of both, at most 1. */
export function colorMatch(
  { width, height }: Appearance,
  { seen, expected }: Observation,
  isCompared: GridTest,
): number {
  let cells = 0;
  const sums = new Float64Array(6);
  let [dot, squares] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = 3 * ((y + 1) * (width + 2) + 1); x < width; x++, at += 3) {
      if (!isCompared(x, y, width, height)) continue;
      cells++;
      for (let c = 0; c < 3; c++) {
        const [a, b] = [expected[at + c] ?? 0, seen[at + c] ?? 0];
        sums[c] = (sums[c] ?? 0) + a;
        sums[c + 3] = (sums[c + 3] ?? 0) + b;
        dot += a * b;
        squares += a * a + b * b;
      }
    }
  }
  for (let c = 0; c < 3; c++) {
    const [a, b] = [sums[c] ?? 0, sums[c + 3] ?? 0];
    dot -= (a * b) / Math.max(1, cells);
    squares -= (a * a + b * b) / Math.max(1, cells);
  }
  return (2 * dot) / Math.max(1, squares);
}
