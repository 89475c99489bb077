/**
 * image-hash's block-mean hash over a picture that sharp decoded.
 *
 * Its public function decodes the file itself, ignores orientation and partial transparency, and a small PNG can make
 * it use seconds and gigabytes. Its private module is used instead, at a pinned version; a test compares the two.
 */

import blockHashModule from "image-hash/lib/block-hash.js";
import type { RgbPicture } from "../decode/halve-rows.ts";
import type { Raster } from "../decode/picture.ts";

/** Blocks along each side: 16 x 16 bits. */
const blocksAcross = 16;
/** image-hash's precise method, which divides pixels at block borders between the blocks. */
const preciseMethod = 2;

type HashBlocks = (raster: Raster, bits: number, method: number) => unknown;

/** A CommonJS module: its default import is the function in Node, and an object with the function in bundlers and vite. */
const hashBlocks: HashBlocks =
  typeof blockHashModule === "function" ? (blockHashModule as HashBlocks) : blockHashModule.default;

/** Block hash of a picture, as 64 hexadecimal digits: 1 where a block is brighter than the median of its band. */
export function blockHash(picture: RgbPicture): string {
  return String(hashBlocks(opaqueRaster(picture), blocksAcross, preciseMethod));
}

/** The picture with four bytes a pixel, as image-hash reads it. */
function opaqueRaster({ width, height, rgb }: RgbPicture): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let i = 0, o = 0; i < rgb.length; i += 3, o += 4) {
    data[o] = rgb[i] ?? 0;
    data[o + 1] = rgb[i + 1] ?? 0;
    data[o + 2] = rgb[i + 2] ?? 0;
    data[o + 3] = 255;
  }
  return { width, height, data };
}
