/** Reads the header of a raster image, and opens it for rendering. */

import type { Sharp } from "sharp";
import type { HeaderType, ImageHeader } from "../../picture/header.ts";
import { readHeader } from "../../picture/read-header.ts";
import type { ImageLimits } from "../limits.ts";
import type { RasterImage } from "./raster-image.ts";
import { openSharp, pagesOf, readDecoderHeader } from "./sharp.ts";

/**
 * Reads an image's header, by the decoder where our own reader is not certain; undefined when neither can read it. The
 * decoder is not used for more frames than are allowed, because it would read them all.
 */
export async function readRaster<Type extends HeaderType>(
  bytes: Uint8Array,
  type: Type,
  limits: ImageLimits,
): Promise<RasterImage<Type> | undefined> {
  const own = readHeader(bytes, type);
  if (!own && type !== "avif") return undefined;
  const suffices = own && (own.certain || own.frames > limits.inputFrames);
  const header = suffices ? own : await readDecoderHeader(bytes, type, own, limits);
  return header && asDisplayed(type, header);
}

/** A sharp pipeline of all frames; a still image is turned upright, colors become sRGB. */
export async function createPipeline(
  bytes: Uint8Array,
  image: RasterImage,
  limits: ImageLimits,
): Promise<Sharp> {
  const animated = image.frames > 1;
  const pipeline = await openSharp(bytes, { ...pagesOf(image), autoOrient: !animated }, limits);
  return image.deepProfile ? pipeline.withIccProfile("srgb", { attach: false }) : pipeline;
}

/** Orientations 5 to 8 rotate an image by 90 degrees; animations are never rotated. */
function asDisplayed<Type extends HeaderType>(type: Type, header: ImageHeader): RasterImage<Type> {
  const { width, height, frames, orientation, complete, exif, page, deepProfile = false } = header;
  const rotated = orientation >= 5 && frames === 1;
  const size = rotated ? { width: height, height: width } : { width, height };
  const pixels = width * height * frames;
  const optional = { ...(exif && { exif }), ...(page !== undefined && { page }) };
  return { type, ...size, frames, pixels, complete, deepProfile, ...optional };
}
