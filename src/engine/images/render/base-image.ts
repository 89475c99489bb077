/** The base image: the original, or for a large one a near-lossless copy (spec; WebP and the threshold are chosen). */

import { aUint8Array, requireArgument } from "../../../core/arguments.ts";
import type { Result } from "../../../core/result.ts";
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import { openHeader } from "../open-image.ts";
import { contentTypes } from "../sniff.ts";
import { createPipeline } from "./raster.ts";
import type { RasterImage } from "./raster-image.ts";
import { deliver, explainRenderError, type Rendering, writtenFrames } from "./rendering.ts";

/** Nearly lossless: 60 is sharp's default level of preprocessing (100 disables it, 0 is the strongest). */
const nearLossless = { nearLossless: true, quality: 60, effort: 0 };
/** Maximum side of a WebP, in pixels (RFC 9649, 2.7.1.1: 14 bits). */
const maxWebpSide = 16_383;

/**
 * Renders the base image of an accepted original: its own bytes up to `limits.baseBytes`, else near-lossless WebP,
 * upright, without metadata, when that is smaller. The bytes are also unchanged when the image has more pixels than an output may have, which
 * could take half a minute, or a side that is too long for WebP (chosen). SVG and HEIC are never re-encoded.
 *
 * @param options limits that replace the defaults
 * @returns the base image, or one problem: 9412 not an accepted image, 9422 undecodable, 9516 encoding failed
 */
export async function renderBase(
  bytes: Uint8Array,
  options?: Partial<ImageLimits>,
): Promise<Result<Rendering>> {
  requireArgument("bytes", bytes, aUint8Array);
  const limits = resolveImageLimits(options);
  const opened = await openHeader(bytes, "delivery", limits, "accept");
  if (!opened.ok) return opened;
  const image = opened.value;
  const unchanged = deliver(bytes, contentTypes[image.type], image, image.frames, false);
  if (
    image.type === "svg" ||
    image.type === "heic" ||
    bytes.length <= limits.baseBytes ||
    !canReencode(image, limits)
  )
    return unchanged;
  try {
    const pipeline = await createPipeline(bytes, image, limits);
    const encoded = await pipeline.webp(nearLossless).toBuffer();
    // Compressed twice, a photograph can become larger.
    if (encoded.length >= bytes.length) return unchanged;
    const frames = image.frames > 1 ? writtenFrames(encoded, "webp") : 1;
    return deliver(encoded, contentTypes.webp, image, frames, true);
  } catch (error) {
    return explainRenderError(error, bytes, image, "delivery", limits);
  }
}

function canReencode({ width, height, pixels }: RasterImage, { outputPixels }: ImageLimits): boolean {
  return pixels <= outputPixels && Math.max(width, height) <= maxWebpSide;
}
