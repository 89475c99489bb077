/** What a view is compared by: gate hash, two gradient histograms and a small patch for correlation. */

import { differingWordBits, gateHash, gateWords } from "./gate.ts";
import { colourGradients, histogramSize, mapGradients } from "./gradients.ts";
import type { Patch } from "./patch.ts";
import { gateBits, patchSide } from "./tuning.ts";

/** Side of the patch that is correlated. */
const correlationSide = 32;

/** Bytes of each part. */
export const featureSizes = {
  map: histogramSize,
  colours: histogramSize,
  shape: correlationSide * correlationSide,
} as const;

/** The compared parts of a view. */
export interface Features {
  readonly gate: Uint8Array;
  /** The gate as 32-bit words. */
  readonly words: Int32Array;
  /** Gradients of the foreground map. */
  readonly map: Uint8Array;
  /** Gradients of the colours. */
  readonly colours: Uint8Array;
  /** The map about its mean, signed. */
  readonly shape: Int8Array;
  /** Lengths of `map`, `colours` and `shape` as vectors. */
  readonly lengths: readonly [number, number, number];
}

/** Describes a patch. */
export function featuresOf({ map, rgb }: Patch): Features {
  const histogram = mapGradients(map);
  const colours = colourGradients(rgb);
  const shape = shapeOf(map);
  const gate = gateHash(map);
  return {
    gate,
    words: gateWords(gate),
    map: histogram,
    colours,
    shape,
    lengths: [lengthOf(histogram), lengthOf(colours), lengthOf(shape)],
  };
}

/** The map averaged to the correlation side, less its mean, scaled to signed bytes. */
function shapeOf(map: Float32Array): Int8Array {
  const step = patchSide / correlationSide;
  const values = new Float32Array(featureSizes.shape);
  let mean = 0;
  for (let y = 0, o = 0; y < correlationSide; y++) {
    for (let x = 0; x < correlationSide; x++, o++) {
      const i = y * step * patchSide + x * step;
      values[o] = (map[i]! + map[i + 1]! + map[i + patchSide]! + map[i + patchSide + 1]!) / 4;
      mean += values[o]! / values.length;
    }
  }
  return Int8Array.from(values, (v) => Math.round((v - mean) / 2));
}

function lengthOf(v: Uint8Array | Int8Array): number {
  return Math.sqrt(product(v, v));
}

function product(a: Uint8Array | Int8Array, b: Uint8Array | Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** The three likenesses of two views, each -1 to 1: gradients of map, of colours, correlation. */
export function likenesses(a: Features, b: Features): readonly [number, number, number] {
  return [
    cosine(product(a.map, b.map), a.lengths[0] * b.lengths[0]),
    cosine(product(a.colours, b.colours), a.lengths[1] * b.lengths[1]),
    cosine(product(a.shape, b.shape), a.lengths[2] * b.lengths[2]),
  ];
}

/** Likeness of two views, or 0 when their maps' gradients alone rule out that it exceeds the floor by much. */
export function likenessAbove(a: Features, b: Features, floor: number): number {
  const map = cosine(product(a.map, b.map), a.lengths[0] * b.lengths[0]);
  return map < floor ? 0 : likeness(a, b);
}

function cosine(dot: number, lengths: number): number {
  return lengths > 0 ? Math.min(1, dot / lengths) : 0;
}

/** Whether two views are near enough in the gate to be compared. */
export function passesGate(a: Features, b: Features): boolean {
  return differingWordBits(a.words, b.words) <= gateBits;
}

/** Likeness of two views that passed the gate. */
export function likeness(a: Features, b: Features): number {
  const [map, colours, shape] = likenesses(a, b);
  return (map + colours + shape) / 3;
}
