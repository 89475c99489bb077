/** A picture that can be rendered: its type, its size as displayed, its frames. */

import type { ImageHeader, RasterType } from "../picture/header.ts";
import { readHeader } from "../picture/read-header.ts";
import type { ImageLimits } from "./limits.ts";
import { decoderHeader } from "./pixels.ts";

export interface Source {
  readonly type: RasterType;
  /** Size as displayed, in pixels, after the orientation. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Pixels of all frames together. */
  readonly pixels: number;
  readonly complete: boolean;
  readonly exif?: Uint8Array;
}

/** Reads a picture's header, the decoder's where our own is not certain; undefined when neither can be read. */
export async function readSource(
  bytes: Uint8Array,
  type: RasterType,
  limits: ImageLimits,
): Promise<Source | undefined> {
  const own = readHeader(bytes, type);
  if (!own && type !== "avif") return undefined;
  const header = own?.certain ? own : await decoderHeader(bytes, own, limits);
  return header && displayed(type, header);
}

/** Orientations 5 to 8 turn a picture by a quarter; animations are never turned. */
function displayed(
  type: RasterType,
  { width, height, frames, orientation, complete, exif }: ImageHeader,
): Source {
  const turned = orientation >= 5 && frames === 1;
  const size = turned ? { width: height, height: width } : { width, height };
  return { type, ...size, frames, pixels: width * height * frames, complete, ...(exif && { exif }) };
}
