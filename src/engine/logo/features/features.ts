/** The features of a view: prefilter hash, two gradient histograms and a small patch for correlation. */

import { maxPrefilterDistance, patchSide } from "../tuning.ts";
import { histogramOfColors, histogramOfMap, histogramSize } from "./gradients.ts";
import type { Patch } from "./patch.ts";
import { halfSide, hashWords, prefilterHash, wordHammingDistance } from "./prefilter-hash.ts";

/** Bytes of each feature. */
export const featureSizes = {
  mapHistogram: histogramSize,
  colorHistogram: histogramSize,
  centeredMap: halfSide * halfSide,
} as const;

/** The compared features of a view. */
export interface Features {
  /** 256-bit hash of the low frequencies of the foreground map, 32 bytes. */
  readonly prefilterHash: Uint8Array;
  /** The prefilter hash as eight 32-bit words. */
  readonly prefilterWords: Int32Array;
  /** Histogram of the gradients of the foreground map, 576 bytes. */
  readonly mapHistogram: Uint8Array;
  /** Histogram of the gradients of the colors, 576 bytes. */
  readonly colorHistogram: Uint8Array;
  /** The foreground map at 32 x 32, less its mean, as signed bytes. */
  readonly centeredMap: Int8Array;
  /** Effective number of cell orientations with gradients in the map: low for a plain shape; 0 to 255. */
  readonly spread: number;
  /** Norms of `mapHistogram`, `colorHistogram` and `centeredMap` as vectors. */
  readonly norms: readonly [number, number, number];
}

/** The input of the prefilter hash, and the hash; all of a view that decides whether it is a duplicate. */
export interface LowFrequencies {
  /** The foreground map at 32 x 32. */
  readonly half: Float64Array;
  readonly hash: Uint8Array;
}

/** The low frequencies of a foreground map. */
export function lowFrequencies(map: Float32Array): LowFrequencies {
  const half = halfMap(map);
  return { half, hash: prefilterHash(half) };
}

/** Describes a patch. */
export function featuresOf({ map, rgb }: Patch, { half, hash }: LowFrequencies): Features {
  const mapHistogram = histogramOfMap(map);
  const colorHistogram = histogramOfColors(rgb);
  const centeredMap = centerMap(half);
  return {
    prefilterHash: hash,
    prefilterWords: hashWords(hash),
    mapHistogram,
    colorHistogram,
    centeredMap,
    spread: spreadOf(mapHistogram),
    norms: normsOf({ mapHistogram, colorHistogram, centeredMap }),
  };
}

/** The norms of the three compared vectors. */
export function normsOf({
  mapHistogram,
  colorHistogram,
  centeredMap,
}: Pick<Features, "mapHistogram" | "colorHistogram" | "centeredMap">): Features["norms"] {
  return [
    Math.sqrt(dotProduct(mapHistogram, mapHistogram)),
    Math.sqrt(dotProduct(colorHistogram, colorHistogram)),
    Math.sqrt(signedDotProduct(centeredMap, centeredMap)),
  ];
}

/** The inverse participation ratio of the squared values: the number of equal values that would be as concentrated. */
function spreadOf(histogram: Uint8Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < histogram.length; i++) {
    const root = histogram[i] ?? 0;
    const value = root * root;
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
      const upper = (map[i] ?? 0) + (map[i + 1] ?? 0);
      half[o] = (upper + (map[i + patchSide] ?? 0) + (map[i + patchSide + 1] ?? 0)) / 4;
    }
  }
  return half;
}

/** A map of half the size less its mean, scaled to signed bytes. */
function centerMap(half: Float64Array): Int8Array {
  let sum = 0;
  for (let i = 0; i < half.length; i++) sum += half[i] ?? 0;
  const mean = sum / half.length;
  const shape = new Int8Array(half.length);
  for (let i = 0; i < shape.length; i++) shape[i] = Math.round(((half[i] ?? 0) - mean) / 2);
  return shape;
}

/** Not shared with `signedDotProduct`: one loop over both types of array takes twice the time. Lengths are multiples of 4. */
function dotProduct(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 4) {
    sum =
      (sum +
        (a[i] ?? 0) * (b[i] ?? 0) +
        (a[i + 1] ?? 0) * (b[i + 1] ?? 0) +
        (a[i + 2] ?? 0) * (b[i + 2] ?? 0) +
        (a[i + 3] ?? 0) * (b[i + 3] ?? 0)) |
      0;
  }
  return sum;
}

function signedDotProduct(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 4) {
    sum =
      (sum +
        (a[i] ?? 0) * (b[i] ?? 0) +
        (a[i + 1] ?? 0) * (b[i + 1] ?? 0) +
        (a[i + 2] ?? 0) * (b[i + 2] ?? 0) +
        (a[i + 3] ?? 0) * (b[i + 3] ?? 0)) |
      0;
  }
  return sum;
}

function mapSimilarity(a: Features, b: Features): number {
  return mapSimilarityOf(dotProduct(a.mapHistogram, b.mapHistogram), a, b);
}

/** Similarity of the gradients of two maps, given the product of their histograms. */
export function mapSimilarityOf(dot: number, a: Features, b: Features): number {
  return cosine(dot, a.norms[0] * b.norms[0]);
}

function colorSimilarity(a: Features, b: Features): number {
  return cosine(dotProduct(a.colorHistogram, b.colorHistogram), a.norms[1] * b.norms[1]);
}

function centeredMapSimilarity(a: Features, b: Features): number {
  return cosine(signedDotProduct(a.centeredMap, b.centeredMap), a.norms[2] * b.norms[2]);
}

/** Similarity of two views; 0 when the gradients of their maps are less similar than the floor. */
export function similarityAbove(a: Features, b: Features, floor: number): number {
  const map = mapSimilarity(a, b);
  return map < floor ? 0 : (map + colorSimilarity(a, b) + centeredMapSimilarity(a, b)) / 3;
}

function cosine(dot: number, lengths: number): number {
  return lengths > 0 ? Math.min(1, dot / lengths) : 0;
}

/** Whether the prefilter hashes of two views are close enough for a comparison. */
export function passesPrefilter(
  a: Pick<Features, "prefilterWords">,
  b: Pick<Features, "prefilterWords">,
): boolean {
  return wordHammingDistance(a.prefilterWords, b.prefilterWords) <= maxPrefilterDistance;
}

/** Similarity of two views that passed the prefilter, -1 to 1. */
export function similarity(a: Features, b: Features): number {
  return (mapSimilarity(a, b) + colorSimilarity(a, b) + centeredMapSimilarity(a, b)) / 3;
}
