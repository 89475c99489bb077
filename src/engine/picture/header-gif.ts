/** GIF: the blocks up to the trailer (GIF89a specification, 17 to 27). */

import type { HeaderReader } from "./header.ts";

const screenEnd = 13;
const extension = 0x21;
const imageDescriptor = 0x2c;
const trailer = 0x3b;

interface GifBlocks {
  frames: number;
  /** Right edge of the frames; decoders enlarge the picture when it exceeds the screen. */
  right: number;
  /** Bottom edge of the frames. */
  bottom: number;
  complete: boolean;
}

/** Reads the header of a GIF. */
export const readGifHeader: HeaderReader = (bytes, view) => {
  if (bytes.length < screenEnd) return undefined;
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  const blocks = readBlocks(bytes, view);
  if (blocks.frames === 0) return undefined;
  // Some decoders replace a screen of 640 x 480 or 800 x 600 by the area that the frames cover.
  const certain = blocks.right === width && blocks.bottom === height && width > 0 && height > 0;
  return { width, height, frames: blocks.frames, orientation: 1, certain, complete: blocks.complete };
};

function readBlocks(bytes: Uint8Array, view: DataView): GifBlocks {
  const blocks: GifBlocks = { frames: 0, right: 0, bottom: 0, complete: false };
  let at = screenEnd + paletteBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === trailer) return { ...blocks, complete: true };
    // Some writers pad with zeros between blocks.
    if (kind === 0) at++;
    else if (kind === extension) at = endOfSubBlocks(bytes, at + 2);
    else if (kind === imageDescriptor && at + 10 <= bytes.length) {
      blocks.frames++;
      blocks.right = Math.max(blocks.right, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      blocks.bottom = Math.max(blocks.bottom, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at = endOfSubBlocks(bytes, at + 10 + paletteBytes(bytes[at + 9] ?? 0) + 1);
    } else return blocks;
  }
  return blocks;
}

/** Bytes of the palette that a packed field declares. */
function paletteBytes(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

/** The offset after a chain of sub-blocks, whose last one is empty. */
function endOfSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1;
  return at + 1;
}
