/**
 * Common shapes: discs, tiles, rings, bars, letters. Similarity to one says little about whose logo a view shows, so it
 * costs score. Their features are generated, since drawing them takes longer than describing a logo. List `chosen`.
 */

import { brotliDecompressSync } from "node:zlib";
import { commonShapeFloor, maxCommonShapeDistance } from "../tuning.ts";
import { commonShapesTable } from "./common-shapes-table.ts";
import { type Features, featureSizes, normsOf, similarityAbove } from "./features.ts";
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

/** Similarity of a view to the most similar common shape, 0 to 1; 0 when none is near the floor where costs start. */
export function commonShapeSimilarity(view: Features): number {
  let max = 0;
  for (const shape of commonShapes()) {
    if (wordHammingDistance(view.prefilterWords, shape.prefilterWords) > maxCommonShapeDistance) continue;
    max = Math.max(max, similarityAbove(view, shape, commonShapeFloor));
  }
  return max;
}
