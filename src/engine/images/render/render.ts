/**
 * Renders a variant: the file is opened once, in one pipeline with one encoding (`docs/interface/images.md`, Variants).
 *
 * Everything that can be rejected is rejected before a pixel is decoded. The original's header is read by our own
 * readers, so that sharp opens the file once.
 */

import type { Sharp } from "sharp";
import { failure, type Result } from "../../../core/result.ts";
import { type CodedDiagnostic, problem } from "../../../errors.ts";
import { copyrightExif, insertExif, uprightExif } from "../../picture/exif.ts";
import type { RasterType } from "../../picture/header.ts";
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import { contentTypes } from "../sniff.ts";
import { chooseFormat } from "./accept.ts";
import { blurPicture } from "./blur.ts";
import { type Plan, planGeometry, type Size, sizeBeforeCrop } from "./geometry.ts";
import { createPipeline } from "./raster.ts";
import type { RasterImage } from "./raster-image.ts";
import { deliver, explainRenderError, openOriginal, type Rendering, writtenFrames } from "./rendering.ts";
import { checkVariantOptions, defaultMetadata, type MetadataMode, type VariantOptions } from "./variant.ts";

/** The request that a variant is rendered for. */
export interface RenderContext {
  /** The request's `Accept` header; without it the original's format is kept. */
  readonly accept?: string | undefined;
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ImageLimits>;
}

/**
 * Renders a variant of an image. An animation keeps its frames and its EXIF orientation is not applied: sharp does not
 * rotate images of several frames.
 *
 * @returns the rendering, or the first problem: 5400 wrong options (with a pointer), 9412 not an accepted image, 9413
 * too many pixels in or out or too many frames, 9422 undecodable, 9516 decodable but not transformable
 * @example
 * ```ts
 * const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
 * const rendering = await renderVariant(gif, { fit: "pad", width: 64, height: 64 }, { accept: "image/webp" });
 * rendering.ok && rendering.value.contentType; // => "image/webp"
 * ```
 */
export async function renderVariant(
  bytes: Uint8Array,
  options: VariantOptions,
  { accept, limits: own }: RenderContext = {},
): Promise<Result<Rendering>> {
  const [wrongOption] = checkVariantOptions(options, { complete: false });
  if (wrongOption) return failure(wrongOption);
  const limits = resolveImageLimits(own);
  const opened = await openOriginal(bytes, limits);
  if (!opened.ok) return opened;
  const image = opened.value;
  if (image.type === "svg") return deliver(Buffer.from(image.svg), contentTypes.svg, image, 1, false);
  return renderRaster(bytes, image, options, accept, limits);
}

/** JPEG quality (observed). The qualities of WebP and AVIF are sharp's defaults, written down (chosen). */
const jpegQuality = 85;
const webpQuality = 80;
const avifQuality = 50;
/** Effort 4 costs ten times as much for the same size (measured). */
const avifEffort = 2;
/** Effort 7, the default, costs nine times as much for a file smaller by a tenth (measured). */
const gifEffort = 3;
/** Maximum side of an image that is scaled to be cut, in pixels (chosen). */
const maxScaledSide = 16_777_216;
const white = { r: 255, g: 255, b: 255, alpha: 1 };

/**
 * How each format is encoded. PNG has no quality: it would reduce the image to a palette. GIF gets a new palette: the
 * original's lacks the white of the padding and the mixed colors that scaling produces.
 */
const encoders: Record<RasterType, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: jpegQuality }),
  png: (picture) => picture.png(),
  gif: (picture) => picture.gif({ effort: gifEffort, reuse: false, keepDuplicateFrames: true }),
  webp: (picture) => picture.webp({ quality: webpQuality }),
  avif: (picture) => picture.avif({ quality: avifQuality, effort: avifEffort }),
};

async function renderRaster(
  bytes: Uint8Array,
  image: RasterImage,
  options: VariantOptions,
  accept: string | undefined,
  limits: ImageLimits,
): Promise<Result<Rendering>> {
  const { frames, pixels, type } = image;
  const tooLarge = checkInput(image, limits);
  if (tooLarge) return failure(tooLarge);
  if (frames > 1 && pixels > limits.transformedAnimationPixels) {
    return deliver(bytes, contentTypes[type], image, frames, false);
  }
  const plan = planGeometry(image, options);
  const { width, height } = plan.output;
  const tooLargeOutput = checkOutput(plan.output, frames, limits) ?? checkScale(image, plan);
  if (tooLargeOutput) return failure(tooLargeOutput);
  const format = chooseFormat(accept, { type, frames, side: Math.max(width, height) }, limits);
  return transform(bytes, image, plan, format, options, limits);
}

/** Whether an original is small enough to be transformed. */
export function checkInput(
  { frames, pixels }: RasterImage,
  limits: ImageLimits,
): CodedDiagnostic | undefined {
  const { inputPixels, inputFrames } = limits;
  if (pixels > inputPixels) {
    return problem(9413, `An image to transform must have at most ${inputPixels} pixels; found ${pixels}.`);
  }
  if (frames <= inputFrames) return undefined;
  return problem(9413, `An image to transform must have at most ${inputFrames} frames; found ${frames}.`);
}

/** One frame is limited as a still image is, and all frames together as those of an original that is transformed. */
export function checkOutput(
  { width, height }: Size,
  frames: number,
  limits: ImageLimits,
): CodedDiagnostic | undefined {
  const found = `${width} x ${height}`;
  if (width * height > limits.outputPixels)
    return problem(9413, `The variant must have at most ${limits.outputPixels} pixels; found ${found}.`);
  const { transformedAnimationPixels } = limits;
  if (frames === 1 || width * height * frames <= transformedAnimationPixels) return undefined;
  const allowed = `at most ${transformedAnimationPixels} pixels in all frames together`;
  return problem(9413, `The variant must have ${allowed}; found ${frames} frames of ${found} pixels.`);
}

/** A covered box of an extreme ratio: the library's coordinates end between this side and ten times as much (measured). */
function checkScale(image: RasterImage, plan: Plan): CodedDiagnostic | undefined {
  const { width, height } = sizeBeforeCrop(image, plan);
  if (Math.max(width, height) <= maxScaledSide) return undefined;
  const allowed = `at most ${maxScaledSide} pixels on each side`;
  const found = `${width} x ${height}, scaled from ${image.width} x ${image.height}`;
  return problem(9413, `The image must have ${allowed} before it is cut; found ${found}.`);
}

async function transform(
  bytes: Uint8Array,
  image: RasterImage,
  plan: Plan,
  format: RasterType,
  { metadata = defaultMetadata, blur = 0 }: VariantOptions,
  limits: ImageLimits,
): Promise<Result<Rendering>> {
  try {
    const pipeline = await createPipeline(bytes, image, limits);
    const scaled = applyPlan(pipeline, plan);
    const blurred = blur > 0 ? await blurPicture(scaled, blur / 2, image.frames, limits) : scaled;
    const encoded = await encoders[format](blurred).toBuffer();
    const output = format === "jpeg" ? withExif(encoded, image.exif, metadata) : encoded;
    const frames = image.frames > 1 ? writtenFrames(output, format) : 1;
    return deliver(output, contentTypes[format], plan.output, frames, true);
  } catch (error) {
    return explainRenderError(error, bytes, image, limits);
  }
}

/** Scales before it cuts: an extract before the resize would disable the decoder's own reduction. */
function applyPlan(pipeline: Sharp, { kind, inner, output, left, top }: Plan): Sharp {
  const scaled = pipeline.resize(inner.width, inner.height, { fit: kind === "crop" ? "cover" : "fill" });
  const right = output.width - inner.width - left;
  const bottom = output.height - inner.height - top;
  return left || top || right || bottom
    ? scaled.extend({ left, top, right, bottom, background: white })
    : scaled;
}

/** A JPEG with the EXIF data that a mode keeps. */
export function withExif(jpeg: Uint8Array, exif: Uint8Array | undefined, metadata: MetadataMode): Uint8Array {
  if (!exif || metadata === "none") return jpeg;
  const kept = metadata === "keep" ? uprightExif(exif) : copyrightExif(exif);
  return kept ? insertExif(jpeg, kept) : jpeg;
}
