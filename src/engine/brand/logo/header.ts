/** What a file's own first bytes say of it: of a PNG all that is asked before decoding, of others what decoders pass over. */

const pngSignature = [0x89504e47, 0x0d0a1a0a] as const;
const imageHeader = 0x49484452; // IHDR
const animationControl = 0x6163544c; // acTL
const imageData = 0x49444154; // IDAT
const fileType = 0x66747970; // ftyp
const avifSequence = 0x61766973; // avis

/** Size and frames of a picture, and its format by the decoder's name. */
export interface PngHeader {
  readonly format: "png";
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Frames, which decoders take for one. */
  readonly pages: number;
}

/** A PNG's header (PNG, third edition, 11.2.1 and 11.3.6.1); undefined when the file does not begin as one. */
export function readPngHeader(bytes: Uint8Array): PngHeader | undefined {
  if (bytes.length < 33) return undefined;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [first, second] = pngSignature;
  if (data.getUint32(0) !== first || data.getUint32(4) !== second) return undefined;
  if (data.getUint32(12) !== imageHeader) return undefined;
  return { format: "png", width: data.getUint32(16), height: data.getUint32(20), pages: framesOf(data) };
}

/** What the `acTL` chunk before the first `IDAT` says, else one. */
function framesOf(data: DataView): number {
  for (let at = 8; at + 12 <= data.byteLength; at += 12 + data.getUint32(at)) {
    const type = data.getUint32(at + 4);
    if (type === animationControl) return data.getUint32(at + 8);
    if (type === imageData) return 1;
  }
  return 1;
}

/** Whether a file is an AVIF of many frames by its brand `avis` (AVIF 1.1, 6.2); how many it has, it does not tell. */
export function isAvifSequence(bytes: Uint8Array): boolean {
  if (bytes.length < 16) return false;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return data.getUint32(4) === fileType && data.getUint32(8) === avifSequence;
}
