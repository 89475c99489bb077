/**
 * image-hash's block-mean hash over a picture that sharp decoded.
 *
 * Its public function decodes for itself, ignores orientation and can be made to take seconds and gigabytes by
 * a small PNG; so its private entry is used, under a pinned version, and a test holds the two equal.
 */

import blockHashModule from "image-hash/lib/block-hash.js";
import type { Raster } from "./picture.ts";

/** Blocks along each side: 16 x 16 bits. */
const blocksAcross = 16;
/** image-hash's precise method, which weighs pixels that straddle blocks. */
const preciseMethod = 2;

type HashBlocks = (raster: Raster, bits: number, method: number) => unknown;

/** A CommonJS module: Node gives its exports as the default, bundlers and vite give what they call default. */
const hashBlocks: HashBlocks =
  typeof blockHashModule === "function" ? (blockHashModule as HashBlocks) : blockHashModule.default;

/** Block hash of a picture, as 64 hexadecimal digits: 1 where a block is brighter than the median of its band. */
export function blockHash(raster: Raster): string {
  return String(hashBlocks(raster, blocksAcross, preciseMethod));
}
