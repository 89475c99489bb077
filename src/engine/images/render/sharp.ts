/** Opens images with sharp within the limits of the area, and decodes them. Every setting applies to one image. */

import type { Sharp, SharpOptions } from "sharp";
import { hasDeepProfile } from "../../picture/deep-profile.ts";
import type { HeaderType, ImageHeader } from "../../picture/header.ts";
import { decoderMessage, loadSharp } from "../../picture/sharp.ts";
import type { ImageLimits } from "../limits.ts";
import type { RasterImage } from "./raster-image.ts";

/** Side of the thumbnail that forces a decode, in pixels; every line of the image contributes to it. */
const thumbnailSide = 8;

/** Opens an image for reading, with all limits of decoding. @throws {DependencyUnavailableError} without sharp */
export async function openSharp(
  bytes: Uint8Array,
  options: SharpOptions,
  limits: ImageLimits,
): Promise<Sharp> {
  return loadSharp()(bytes, { limitInputPixels: limits.inputPixels, ...options }).timeout({
    seconds: limits.processingSeconds,
  });
}

/** Which of the pictures in a file are decoded: all frames of an animation, or the primary item of an AVIF. */
export function pagesOf({ frames, page }: Pick<RasterImage, "frames" | "page">): SharpOptions {
  return page === undefined ? { animated: frames > 1 } : { page };
}

/** The header as the decoder reads it, of an AVIF that of its primary item; undefined when it cannot. */
export async function readDecoderHeader(
  bytes: Uint8Array,
  type: HeaderType,
  own: ImageHeader | undefined,
  limits: ImageLimits,
): Promise<ImageHeader | undefined> {
  try {
    if (type === "avif") return await readPrimaryItem(bytes, limits);
    const picture = await openSharp(bytes, { limitInputPixels: false, animated: true }, limits);
    const { width, height, pageHeight, pages = 1, orientation = 1, ...found } = await picture.metadata();
    const exif = own?.exif && { exif: own.exif };
    const size = { width, height: pageHeight ?? height, frames: pages };
    const deepProfile = hasDeepProfile(found);
    return { ...size, orientation, certain: true, complete: own?.complete ?? true, ...exif, deepProfile };
  } catch (error) {
    decoderMessage(error);
    return undefined;
  }
}

/** Thumbnails, tiles and other renditions may precede the primary item, and may have other sizes. */
async function readPrimaryItem(bytes: Uint8Array, limits: ImageLimits): Promise<ImageHeader> {
  const metadataOf = async (options: SharpOptions) => {
    return (await openSharp(bytes, { limitInputPixels: false, ...options }, limits)).metadata();
  };
  const first = await metadataOf({});
  const page = first.pagePrimary ?? 0;
  const { width, height, orientation = 1, ...found } = page === 0 ? first : await metadataOf({ page });
  const known = { width, height, frames: 1, orientation, page, certain: true, complete: true };
  return { ...known, deepProfile: hasDeepProfile(found) };
}

/** The EXIF block of a file whose format has it elsewhere than JPEG; undefined without one. */
export async function readExif(
  bytes: Uint8Array,
  image: Pick<RasterImage, "frames" | "page">,
  limits: ImageLimits,
): Promise<Uint8Array | undefined> {
  const { exif } = await (await openSharp(bytes, pagesOf(image), limits)).metadata();
  // The identifier of JPEG's segment may precede the block.
  return exif?.subarray(exif.subarray(0, 4).toString("latin1") === "Exif" ? 6 : 0);
}

/**
 * Decodes every line and keeps almost nothing, so that only the decoder itself needs memory.
 * Returns the decoder's error message; undefined on success.
 *
 * @throws {DependencyUnavailableError} for an error of the machine
 */
export async function findDecodeError(
  bytes: Uint8Array,
  image: Pick<RasterImage, "type" | "frames" | "page">,
  limits: ImageLimits,
): Promise<string | undefined> {
  try {
    const opened = await openSharp(bytes, { ...pagesOf(image), sequentialRead: true }, limits);
    const side = thumbnailSide;
    const little =
      image.type === "jpeg" ? await lastPixel(opened) : opened.resize(side, side, { fit: "fill" });
    await little.raw().toBuffer();
    return undefined;
  } catch (error) {
    return decoderMessage(error);
  }
}

/**
 * The decoder of JPEG reports damage when it starts its next 8 lines. It shrinks what is resized while it loads it, to an
 * eighth at most, and then misses damage in up to 64 lines. An extract prevents that, and a pixel of the last line makes
 * it read all others; without a resize it takes a quarter less time (measured).
 */
async function lastPixel(picture: Sharp): Promise<Sharp> {
  const { height } = await picture.metadata();
  return picture.extract({ left: 0, top: height - 1, width: 1, height: 1 });
}
