/**
 * The similarity of a queried logo and a scanned picture, 0 to 1.
 *
 * Equal decoded pixels are exactly 1, before any other rule (`chosen`: docs/interface/brand.md, "Pictures at the edge").
 * Two solid pictures are compared by color. Otherwise the score is that of the most similar pair of views, less the
 * costs of plain shapes, or that of a copy at another size.
 */

import { type LogoDescriptor, readDescriptorWith } from "../descriptor.ts";
import type { Region, View } from "../regions/views.ts";
import { scoreOnScale } from "../score-scale.ts";
import {
  aspectCost,
  commonShapeCost,
  commonShapeFloor,
  copyScores,
  fullSpread,
  lowSpreadCost,
  maxAspectOctaves,
  maxCopyDistance,
  maxSimilarCopyDistance,
  plainShapeCost,
  plainShapeFloor,
  scoreBreakpoints,
  similarCopySimilarity,
} from "../tuning.ts";
import { copyDistance, mayBeCopy } from "./copies.ts";
import { passesPrefilter, similarity } from "./features.ts";

/** The result of a comparison. */
export interface LogoComparison {
  /** 0 to 1; 0.75 is a false-alarm rate of about 1e-3, 0.85 of about 1e-4. */
  readonly score: number;
  /** Similarity before it is mapped to a score, 0 to 1; 0 when no pair of views passed the prefilter. */
  readonly raw: number;
  /** The region of the scanned picture that matches best. */
  readonly region: Region;
}

const wholePicture: Region = { left: 0, top: 0, width: 1, height: 1 };

/**
 * Compares a queried logo with a scanned picture.
 *
 * @throws {TypeError} unless the first was described as `query` and the second as `scan`
 * @example
 * ```ts
 * const red = { width: 1, height: 1, data: Uint8Array.of(255, 0, 0, 255) };
 * compareLogos(describeRaster(red, "query"), describeRaster(red, "scan")).score;
 * // => 1
 * ```
 */
export function compareLogos(query: LogoDescriptor, scan: LogoDescriptor): LogoComparison {
  if (query.role !== "query" || scan.role !== "scan") {
    throw new TypeError(
      `compareLogos takes descriptors with roles \`query\` and \`scan\`; found \`${query.role}\` and \`${scan.role}\`.`,
    );
  }
  if (equalBytes(query.digest, scan.digest)) return { score: 1, raw: 1, region: wholePicture };
  if (query.solid && scan.solid) {
    const score = solidColorSimilarity(query, scan);
    return { score, raw: score, region: wholePicture };
  }
  const pair = bestPair(query, scan);
  const distance = mayBeCopy(query, scan) ? copyDistance(query, scan) : Number.POSITIVE_INFINITY;
  const score = Math.max(scoreOf(pair.raw), scoreOfCopy(distance, pair.maxSimilarity));
  return { score, raw: pair.raw, region: pair.region };
}

/** A comparison with a stored picture. */
export interface StoredComparison extends LogoComparison {
  /** The picture, with those views that were compared. */
  readonly scan: LogoDescriptor;
}

/**
 * As `compareLogos`, with the bytes of a picture: reads only the views that are compared.
 *
 * @throws {TypeError} when the bytes are not a descriptor of this version
 */
export function compareStored(query: LogoDescriptor, bytes: Uint8Array): StoredComparison {
  const scan = readDescriptorWith(bytes, (view) => query.views.some((own) => areComparable(own, view)));
  return { ...compareLogos(query, scan), scan };
}

interface BestPair {
  readonly raw: number;
  /** Largest similarity of a pair before costs. */
  readonly maxSimilarity: number;
  readonly region: Region;
}

/** The most similar pair of comparable views. */
function bestPair(query: LogoDescriptor, scan: LogoDescriptor): BestPair {
  let raw = 0;
  let maxSimilarity = 0;
  let region = wholePicture;
  for (const q of query.views) {
    for (const s of scan.views) {
      if (!areComparable(q, s)) continue;
      const before = similarity(q, s);
      const after = before - costOf(q, s);
      maxSimilarity = Math.max(maxSimilarity, before);
      if (after > raw) {
        raw = after;
        region = s.region;
      }
    }
  }
  return { raw, maxSimilarity, region };
}

type ComparableView = Pick<View, "aspect" | "prefilterWords">;

/** Whether two views are close enough to be compared in full: by aspect, then by prefilter. */
export function areComparable(q: ComparableView, s: ComparableView): boolean {
  return Math.abs(q.aspect - s.aspect) <= maxAspectOctaves && passesPrefilter(q, s);
}

/**
 * The cost of a pair that many other pairs would equal: for similarity to a common shape, for few edges in few
 * directions, and for stretching.
 */
function costOf(q: View, s: View): number {
  const shape = Math.max(q.commonShapeSimilarity, s.commonShapeSimilarity);
  const common = Math.max(0, shape - commonShapeFloor);
  const plain = Math.max(0, shape - plainShapeFloor);
  const simple = Math.max(0, Math.log2(fullSpread / Math.max(1, Math.min(q.spread, s.spread))));
  return (
    commonShapeCost * common +
    plainShapeCost * plain +
    lowSpreadCost * simple +
    aspectCost * Math.abs(q.aspect - s.aspect)
  );
}

/** The score of a raw similarity. */
export function scoreOf(raw: number): number {
  return scoreOnScale(raw, scoreBreakpoints);
}

/** Maximum distance between two colors. */
const maxColorDistance = Math.sqrt(3) * 255;

function solidColorSimilarity({ color: a }: LogoDescriptor, { color: b }: LogoDescriptor): number {
  const [red, green, blue] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.max(0, 1 - Math.sqrt(red * red + green * green + blue * blue) / maxColorDistance);
}

/** Score of the same picture at another size or compression; 0 for different pictures. */
function scoreOfCopy(distance: number, maxSimilarity: number): number {
  const limit = maxSimilarity >= similarCopySimilarity ? maxSimilarCopyDistance : maxCopyDistance;
  if (distance > limit) return 0;
  const [max, min] = copyScores;
  return max - ((max - min) * distance) / maxSimilarCopyDistance;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((v, i) => v === b[i]);
}
