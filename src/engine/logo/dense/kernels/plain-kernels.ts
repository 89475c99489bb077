/**
 * The kernels of `assembly/dense.ts` in TypeScript, for runtimes without SIMD: the same integers, and the same order of
 * operations on 32-bit floats. A law compares both.
 */

import { countBits } from "../../../../core/count-bits.ts";
import type { DenseKernels, DenseMemory } from "./kernel-functions.ts";
import { plainBoxKernels } from "./plain-box.ts";

const { fround } = Math;

/** The kernels on a memory. */
export function plainKernels({ buffer }: DenseMemory): DenseKernels {
  const bytes = new Uint8Array(buffer);
  const signed = new Int8Array(buffer);
  const words = new Int32Array(buffer, 0, buffer.byteLength >> 2);
  const doubles = new Float64Array(buffer, 0, buffer.byteLength >> 3);
  return {
    ...plainBoxKernels(signed, doubles),
    split: (from, width, rows, red, planeBytes, stride) => {
      let opaque = 1;
      for (let y = 0; y < rows; y++) {
        const at = from + 4 * y * width;
        const to = red + y * stride;
        opaque &= splitRow(bytes, at, width, [to, to + planeBytes, to + 2 * planeBytes]);
      }
      return opaque;
    },
    halve: (red, planeBytes, stride, to, toPlaneBytes, toStride, width, rows) => {
      for (let channel = 0; channel < 3; channel++) {
        for (let y = 0; y < rows; y++) {
          const upper = red + channel * planeBytes + 2 * y * stride;
          halveRow(bytes, upper, upper + stride, width, to + channel * toPlaneBytes + y * toStride);
        }
      }
    },
    fields: (red, planeBytes, stride, width, rows, soft, minSquare, field, bins) => {
      const planes = [red, red + planeBytes, red + 2 * planeBytes];
      for (let y = 0; y < rows; y++) {
        for (let x = 0, i = y * stride; x < width; x++, i++) {
          const [u, v] = fieldAt(bytes, planes, i, stride, fround(soft));
          signed[field + 2 * i] = u;
          signed[field + 2 * i + 1] = v;
          bytes[bins + i] = binOf(u, v, minSquare);
        }
      }
    },
    respond: (bins, stride, first, end, step, _edges, _filled, _row, to, planeBytes, occupied) => {
      const row = new Uint8Array(stride);
      const reach = step / 2;
      for (let y = first; y < end; y++) {
        uniteRows(bytes, bins + y * stride, stride, reach, row);
        const phase = y % step;
        const cells = (y - phase) / step;
        const out = to + phase * step * planeBytes + (cells * stride) / step;
        respondRow(bytes, { row, to: out, planeBytes, step, reach });
        if (phase !== reach) continue;
        const groups = stride / step / 16;
        for (let g = 0; g < groups; g++) {
          const group = row.subarray(16 * step * g, 16 * step * (g + 1));
          bytes[occupied + cells * groups + g] = group.some((bits) => bits !== 0) ? 1 : 0;
        }
      }
    },
    sumGroups: (groups, groupCount, templates, templateCount, templateBytes, keep) => {
      for (let t = 0; t < templateCount; t++) {
        const template = (templates + t * templateBytes) >> 2;
        for (let g = 0; g < groupCount; g++) {
          sumTemplate(bytes, words, template, words[(groups >> 2) + g] ?? 0, keep);
        }
      }
    },
    boundCells: (cells, columns, rows, step, _quads, to, groups) => {
      const layout = { cells, columns, rows, step, to, groups };
      for (let plane = 0; plane < 32 * step; plane++) boundPlane(bytes, plane, layout);
    },
    sumBounded: (runs, runCount, first, columns, _masks, templates, templateCount, templateBytes, keep) => {
      for (let t = 0, at = templates >> 2; t < templateCount; t++, at += templateBytes >> 2) {
        for (let row = 0; row < 16; row++) {
          for (let run = runs >> 2, end = run + 4 * runCount; run < end; run += 4) {
            if ((((words[run + 2] ?? 0) >> row) & 1) === 0) continue;
            if (boundOf(bytes, words, at, (words[run] ?? 0) + row) <= (words[at + 1] ?? 0)) continue;
            sumTemplate(bytes, words, at, first + row * columns + 16 * (words[run + 1] ?? 0), keep);
          }
        }
      }
    },
    correlate: (points, count, at, rowBytes, energy, to) => {
      const { value, place } = correlate(signed, words, points, count, at, rowBytes, energy);
      doubles[to >> 3] = value;
      words[(to >> 2) + 2] = place;
    },
  };
}

function splitRow(bytes: Uint8Array, from: number, width: number, planes: readonly number[]): number {
  for (const [channel, plane] of planes.entries()) {
    for (let i = 0; i < width; i++) bytes[plane + i] = bytes[from + 4 * i + channel] ?? 0;
    repeatEnds(bytes, plane, width);
  }
  let all = 255;
  for (let i = 0; i < width; i++) all &= bytes[from + 4 * i + 3] ?? 0;
  return all === 255 ? 1 : 0;
}

function repeatEnds(bytes: Uint8Array, at: number, width: number): void {
  bytes[at - 1] = bytes[at] ?? 0;
  bytes[at + width] = bytes[at + width - 1] ?? 0;
}

function halveRow(bytes: Uint8Array, upper: number, lower: number, width: number, to: number): void {
  for (let i = 0; i < width; i++) {
    const above = (bytes[upper + 2 * i] ?? 0) + (bytes[upper + 2 * i + 1] ?? 0);
    bytes[to + i] = (above + (bytes[lower + 2 * i] ?? 0) + (bytes[lower + 2 * i + 1] ?? 0) + 2) >> 2;
  }
  repeatEnds(bytes, to, width);
}

/** The field at a pixel, from the plane whose gradient is largest. */
export function fieldAt(
  bytes: Uint8Array,
  planes: readonly number[],
  i: number,
  stride: number,
  soft: number,
): readonly [u: number, v: number] {
  let x = 0;
  let y = 0;
  for (const plane of planes) {
    const at = plane + i;
    const a = bytes[at - stride - 1] ?? 0;
    const b = bytes[at - stride] ?? 0;
    const c = bytes[at - stride + 1] ?? 0;
    const d = bytes[at - 1] ?? 0;
    const f = bytes[at + 1] ?? 0;
    const g = bytes[at + stride - 1] ?? 0;
    const h = bytes[at + stride] ?? 0;
    const k = bytes[at + stride + 1] ?? 0;
    const gx = c - a + (k - g) + 2 * (f - d);
    const gy = g + k - (a + c) + 2 * (h - b);
    if (Math.abs(gx) + Math.abs(gy) <= Math.abs(x) + Math.abs(y)) continue;
    x = gx;
    y = gy;
  }
  return fieldOf(x, y, soft);
}

/** The field of a gradient: 127 m (cos 2t, sin 2t) with m = g / (g + soft). */
export function fieldOf(x: number, y: number, soft: number): readonly [u: number, v: number] {
  if (x === 0 && y === 0) return [0, 0];
  const g = fround(Math.sqrt(x * x + y * y));
  const size = Math.max(fround(g * fround(g + soft)), 1);
  const k = fround(127 / size);
  return [quantized(x * x - y * y, k), quantized(2 * x * y, k)];
}

function quantized(value: number, k: number): number {
  return Math.trunc(fround(fround(value * k) + 128.5)) - 128;
}

/** The bin of a vector as one of eight bits; 0 below the minimum. */
export function binOf(u: number, v: number, minSquare: number): number {
  if (u * u + v * v < minSquare) return 0;
  const across = Math.abs(u);
  const down = Math.abs(v);
  if (5 * down < 2 * across) return u < 0 ? 16 : 1;
  if (5 * across < 2 * down) return v < 0 ? 64 : 4;
  if (v < 0) return u < 0 ? 32 : 128;
  return u < 0 ? 8 : 2;
}

/** The union of the bins of a row with those of the rows above and below. */
function uniteRows(bytes: Uint8Array, at: number, stride: number, reach: number, row: Uint8Array): void {
  for (let i = 0; i < stride; i++) {
    let all = 0;
    for (let k = -reach; k <= reach; k++) all |= bytes[at + i + k * stride] ?? 0;
    row[i] = all;
  }
}

interface ResponseRow {
  /** United bins. */
  readonly row: Uint8Array;
  readonly to: number;
  readonly planeBytes: number;
  /** Pixels from a cell to the next. */
  readonly step: number;
  /** Pixels on each side whose bins are united. */
  readonly reach: number;
}

function respondRow(bytes: Uint8Array, { row, to, planeBytes, step, reach }: ResponseRow): void {
  for (let i = 0; i < row.length; i++) {
    let bits = 0;
    for (let k = -reach; k <= reach; k++) bits |= row[i + k] ?? 0;
    const at = to + Math.floor(i / step) + (i % step) * planeBytes;
    for (let o = 0; o < 8; o++) bytes[at + o * step * step * planeBytes] = responses[bits * 8 + o] ?? 0;
  }
}

/** The responses of eight bins to each union of bins, eight bytes each. */
export const responses = responseTable();

function responseTable(): Uint8Array {
  const table = new Uint8Array(256 * 8);
  const full = [4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2];
  const half = [2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0];
  for (let bits = 0; bits < 256; bits++) {
    const near = ((bits << 1) | (bits >> 7) | (bits >> 1) | (bits << 7)) & 255 & ~bits;
    const index = Math.min(15, 2 * countBits(bits) + countBits(near));
    for (let o = 0; o < 8; o++) {
      const bit = 1 << o;
      table[bits * 8 + o] = bits & bit ? (full[index] ?? 0) : near & bit ? (half[index] ?? 0) : 0;
    }
  }
  return table;
}

function sumTemplate(bytes: Uint8Array, words: Int32Array, template: number, at: number, keep: number): void {
  if (at >= 16 * (words[template + 6] ?? 0)) return;
  const first = template + 8;
  const features = words[template] ?? 0;
  let best = -1;
  let lane = 0;
  for (let i = 0; i < 16; i++) {
    let sum = 0;
    for (let f = 0; f < features; f++) sum += bytes[(words[first + f] ?? 0) + at + i] ?? 0;
    if (sum <= best) continue;
    best = sum;
    lane = i;
  }
  record(words, template, at + lane, best, keep);
}

interface BoundPlanes {
  readonly cells: number;
  readonly columns: number;
  readonly rows: number;
  readonly step: number;
  readonly to: number;
  readonly groups: number;
}

function boundPlane(bytes: Uint8Array, plane: number, layout: BoundPlanes): void {
  const { cells, columns, rows, step, to, groups } = layout;
  const phases = cells + (plane >> 2) * step * columns * rows + 4 * (plane & 3);
  const bounds = to + plane * groups * (rows + 16);
  for (let row = 0; row < rows; row++) {
    for (let g = 0; g < groups; g++) {
      let largest = 0;
      for (let p = 0; p < step; p++) {
        const at = phases + (p * rows + row) * columns + 16 * g;
        for (let i = at; i < at + 20; i++) largest = Math.max(largest, bytes[i] ?? 0);
      }
      bytes[bounds + g * (rows + 16) + row] = largest;
    }
  }
}

/** The bound of the sums of a template at a group, given its offset in a plane of bounds. */
function boundOf(bytes: Uint8Array, words: Int32Array, template: number, at: number): number {
  const first = template + 272;
  const features = words[template] ?? 0;
  let sum = 0;
  for (let f = 0; f < features; f++) sum += bytes[(words[first + f] ?? 0) + at] ?? 0;
  return sum;
}

/** Drops the records below a threshold. */
function dropRecords(words: Int32Array, template: number, limit: number): void {
  const records = (words[template + 4] ?? 0) >> 2;
  let to = records;
  for (let from = records, end = records + 2 * (words[template + 2] ?? 0); from < end; from += 2) {
    if ((words[from + 1] ?? 0) < limit) continue;
    words.copyWithin(to, from, from + 2);
    to += 2;
  }
  words[template + 2] = (to - records) >> 1;
}

function record(words: Int32Array, template: number, at: number, best: number, keep: number): void {
  const limit = words[template + 1] ?? 0;
  const counts = template + 136;
  if (best <= limit || (words[counts + best] ?? 0) >= keep) return;
  if ((words[template + 2] ?? 0) >= (words[template + 3] ?? 0)) dropRecords(words, template, limit);
  const count = words[template + 2] ?? 0;
  const to = ((words[template + 4] ?? 0) >> 2) + 2 * count;
  words[to] = at;
  words[to + 1] = best;
  words[template + 2] = count + 1;
  words[counts + best] = (words[counts + best] ?? 0) + 1;
  let above = (words[template + 5] ?? 0) + 1;
  let next = limit;
  while (above - (words[counts + next + 1] ?? 0) >= keep) {
    next++;
    above -= words[counts + next] ?? 0;
  }
  words[template + 5] = above;
  words[template + 1] = next;
}

function correlate(
  signed: Int8Array,
  words: Int32Array,
  points: number,
  count: number,
  at: number,
  rowBytes: number,
  energy: number,
): { readonly value: number; readonly place: number } {
  let value = -1;
  let place = 0;
  for (let k = 0; k < 16; k++) {
    const from = at + (k >> 2) * rowBytes + (k & 3) * 2;
    let dot = 0;
    let square = 0;
    for (let p = points >> 2, end = p + 2 * count; p < end; p += 2) {
      const where = from + (words[p] ?? 0);
      const vector = words[p + 1] ?? 0;
      const u = signed[where] ?? 0;
      const v = signed[where + 1] ?? 0;
      dot += u * ((vector << 16) >> 16) + v * (vector >> 16);
      square += u * u + v * v;
    }
    const cosine = dot / Math.sqrt(energy * (square + energy * 0.05));
    if (cosine <= value) continue;
    value = cosine;
    place = k;
  }
  return { value, place };
}
