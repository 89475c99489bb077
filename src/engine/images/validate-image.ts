/**
 * Validates an upload by its bytes: type, size, pixels, frames, and a full decode (`docs/interface/images.md`, Upload).
 *
 * Everything that the header shows is checked before a pixel is decoded, so that a bomb is rejected early.
 */

import { failure, type Result, success } from "../../core/result.ts";
import { type CodedDiagnostic, counted, problem } from "../../errors.ts";
import type { RasterType } from "../picture/header.ts";
import { type ImageLimits, resolveImageLimits } from "./limits.ts";
import { openImage } from "./open-image.ts";
import type { RasterImage } from "./render/raster-image.ts";
import { findDecodeError } from "./render/sharp.ts";
import { contentTypes, type ImageType } from "./sniff.ts";

/** An image that is accepted as an upload. */
export interface ValidatedImage {
  /** Format, by the bytes. */
  readonly type: ImageType;
  /** Media type of the format. */
  readonly contentType: string;
  /** Width as displayed, in pixels, after the EXIF orientation; at least 1. */
  readonly width: number;
  /** Height as displayed, in pixels, after the EXIF orientation; at least 1. */
  readonly height: number;
  /** Number of frames; 1 for a still image. */
  readonly frames: number;
}

/**
 * Validates an upload.
 *
 * @param options limits that replace the defaults
 * @returns the image, or the first problem: 5400 empty, 5413 too many bytes or pixels, 5415 not an image, 5443 an
 * animation that is too large or has too many frames, 5455 a format that is not accepted, 9422 undecodable or cut off
 * @example
 * ```ts
 * const validated = await validateImage(Buffer.from("<html>"));
 * validated.ok || validated.problems[0].code; // => 5415
 * ```
 */
export async function validateImage(
  bytes: Uint8Array,
  options?: Partial<ImageLimits>,
): Promise<Result<ValidatedImage>> {
  const limits = resolveImageLimits(options);
  const wrongSize = checkBytes(bytes.length, limits);
  if (wrongSize) return failure(wrongSize);
  const opened = await openImage(bytes, limits);
  if (!opened.ok) return opened;
  const image = opened.value;
  const found = image.type === "svg" ? undefined : await checkRaster(bytes, image, limits);
  if (found) return failure(found);
  const { type, width, height, frames } = image;
  return success({ type, contentType: contentTypes[type], width, height, frames });
}

/** Formats whose sides have no maximum length. */
const unlimitedSides: ReadonlySet<RasterType> = new Set(["webp", "avif"]);

function checkBytes(length: number, { uploadBytes }: ImageLimits): CodedDiagnostic | undefined {
  if (length === 0) return problem(5400, "The file must be an image; it is empty.");
  if (length <= uploadBytes) return undefined;
  return problem(5413, `The file must have at most ${uploadBytes} bytes; found ${length}.`);
}

async function checkRaster(
  bytes: Uint8Array,
  image: RasterImage,
  limits: ImageLimits,
): Promise<CodedDiagnostic | undefined> {
  const tooLarge = checkSize(image, limits);
  if (tooLarge) return tooLarge;
  const format = image.type.toUpperCase();
  if (!image.complete) return problem(9422, `The ${format} image is cut off before its end.`);
  const error = await findDecodeError(bytes, image, limits);
  return error === undefined ? undefined : problem(9422, `The ${format} image cannot be decoded: ${error}.`);
}

/** Checks what the header shows. */
function checkSize(image: RasterImage, limits: ImageLimits): CodedDiagnostic | undefined {
  const { type, width, height, frames, pixels } = image;
  if (frames > limits.inputFrames) {
    return problem(
      5443,
      `The animation must have at most ${counted(limits.inputFrames, "frame")}; found ${frames}.`,
    );
  }
  if (frames > 1 && pixels > limits.inputPixels) {
    const allowed = `at most ${limits.inputPixels} pixels in all frames together`;
    const found = `${frames} frames of ${width} x ${height} pixels`;
    return problem(5443, `The animation must have ${allowed}; found ${found}.`);
  }
  if (pixels > limits.inputPixels) {
    const allowed = `at most ${limits.inputPixels} pixels`;
    return problem(5413, `The image must have ${allowed}; found ${width} x ${height}.`);
  }
  if (Math.max(width, height) <= limits.inputSide || unlimitedSides.has(type)) return undefined;
  const allowed = `at most ${limits.inputSide} pixels on each side`;
  return problem(5413, `The image must have ${allowed}; found ${width} x ${height}.`);
}
