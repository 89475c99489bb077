/** Opens a file as an image before any pixel is decoded: its type, then an SVG cleaned, or a raster image's header. */

import { failure, type Result, success } from "../../core/result.ts";
import { problem } from "../../errors.ts";
import { findMissingHeifData } from "../picture/heif-missing.ts";
import { codeFor, type FilePlace } from "./codes.ts";
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

/** Whether HEIC is accepted, whose header alone is read; `undecoded`: the pixels are needed. */
type HeicSupport = "accept" | "reject" | "undecoded";

const acceptedFormats = "PNG, JPEG, GIF, WebP, AVIF or SVG";

/** Opens a file whose pixels are needed. @param place receiver of the file, which decides on the code of a rejection */
export function openImage(
  bytes: Uint8Array,
  place: FilePlace,
  limits: ImageLimits,
): Promise<Result<OpenedImage>> {
  return openHeader(bytes, place, limits, "undecoded") as Promise<Result<OpenedImage>>;
}

/** @param place receiver of the file, which decides on the code of a rejection; also when an SVG, a header or a part of a file is missing */
export async function openHeader(
  bytes: Uint8Array,
  place: FilePlace,
  limits: ImageLimits,
  heic: HeicSupport,
): Promise<Result<OpenedImage | RasterImage<"heic">>> {
  const fail = (fault: Parameters<typeof codeFor>[1], message: string) =>
    failure(problem(codeFor(place, fault), message));
  const accepted = heic === "accept" ? acceptedFormats.replace(" or", ", HEIC or") : acceptedFormats;
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "unknown") return fail("unknown", `The file must be ${accepted}; it is not an image.`);
  if (sniffed.kind === "rejected")
    return fail("format", `The image must be ${accepted}; found ${sniffed.name}.`);
  const { type } = sniffed;
  if (type === "heic" && heic === "reject")
    return fail("format", `The image must be ${accepted}; found HEIC.`);
  if (type === "heic" && heic === "undecoded")
    return fail(
      "undecoded",
      `The image is HEIC, whose pixels are not decoded here; convert it to ${acceptedFormats} to render it.`,
    );
  if (type === "svg") {
    const cleaned = cleanSvg(bytes, limits);
    return cleaned.ok
      ? success({ type, frames: 1, ...cleaned.value })
      : fail("broken", cleaned.problems[0].message);
  }
  const name = type.toUpperCase();
  const missing = type === "avif" || type === "heic" ? findMissingHeifData(bytes) : undefined;
  if (missing !== undefined) return fail("broken", `The ${name} image is cut off or incomplete: ${missing}.`);
  const raster = await readRaster(bytes, type, limits);
  return raster
    ? success(raster as RasterImage | RasterImage<"heic">)
    : fail("broken", `The ${name} image's header cannot be read.`);
}
