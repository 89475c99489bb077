/** Frames of an image file that its decoder passes over in silence: of animated PNGs and AVIF sequences. */

const pngSignature = 0x89504e47;
const animationControl = 0x6163544c; // acTL
const imageData = 0x49444154; // IDAT
const fileType = 0x66747970; // ftyp
const avifSequence = 0x61766973; // avis

/**
 * How many frames a file says that it has: a PNG in its `acTL` chunk before the first `IDAT` (PNG, third edition,
 * 11.3.6.1), an AVIF by its brand `avis`, which tells no number (AVIF 1.1, 6.2): then Infinity. Others: 1.
 */
export function hiddenFrames(bytes: Uint8Array): number {
  if (bytes.length < 16) return 1;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.getUint32(4) === fileType && data.getUint32(8) === avifSequence) return Number.POSITIVE_INFINITY;
  return data.getUint32(0) === pngSignature ? pngFrames(data) : 1;
}

function pngFrames(data: DataView): number {
  for (let at = 8; at + 12 <= data.byteLength; at += 12 + data.getUint32(at)) {
    const type = data.getUint32(at + 4);
    if (type === animationControl) return data.getUint32(at + 8);
    if (type === imageData) return 1;
  }
  return 1;
}
