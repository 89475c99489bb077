/** WebP: the chunks of its RIFF container (RFC 9649, 2.3 to 2.7). */

import type { HeaderReader, ImageHeader, PictureSize } from "./header.ts";

const firstChunk = 12;
const chunkHeader = 8;
const VP8 = 0x56503820;
const VP8L = 0x5650384c;
const VP8X = 0x56503858;
const ANMF = 0x414e4d46;
const EXIF = 0x45584946;
/** Start code of a key frame, after its tag of three bytes. */
const vp8StartCode = 0x9d012a;
/** First byte of a lossless picture. */
const vp8lSignature = 0x2f;

/** Reads the header of a WebP. */
export const readWebpHeader: HeaderReader = (bytes, view) => {
  if (bytes.length < 30) return undefined;
  const size = readSize(bytes, view);
  if (!size || size.width === 0 || size.height === 0) return undefined;
  const container = chunkHeader + view.getUint32(4, true);
  const chunks = readChunks(view, Math.min(container, bytes.length));
  return { ...size, ...chunks, complete: container <= bytes.length };
};

/** The size of the canvas, or of the only picture, by the type of the first chunk. */
function readSize(bytes: Uint8Array, view: DataView): PictureSize | undefined {
  const data = firstChunk + chunkHeader;
  switch (view.getUint32(firstChunk)) {
    case VP8X:
      return { width: 1 + uint24(bytes, data + 4), height: 1 + uint24(bytes, data + 7) };
    case VP8:
      if ((view.getUint32(data + 2) & 0xffffff) !== vp8StartCode) return undefined;
      return {
        width: view.getUint16(data + 6, true) & 0x3fff,
        height: view.getUint16(data + 8, true) & 0x3fff,
      };
    case VP8L: {
      if (bytes[data] !== vp8lSignature) return undefined;
      const bits = view.getUint32(data + 1, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
  }
  return undefined;
}

/** Reads the chunks of the container. The decoder may accept fewer frames than are counted here. */
function readChunks(view: DataView, end: number): Pick<ImageHeader, "frames" | "orientation" | "certain"> {
  let frames = 0;
  let hasExif = false;
  for (let at = firstChunk; at + chunkHeader <= end; ) {
    const type = view.getUint32(at);
    if (type === ANMF) frames++;
    if (type === EXIF) hasExif = true;
    const size = view.getUint32(at + 4, true);
    at += chunkHeader + size + (size % 2);
  }
  return { frames: Math.max(1, frames), orientation: 1, certain: !hasExif && frames === 0 };
}

function uint24(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}
