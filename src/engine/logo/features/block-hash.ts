/**
 * image-hash's block-mean hash over a picture that sharp decoded.
 *
 * Its public function decodes for itself, ignores orientation and partial transparency, and can be made to take seconds
 * and gigabytes by a small PNG; so its private entry is used, under a pinned version, and a test holds the two equal.
 */

import blockHashModule from "image-hash/lib/block-hash.js";
import type { Picture, Raster } from "../decode/picture.ts";

/** Blocks along each side: 16 x 16 bits. */
const blocksAcross = 16;
/** image-hash's precise method, which weighs pixels that straddle blocks. */
const preciseMethod = 2;

type HashBlocks = (raster: Raster, bits: number, method: number) => unknown;

/** A CommonJS module: Node gives its exports as the default, bundlers and vite give what they call default. */
const hashBlocks: HashBlocks =
  typeof blockHashModule === "function" ? (blockHashModule as HashBlocks) : blockHashModule.default;

/** Block hash of a picture, as 64 hexadecimal digits: 1 where a block is brighter than the median of its band. */
export function blockHash(picture: Picture): string {
  return String(hashBlocks(opaqueRaster(picture), blocksAcross, preciseMethod));
}

/** The picture with four bytes a pixel, as image-hash reads it. */
function opaqueRaster({ width, height, rgb }: Picture): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let i = 0, o = 0; i < rgb.length; i += 3, o += 4) {
    data[o] = rgb[i]!;
    data[o + 1] = rgb[i + 1]!;
    data[o + 2] = rgb[i + 2]!;
    data[o + 3] = 255;
  }
  return { width, height, data };
}
