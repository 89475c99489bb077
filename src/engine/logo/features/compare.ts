/**
 * The score of two whole pictures: equal ones, pictures of one color, and copies at another size or compression.
 *
 * Equal decoded pixels are exactly 1, before any other rule (`chosen`: docs/interface/brand.md, "Pictures at the edge").
 */

import type { LogoDescriptor } from "../descriptor.ts";
import { copyScores, maxCopyDistance } from "../tuning.ts";
import { copyDistance, hasSameBlocks } from "./copies.ts";

/** The members of a descriptor that are compared. */
export type WholePicture = Pick<
  LogoDescriptor,
  "width" | "height" | "blockHash" | "solid" | "color" | "digest" | "thumbnail"
>;

/** The score of two pictures as a whole, 0 to 1; 0 unless one is a copy of the other or both have one color. */
export function compareWhole(query: WholePicture, scan: WholePicture): number {
  if (equalBytes(query.digest, scan.digest)) return 1;
  if (query.solid && scan.solid) return solidColorSimilarity(query, scan);
  return hasSameBlocks(query, scan) ? scoreOfCopy(copyDistance(query, scan)) : 0;
}

/** Maximum distance between two colors. */
const maxColorDistance = Math.sqrt(3) * 255;

function solidColorSimilarity({ color: a }: WholePicture, { color: b }: WholePicture): number {
  const [red, green, blue] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.max(0, 1 - Math.sqrt(red * red + green * green + blue * blue) / maxColorDistance);
}

/** Score of the same picture at another size or compression; 0 for different pictures. */
function scoreOfCopy(distance: number): number {
  if (distance > maxCopyDistance) return 0;
  const [max, min] = copyScores;
  return max - ((max - min) * distance) / maxCopyDistance;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((v, i) => v === b[i]);
}
