/** GIF: the blocks up to the trailer (GIF89a specification, 17 to 27). */

import type { HeaderReader } from "./header.ts";

const screenEnd = 13;
const extension = 0x21;
const imageDescriptor = 0x2c;
const trailer = 0x3b;

interface GifBlocks {
  frames: number;
  /** How far the frames reach; beyond the screen, decoders grow the picture. */
  right: number;
  bottom: number;
  complete: boolean;
}

export const readGifHeader: HeaderReader = (bytes, view) => {
  if (bytes.length < screenEnd) return undefined;
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  const walk = walkBlocks(bytes, view);
  if (walk.frames === 0) return undefined;
  // Some decoders do not believe a screen of 640 x 480 or 800 x 600, and take what the frames cover.
  const certain = walk.right === width && walk.bottom === height && width > 0 && height > 0;
  return { width, height, frames: walk.frames, orientation: 1, certain, complete: walk.complete };
};

function walkBlocks(bytes: Uint8Array, view: DataView): GifBlocks {
  const walk: GifBlocks = { frames: 0, right: 0, bottom: 0, complete: false };
  let at = screenEnd + paletteBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === trailer) return { ...walk, complete: true };
    // Some writers pad with zeros between blocks.
    if (kind === 0) at++;
    else if (kind === extension) at = endOfSubBlocks(bytes, at + 2);
    else if (kind === imageDescriptor && at + 10 <= bytes.length) {
      walk.frames++;
      walk.right = Math.max(walk.right, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      walk.bottom = Math.max(walk.bottom, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at = endOfSubBlocks(bytes, at + 10 + paletteBytes(bytes[at + 9] ?? 0) + 1);
    } else return walk;
  }
  return walk;
}

/** Bytes of the palette that a packed field announces. */
function paletteBytes(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

/** The index behind a chain of sub-blocks, whose last one is empty. */
function endOfSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1;
  return at + 1;
}
