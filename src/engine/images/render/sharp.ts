/**
 * The only import of sharp, loaded with the first image, so that importing the package costs nothing.
 *
 * sharp's process-wide settings (cache, concurrency, SIMD, blocked operations) belong to the application and stay
 * unchanged; every setting here applies to one image.
 */

import type { Sharp, SharpOptions } from "sharp";
import { hasDeepProfile } from "../../picture/deep-profile.ts";
import type { ImageHeader, RasterType } from "../../picture/header.ts";
import type { ImageLimits } from "../limits.ts";
import type { RasterImage } from "./raster-image.ts";

/** Side of the thumbnail that forces a decode, in pixels; every line of the image contributes to it. */
const probeSide = 8;

let loading: Promise<typeof import("sharp")> | undefined;

/** Opens an image for reading, with all limits of decoding. */
export async function openSharp(
  bytes: Uint8Array,
  options: SharpOptions,
  limits: ImageLimits,
): Promise<Sharp> {
  loading ??= import("sharp");
  const { default: sharp } = await loading;
  return sharp(bytes, { limitInputPixels: limits.inputPixels, ...options }).timeout({
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
  type: RasterType,
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
  } catch {
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

/**
 * Decodes every pixel and keeps none: the lines stream into a thumbnail, so that only the decoder itself needs memory.
 * Returns the decoder's error message; undefined on success.
 */
export async function findDecodeError(
  bytes: Uint8Array,
  image: Pick<RasterImage, "type" | "frames" | "page">,
  limits: ImageLimits,
): Promise<string | undefined> {
  try {
    const opened = await openSharp(bytes, { ...pagesOf(image), sequentialRead: true }, limits);
    const picture = image.type === "jpeg" ? await withoutShrinking(opened) : opened;
    await picture.resize(probeSide, probeSide, { fit: "fill" }).raw().toBuffer();
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}

/**
 * The decoder shrinks a JPEG while it loads one, and never reads its last bytes. An extract before the resize prevents
 * that, even one of the whole image (`gamma` would too, in up to twice the time: measured).
 */
async function withoutShrinking(picture: Sharp): Promise<Sharp> {
  const { width, height } = await picture.metadata();
  return picture.extract({ left: 0, top: 0, width, height });
}

/** The first line of an error of the decoder or encoder; the others repeat it. */
export function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.trim().replace(/\.$/, "");
}
