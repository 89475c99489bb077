/** The header facts that decide whether a file is decoded as a logo. */

import { viewOf } from "../../../core/view-of.ts";
import { readHeader } from "../../picture/read-header.ts";
import { signatureType } from "../../picture/signature.ts";

const fileType = 0x66747970; // ftyp
const avifSequence = 0x61766973; // avis

/** Header facts under sharp's names. */
export interface LogoHeader {
  readonly format: string;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Number of frames, including those of an animated PNG, which decoders read as a still picture. */
  readonly pages?: number;
  /** The codec of a HEIF container. */
  readonly compression?: string;
  /** The color space of the pixels as stored. */
  readonly space?: string;
  /** Whether the file embeds a color profile. */
  readonly hasProfile?: boolean;
}

/** A PNG's header under sharp's names, and whether sharp could add nothing to it; undefined for other files. */
export function readPngHeader(bytes: Uint8Array): (LogoHeader & { readonly certain: boolean }) | undefined {
  const header = signatureType(bytes) === "png" ? readHeader(bytes, "png") : undefined;
  if (!header) return undefined;
  const { width, height, certain, animation = 1 } = header;
  return { format: "png", width, height, pages: animation, certain };
}

/**
 * Whether a file with a known signature has no readable header, or ends before the end that its format declares.
 * Decoders accept some of these files as complete and do not recognize others.
 */
export function isTruncated(bytes: Uint8Array): boolean {
  const type = signatureType(bytes);
  return type !== undefined && !readHeader(bytes, type)?.complete;
}

/** Whether a file is an AVIF image sequence by its brand `avis` (AVIF 1.1, 6.2); the brand does not count the frames. */
export function isAvifSequence(bytes: Uint8Array): boolean {
  if (bytes.length < 16) return false;
  const data = viewOf(bytes);
  return data.getUint32(4) === fileType && data.getUint32(8) === avifSequence;
}
