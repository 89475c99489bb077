/**
 * Validates an upload by its bytes: type, size, pixels, frames, and a full decode (`docs/interface/images.md`, Upload).
 *
 * Everything that the header shows is checked before a pixel is decoded, so that a bomb is rejected early.
 */

import { anyObject, aUint8Array, oneOf, requireArgument } from "../../core/arguments.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { type CodedDiagnostic, counted, problem } from "../../errors.ts";
import type { HeaderType } from "../picture/header.ts";
import { type ImageLimits, resolveImageLimits } from "./limits.ts";
import { openHeader } from "./open-image.ts";
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

/** Options of `validateImage`: limits that replace the defaults, and the formats. */
export interface ImageValidationOptions extends Partial<ImageLimits> {
  /** HEIC, whose header is read and whose pixels are not decoded: rejected by default, as in the specification, or accepted. */
  readonly heic?: "reject" | "accept";
}

/**
 * Validates an upload.
 *
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
  options: ImageValidationOptions = {},
): Promise<Result<ValidatedImage>> {
  const opened = await openUpload(bytes, options);
  if (!opened.ok) return opened;
  const found = await opened.value.findDamage();
  return found ? failure(found) : success(opened.value.image);
}

/** An upload whose header is accepted. */
export interface OpenedUpload {
  readonly image: ValidatedImage;
  /** Decodes the file, and returns why it is rejected. */
  findDamage(): Promise<CodedDiagnostic | undefined>;
}

/** Validates an upload by everything but its pixels; see `validateImage`. */
export async function openUpload(
  bytes: Uint8Array,
  options: ImageValidationOptions = {},
): Promise<Result<OpenedUpload>> {
  requireArgument("bytes", bytes, aUint8Array);
  requireArgument("options", options, anyObject);
  const { heic = "reject", ...own } = options;
  requireArgument("heic", heic, oneOf("reject", "accept"));
  const limits = resolveImageLimits(own);
  const wrongSize = checkBytes(bytes.length, limits);
  if (wrongSize) return failure(wrongSize);
  const opened = await openHeader(bytes, "upload", limits, heic);
  if (!opened.ok) return opened;
  const image = opened.value;
  const found = image.type === "svg" ? undefined : checkHeader(image, limits);
  if (found) return failure(found);
  const { type, width, height, frames } = image;
  const findDamage = async () => {
    if (image.type === "svg" || image.type === "heic") return undefined;
    const error = await findDecodeError(bytes, image, limits);
    if (error === undefined) return undefined;
    return problem(9422, `The ${type.toUpperCase()} image cannot be decoded: ${error}.`);
  };
  return success({ image: { type, contentType: contentTypes[type], width, height, frames }, findDamage });
}

/** Formats whose sides have no maximum length. */
const unlimitedSides: ReadonlySet<HeaderType> = new Set(["webp", "avif"]);

function checkBytes(length: number, { uploadBytes }: ImageLimits): CodedDiagnostic | undefined {
  if (length === 0) return problem(5400, "The file must be an image; it is empty.");
  if (length <= uploadBytes) return undefined;
  return problem(5413, `The file must have at most ${uploadBytes} bytes; found ${length}.`);
}

/** Checks what the header shows. */
function checkHeader(image: RasterImage<HeaderType>, limits: ImageLimits): CodedDiagnostic | undefined {
  const tooLarge = checkSize(image, limits);
  if (tooLarge || image.complete) return tooLarge;
  return problem(9422, `The ${image.type.toUpperCase()} image is cut off before its end.`);
}

function checkSize(image: RasterImage<HeaderType>, limits: ImageLimits): CodedDiagnostic | undefined {
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
