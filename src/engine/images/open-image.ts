/** Opens a file as an image before any pixel is decoded: its type, then an SVG cleaned, or a raster image's header. */

import { failure, type Result, success } from "../../core/result.ts";
import { problem } from "../../errors.ts";
import { findMissingAvifData } from "../picture/avif-missing.ts";
import type { ImageLimits } from "./limits.ts";
import { readRaster } from "./render/raster.ts";
import type { RasterImage } from "./render/raster-image.ts";
import { sniffImage } from "./sniff.ts";
import { cleanSvg } from "./svg/clean-svg.ts";

/** A cleaned SVG, with the size that it asks for. */
export interface SvgImage {
  readonly type: "svg";
  readonly svg: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly frames: 1;
}

export type OpenedImage = SvgImage | RasterImage;

const acceptedFormats = "PNG, JPEG, GIF, WebP, AVIF or SVG";

/** Codes: 5415 not an image, 5455 a format that is not accepted, 9422 an SVG or a header that cannot be read, or a cut off AVIF. */
export async function openImage(bytes: Uint8Array, limits: ImageLimits): Promise<Result<OpenedImage>> {
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "unknown") {
    return failure(problem(5415, `The file must be ${acceptedFormats}; it is not an image.`));
  }
  if (sniffed.kind === "rejected") {
    return failure(problem(5455, `The image must be ${acceptedFormats}; found ${sniffed.name}.`));
  }
  if (sniffed.type === "svg") return openSvg(bytes, limits);
  const missing = sniffed.type === "avif" ? findMissingAvifData(bytes) : undefined;
  if (missing !== undefined)
    return failure(problem(9422, `The AVIF image is cut off or incomplete: ${missing}.`));
  const raster = await readRaster(bytes, sniffed.type, limits);
  const format = sniffed.type.toUpperCase();
  return raster ? success(raster) : failure(problem(9422, `The ${format} image's header cannot be read.`));
}

function openSvg(bytes: Uint8Array, limits: ImageLimits): Result<SvgImage> {
  const cleaned = cleanSvg(bytes, limits);
  return cleaned.ok ? success({ type: "svg", frames: 1, ...cleaned.value }) : cleaned;
}
