/** What a picture's file says of itself that decides whether it is decoded as a logo. */

import { readHeader } from "../../picture/read-header.ts";
import { signedType } from "../../picture/signature.ts";

const fileType = 0x66747970; // ftyp
const avifSequence = 0x61766973; // avis

/** What is asked of a header, in the decoder's words. */
export interface LogoHeader {
  readonly format: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Frames; those of an animated PNG too, which decoders take for one. */
  readonly pages?: number;
  /** The codec of a HEIF container. */
  readonly compression?: string;
  /** The colour space of the pixels as stored, and whether a profile says which colours they are. */
  readonly space?: string;
  readonly hasProfile?: boolean;
}

/** A PNG's header, in the decoder's words, and whether the decoder would say nothing more; undefined for other files. */
export function readPngHeader(bytes: Uint8Array): (LogoHeader & { readonly certain: boolean }) | undefined {
  const header = signedType(bytes) === "png" ? readHeader(bytes, "png") : undefined;
  if (!header) return undefined;
  const { width, height, certain, animation = 1 } = header;
  return { format: "png", width, height, pages: animation, certain };
}

/**
 * Whether a file of a format with a signature has no readable header, or ends before its format says that it does:
 * decoders take some of these for whole, and others for no picture.
 */
export function isCutShort(bytes: Uint8Array): boolean {
  const type = signedType(bytes);
  return type !== undefined && !readHeader(bytes, type)?.complete;
}

/** Whether a file is an AVIF of many frames by its brand `avis` (AVIF 1.1, 6.2); how many it has, it does not tell. */
export function isAvifSequence(bytes: Uint8Array): boolean {
  if (bytes.length < 16) return false;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return data.getUint32(4) === fileType && data.getUint32(8) === avifSequence;
}
