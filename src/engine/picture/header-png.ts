/** PNG: the chunks up to IEND (PNG, third edition, 5.3, 11.2.1 and 11.3.6.1). */

import type { HeaderReader } from "./header.ts";

const signatureBytes = 8;
/** Bytes of the length, type and checksum around a chunk's data. */
const chunkOverhead = 12;
const IHDR = 0x49484452;
const acTL = 0x6163544c;
const IEND = 0x49454e44;
const eXIf = 0x65584966;
const iCCP = 0x69434350;
/** Offset of the bits a channel in IHDR. */
const depthAt = 24;
/** Offset of the color type in IHDR. */
const colorTypeAt = 25;
/** Bit of the color type that is set for color pictures. */
const colorBit = 2;

/** Reads the header of a PNG. */
export const readPngHeader: HeaderReader = (bytes, view) => {
  if (bytes.length < 33 || view.getUint32(12) !== IHDR) return undefined;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) return undefined;
  const { complete, hasExif, hasProfile, animation } = readChunks(bytes, view);
  // The decoder decides whether a profile is usable.
  const certain = !hasExif && !(hasProfile && isDeepColor(bytes));
  const known = { width, height, frames: 1, orientation: 1, certain, complete };
  return animation === undefined ? known : { ...known, animation };
};

function isDeepColor(bytes: Uint8Array): boolean {
  return bytes[depthAt] === 16 && ((bytes[colorTypeAt] ?? 0) & colorBit) !== 0;
}

interface PngChunks {
  complete: boolean;
  hasExif: boolean;
  hasProfile: boolean;
  animation?: number;
}

function readChunks(bytes: Uint8Array, view: DataView): PngChunks {
  const chunks: PngChunks = { complete: false, hasExif: false, hasProfile: false };
  for (let at = signatureBytes; at + chunkOverhead <= bytes.length; ) {
    const type = view.getUint32(at + 4);
    const end = at + chunkOverhead + view.getUint32(at);
    if (type === IEND) return { ...chunks, complete: end <= bytes.length };
    if (type === eXIf) chunks.hasExif = true;
    if (type === iCCP) chunks.hasProfile = true;
    if (type === acTL) chunks.animation ??= view.getUint32(at + 8);
    at = end;
  }
  return chunks;
}
