/** PNG: the chunks up to IEND (PNG specification, 5.3 and 11.2.2). Of an animated PNG only the still picture is used. */

import type { HeaderReader } from "./header.ts";

const signatureBytes = 8;
/** Length, type and checksum around a chunk's data. */
const chunkOverhead = 12;
const IHDR = 0x49484452;
const IEND = 0x49454e44;
const eXIf = 0x65584966;

export const readPngHeader: HeaderReader = (bytes, view) => {
  if (bytes.length < 33 || view.getUint32(12) !== IHDR) return undefined;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) return undefined;
  const { complete, hasExif } = walkChunks(bytes, view);
  return { width, height, frames: 1, orientation: 1, certain: !hasExif, complete };
};

function walkChunks(bytes: Uint8Array, view: DataView): { complete: boolean; hasExif: boolean } {
  let hasExif = false;
  for (let at = signatureBytes; at + chunkOverhead <= bytes.length; ) {
    const type = view.getUint32(at + 4);
    const end = at + chunkOverhead + view.getUint32(at);
    if (type === IEND) return { complete: end <= bytes.length, hasExif };
    if (type === eXIf) hasExif = true;
    at = end;
  }
  return { complete: false, hasExif };
}
