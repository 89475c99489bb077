/**
 * Common shapes: discs, tiles, rings, bars, letters. Similarity to one says little about whose logo a view shows, so it
 * costs score. Their features are generated, since drawing them takes longer than describing a logo. List `chosen`.
 */

import { brotliDecompressSync } from "node:zlib";
import { ownViewKernels } from "../regions/kernels/view-kernels.ts";
import { commonShapeFloor, maxCommonShapeDistance } from "../tuning.ts";
import { commonShapesTable } from "./common-shapes-table.ts";
import {
  type Features,
  featureSizes,
  mapSimilarityOf,
  normsOf,
  similarity,
  similarityAbove,
} from "./features.ts";
import { hashWords, prefilterHashBytes, wordHammingDistance } from "./prefilter-hash.ts";

const mapAt = prefilterHashBytes;
const colorAt = mapAt + featureSizes.mapHistogram;
const centeredAt = colorAt + featureSizes.colorHistogram;
const spreadAt = centeredAt + featureSizes.centeredMap;
/** Bytes of a shape in the table. */
const shapeBytes = spreadAt + 1;

/** Writes features as the table has them. */
export function writeShapes(shapes: readonly Features[]): Uint8Array {
  const table = new Uint8Array(shapes.length * shapeBytes);
  for (const [i, shape] of shapes.entries()) {
    const bytes = table.subarray(i * shapeBytes);
    bytes.set(shape.prefilterHash);
    bytes.set(shape.mapHistogram, mapAt);
    bytes.set(shape.colorHistogram, colorAt);
    new Int8Array(bytes.buffer, bytes.byteOffset).set(shape.centeredMap, centeredAt);
    bytes[spreadAt] = shape.spread;
  }
  return table;
}

/** Reads what `writeShapes` has written. */
function readShapes(table: Uint8Array): readonly Features[] {
  return Array.from({ length: table.length / shapeBytes }, (_, i) => {
    const bytes = table.slice(i * shapeBytes, (i + 1) * shapeBytes);
    const prefilterHash = bytes.subarray(0, mapAt);
    const mapHistogram = bytes.subarray(mapAt, colorAt);
    const colorHistogram = bytes.subarray(colorAt, centeredAt);
    const centeredMap = new Int8Array(bytes.buffer, centeredAt, featureSizes.centeredMap);
    return {
      prefilterHash,
      prefilterWords: hashWords(prefilterHash),
      mapHistogram,
      colorHistogram,
      centeredMap,
      spread: bytes[spreadAt] ?? 0,
      norms: normsOf({ mapHistogram, colorHistogram, centeredMap }),
    };
  });
}

let shapes: readonly Features[] | undefined;

/** The features of all common shapes. */
export function commonShapes(): readonly Features[] {
  // A copy of its own: the bytes of Node's pool may begin anywhere.
  shapes ??= readShapes(new Uint8Array(brotliDecompressSync(Buffer.from(commonShapesTable, "base64"))));
  return shapes;
}

/** Similarity of a view to the most similar common shape, 0 to 1; 0 when none is near the floor where costs start. Tests compare the paths. */
export function commonShapeSimilarity(view: Features, path: "fast" | "plain" = "fast"): number {
  const dots = path === "fast" ? nearDots(view) : undefined;
  let max = 0;
  for (const [i, shape] of commonShapes().entries()) {
    if (dots) {
      const dot = dots[i] ?? -1;
      if (dot >= 0 && mapSimilarityOf(dot, view, shape) >= commonShapeFloor)
        max = Math.max(max, similarity(view, shape));
      continue;
    }
    if (wordHammingDistance(view.prefilterWords, shape.prefilterWords) > maxCommonShapeDistance) continue;
    max = Math.max(max, similarityAbove(view, shape, commonShapeFloor));
  }
  return max;
}

/** Bytes of a hash and a histogram, which the kernel compares. */
const comparedBytes = mapAt + featureSizes.mapHistogram;

let comparison: ReturnType<typeof loadShapes> | undefined;

/** The shapes in the memory of a kernel; undefined where the runtime has no SIMD. */
function loadShapes() {
  const all = commonShapes();
  const dotsAt = comparedBytes;
  const shapesAt = (dotsAt + 4 * all.length + 15) & ~15;
  const own = ownViewKernels(shapesAt + all.length * comparedBytes);
  if (!own) return { compare: () => undefined };
  const { kernels, buffer } = own;
  const bytes = new Uint8Array(buffer);
  for (const [i, shape] of all.entries()) writeCompared(bytes, shapesAt + i * comparedBytes, shape);
  const dots = new Int32Array(buffer, dotsAt, all.length);
  const compare = (view: Features): Int32Array => {
    writeCompared(bytes, 0, view);
    kernels.nearShapes(0, shapesAt, comparedBytes, all.length, maxCommonShapeDistance, dotsAt);
    return dots;
  };
  return { compare };
}

function writeCompared(bytes: Uint8Array, at: number, { prefilterHash, mapHistogram }: Features): void {
  bytes.set(prefilterHash, at);
  bytes.set(mapHistogram, at + mapAt);
}

/** The products of the map histograms of a view and of each shape; -1 for shapes whose hashes are too far. */
function nearDots(view: Features): Int32Array | undefined {
  comparison ??= loadShapes();
  return comparison.compare(view);
}
