/** A picture that can be rendered: its type, its size as displayed, its frames. */

import type { Sharp } from "sharp";
import type { ImageHeader, RasterType } from "../../picture/header.ts";
import { readHeader } from "../../picture/read-header.ts";
import type { ImageLimits } from "../limits.ts";
import { decoderHeader, openPicture } from "./sharp.ts";

export interface Source {
  readonly type: RasterType;
  /** Size as displayed, in pixels, after the orientation. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Pixels of all frames together. */
  readonly pixels: number;
  readonly complete: boolean;
  readonly deepProfile: boolean;
  readonly exif?: Uint8Array;
}

/**
 * Reads a picture's header, the decoder's where our own is not certain; undefined when neither can be read. Of more
 * frames than are allowed, the decoder is not asked: it would read them all.
 */
export async function readSource(
  bytes: Uint8Array,
  type: RasterType,
  limits: ImageLimits,
): Promise<Source | undefined> {
  const own = readHeader(bytes, type);
  if (!own && type !== "avif") return undefined;
  const suffices = own && (own.certain || own.frames > limits.inputFrames);
  const header = suffices ? own : await decoderHeader(bytes, own, limits);
  return header && displayed(type, header);
}

/** Opens a source to be rendered: all its frames, a still one upright, and colours that become sRGB. */
export async function openSource(bytes: Uint8Array, source: Source, limits: ImageLimits): Promise<Sharp> {
  const animated = source.frames > 1;
  const picture = await openPicture(bytes, { animated, autoOrient: !animated }, limits);
  return source.deepProfile ? picture.withIccProfile("srgb", { attach: false }) : picture;
}

/** Orientations 5 to 8 turn a picture by a quarter; animations are never turned. */
function displayed(type: RasterType, header: ImageHeader): Source {
  const { width, height, frames, orientation, complete, exif, deepProfile = false } = header;
  const turned = orientation >= 5 && frames === 1;
  const size = turned ? { width: height, height: width } : { width, height };
  const pixels = width * height * frames;
  return { type, ...size, frames, pixels, complete, deepProfile, ...(exif && { exif }) };
}
