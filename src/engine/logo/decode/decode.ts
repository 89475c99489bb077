/**
 * Decodes image files with sharp, within limits: images are untrusted input.
 *
 * Limits `chosen` (docs/interface/brand.md, "Logo queries and matches"); PNG or JPEG for queries `observed`. Orientation
 * and color profile are applied; every pixel is decoded, and the end of the file must be present. sharp's process-wide
 * settings stay unchanged.
 */

import type { Sharp } from "sharp";
import { anyValue, type KindsOf } from "../../../core/arguments.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { problem, quote } from "../../../errors.ts";
import { hasDeepProfile } from "../../picture/deep-profile.ts";
import { decoderMessage, loadSharp } from "../../picture/sharp.ts";
import type { LogoRole } from "../descriptor.ts";
import { isAvifSequence, isTruncated, type LogoHeader, readPngHeader } from "./header.ts";
import { defaultMaxBytes, defaultMaxPixels, maxMaxPixels } from "./limits.ts";
import type { Raster } from "./picture.ts";

/** Limits of decoding. */
export interface DecodeLimits {
  /** Maximum size of the file in bytes; 5,242,880 by default. */
  readonly maxBytes?: number;
  /** Maximum of width times height in pixels, from 1 to 100,000,000; 25,000,000 by default. */
  readonly maxPixels?: number;
}

/** The members of `DecodeLimits`; the values are checked where they are used. */
export const decodeMembers: KindsOf<DecodeLimits> = { maxBytes: anyValue, maxPixels: anyValue };

/** Formats (sharp's names) that each role accepts, and how a message lists them. */
const formats: Readonly<Record<LogoRole, { readonly names: ReadonlySet<string>; readonly list: string }>> = {
  query: { names: new Set(["png", "jpeg"]), list: "PNG or JPEG" },
  scan: { names: new Set(["png", "jpeg", "webp", "gif", "heif"]), list: "PNG, JPEG, WebP, GIF or AVIF" },
};

const damaged = "The image is damaged or truncated; it could not be decoded to its end.";

/**
 * Decodes an image file for a role; a rejected image is a failure with one problem of code 7001.
 *
 * @throws {DependencyUnavailableError} when the machine cannot decode
 * @throws {RangeError} when `maxPixels` is not an integer from 1 to 100,000,000
 */
export async function decodeLogo(
  bytes: Uint8Array,
  role: LogoRole,
  limits: DecodeLimits = {},
): Promise<Result<Raster>> {
  const { maxBytes = defaultMaxBytes, maxPixels = defaultMaxPixels } = limits;
  if (!(Number.isSafeInteger(maxPixels) && maxPixels >= 1 && maxPixels <= maxMaxPixels)) {
    throw new RangeError(
      `\`maxPixels\` must be an integer from 1 to ${maxMaxPixels}; found ${quote(maxPixels)}.`,
    );
  }
  if (bytes.length === 0) return rejected("The image must be an image file; found no bytes.");
  if (bytes.length > maxBytes) {
    return rejected(`The image must have at most ${maxBytes} bytes; found ${bytes.length}.`);
  }
  const image = loadSharp()(bytes, { limitInputPixels: false, failOn: "warning", pages: 1 });
  const header = await headerOf(image, bytes);
  const reason = rejectionReason(header, bytes, role, maxPixels);
  if (reason !== undefined) return rejected(reason);
  return decode(header && hasDeepProfile(header) ? image.withIccProfile("srgb", { attach: false }) : image);
}

function rejected(message: string): Result<Raster> {
  return failure(problem(7001, message));
}

/** A PNG's own header where it is sufficient: opening the file with sharp would cost a tenth of describing a logo. */
async function headerOf(image: Sharp, bytes: Uint8Array): Promise<LogoHeader | undefined> {
  const png = readPngHeader(bytes);
  if (png?.certain) return png;
  const header = await image.metadata().catch(unreadable);
  return header && { ...header, ...png };
}

/** No header or pixels, unless the machine is at fault. @throws {DependencyUnavailableError} */
function unreadable(error: unknown): undefined {
  decoderMessage(error);
}

/** The reason to reject an image by its header; undefined for an acceptable one. */
function rejectionReason(
  header: LogoHeader | undefined,
  bytes: Uint8Array,
  role: LogoRole,
  maxPixels: number,
): string | undefined {
  const { names, list } = formats[role];
  if (!header) return isTruncated(bytes) ? damaged : `The image must be ${list}; found an unknown format.`;
  const { format, compression, width, height, pages = 1 } = header;
  if (!names.has(format) || (format === "heif" && compression !== "av1")) {
    return `The image must be ${list}; found ${quote(format)}.`;
  }
  if (isAvifSequence(bytes)) return "The image must be a still picture; found an animation.";
  if (pages > 1) return `The image must be a still picture; found ${pages} frames.`;
  if (width * height > maxPixels) {
    return `The image must have at most ${maxPixels} pixels; found ${width} x ${height}.`;
  }
  return isTruncated(bytes) ? damaged : undefined;
}

/** Decodes every pixel: oriented, sRGB, 8 bits, with alpha. */
async function decode(image: Sharp): Promise<Result<Raster>> {
  try {
    const { data, info } = await image
      .autoOrient()
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return success({ width: info.width, height: info.height, data });
  } catch (error) {
    unreadable(error);
    return rejected(damaged);
  }
}
