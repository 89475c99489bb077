/** What a view is compared by: gate hash, two gradient histograms and a small patch for correlation. */

import { gateBits, patchSide } from "../tuning.ts";
import { colourGradients, histogramSize, mapGradients } from "./gradients.ts";
import type { Patch } from "./patch.ts";
import { differingWordBits, gateHash, gateWords, halfSide } from "./prefilter-hash.ts";

/** Bytes of each part. */
export const featureSizes = {
  map: histogramSize,
  colours: histogramSize,
  shape: halfSide * halfSide,
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
  /** How many orientations of cells the gradients of the map spread over: few in a plain shape; at most 255. */
  readonly spread: number;
  /** Lengths of `map`, `colours` and `shape` as vectors. */
  readonly lengths: readonly [number, number, number];
}

/** Describes a patch. */
export function featuresOf({ map, rgb }: Patch): Features {
  const histogram = mapGradients(map);
  const colours = colourGradients(rgb);
  const half = halfMap(map);
  const shape = shapeOf(half);
  const gate = gateHash(half);
  return {
    gate,
    words: gateWords(gate),
    map: histogram,
    colours,
    shape,
    spread: spreadOf(histogram),
    lengths: [
      Math.sqrt(product(histogram, histogram)),
      Math.sqrt(product(colours, colours)),
      Math.sqrt(signedProduct(shape, shape)),
    ],
  };
}

/** The number of equal values that would concentrate as these do (inverse participation ratio), roots undone. */
function spreadOf(histogram: Uint8Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < histogram.length; i++) {
    const value = histogram[i]! * histogram[i]!;
    sum += value;
    squares += value * value;
  }
  return squares > 0 ? Math.min(255, Math.round((sum * sum) / squares)) : 0;
}

/** The map at half the size, averaged. */
function halfMap(map: Float32Array): Float64Array {
  const half = new Float64Array(halfSide * halfSide);
  for (let y = 0, o = 0; y < halfSide; y++) {
    for (let x = 0, i = 2 * y * patchSide; x < halfSide; x++, i += 2, o++) {
      half[o] = (map[i]! + map[i + 1]! + map[i + patchSide]! + map[i + patchSide + 1]!) / 4;
    }
  }
  return half;
}

/** A map at half the size less its mean, scaled to signed bytes. */
function shapeOf(half: Float64Array): Int8Array {
  let sum = 0;
  for (let i = 0; i < half.length; i++) sum += half[i]!;
  const mean = sum / half.length;
  const shape = new Int8Array(half.length);
  for (let i = 0; i < shape.length; i++) shape[i] = Math.round((half[i]! - mean) / 2);
  return shape;
}

/** Two functions and not one: a loop over either kind of array takes twice the time. Lengths are multiples of 4. */
function product(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 4) {
    sum = (sum + a[i]! * b[i]! + a[i + 1]! * b[i + 1]! + a[i + 2]! * b[i + 2]! + a[i + 3]! * b[i + 3]!) | 0;
  }
  return sum;
}

function signedProduct(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 4) {
    sum = (sum + a[i]! * b[i]! + a[i + 1]! * b[i + 1]! + a[i + 2]! * b[i + 2]! + a[i + 3]! * b[i + 3]!) | 0;
  }
  return sum;
}

/** The three likenesses of two views, each -1 to 1: gradients of map, of colours, correlation. */
export function likenesses(a: Features, b: Features): readonly [number, number, number] {
  return [mapLikeness(a, b), colourLikeness(a, b), shapeLikeness(a, b)];
}

function mapLikeness(a: Features, b: Features): number {
  return cosine(product(a.map, b.map), a.lengths[0] * b.lengths[0]);
}

function colourLikeness(a: Features, b: Features): number {
  return cosine(product(a.colours, b.colours), a.lengths[1] * b.lengths[1]);
}

function shapeLikeness(a: Features, b: Features): number {
  return cosine(signedProduct(a.shape, b.shape), a.lengths[2] * b.lengths[2]);
}

/** Likeness of two views, or 0 when their maps' gradients alone rule out that it exceeds the floor by much. */
export function likenessAbove(a: Features, b: Features, floor: number): number {
  const map = mapLikeness(a, b);
  return map < floor ? 0 : (map + colourLikeness(a, b) + shapeLikeness(a, b)) / 3;
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
