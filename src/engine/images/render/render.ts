/**
 * Renders a variant: one opening of the file, one pipeline, one encoding (`images.md`, Variants).
 *
 * Everything that can be refused is refused before a pixel is decoded. The original's header is read by our own
 * readers, so that sharp opens the file once.
 */

import type { Sharp } from "sharp";
import { copyrightExif, insertExif, uprightExif } from "../../picture/exif.ts";
import type { RasterType } from "../../picture/header.ts";
import { type ImageLimits, withDefaults } from "../limits.ts";
import { contentTypes, sniffImage } from "../sniff.ts";
import { cleanSvg } from "../svg/clean-svg.ts";
import { chooseFormat } from "./accept.ts";
import { type Plan, planGeometry } from "./geometry.ts";
import { deliver, explainFailure, type Rendering, refuse, writtenFrames } from "./rendering.ts";
import { openSource, readSource, type Source } from "./source.ts";
import { checkVariantOptions, defaultMetadata, type MetadataMode, type VariantOptions } from "./variant.ts";

export interface RenderContext {
  /** The request's `Accept` header; without it the original's format is kept. */
  readonly accept?: string | undefined;
  readonly limits?: Partial<ImageLimits>;
}

/**
 * Renders a variant of an image. An animation keeps its frames and is not turned, whatever orientation it has: sharp
 * does not turn pictures of many frames.
 *
 * Codes: 5400 the options are wrong (pointer), 9412 not an accepted image, 9413 too many pixels in or out, or too many
 * frames, 9422 it cannot be decoded, 9516 it could be decoded but not transformed.
 *
 * @example
 * ```ts
 * const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
 * const rendering = await renderVariant(gif, { fit: "pad", width: 64, height: 64 }, { accept: "image/webp" });
 * rendering.ok && rendering.contentType; // => "image/webp"
 * ```
 */
export async function renderVariant(
  bytes: Uint8Array,
  options: VariantOptions,
  { accept, limits: given }: RenderContext = {},
): Promise<Rendering> {
  const [wrong] = checkVariantOptions(options, { complete: false });
  if (wrong) return { ok: false, problem: wrong };
  const limits = withDefaults(given);
  const sniffed = sniffImage(bytes);
  if (sniffed.kind !== "image") return refuse(9412, `The file is not an image that can be delivered.`);
  if (sniffed.type === "svg") return renderSvg(bytes, limits);
  const source = await readSource(bytes, sniffed.type, limits);
  if (!source) return refuse(9422, "The image's header cannot be read.");
  return renderRaster(bytes, source, options, accept, limits);
}

/** JPEG quality (observed). The qualities of WebP and AVIF are sharp's defaults, written down (chosen). */
const jpegQuality = 85;
const webpQuality = 80;
const avifQuality = 50;
/** Effort 4 costs ten times as much for the same size (measured). */
const avifEffort = 2;
/** Effort 7, the default, costs nine times as much for a file smaller by a tenth (measured). */
const gifEffort = 3;
const white = { r: 255, g: 255, b: 255, alpha: 1 };

/**
 * How each format is written. PNG gets no quality: it would be reduced to a palette. GIF gets a new palette, the
 * original's lacks the padding's white and the colours between others that scaling makes.
 */
const encoders: Record<RasterType, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: jpegQuality }),
  png: (picture) => picture.png(),
  gif: (picture) => picture.gif({ effort: gifEffort, reuse: false, keepDuplicateFrames: true }),
  webp: (picture) => picture.webp({ quality: webpQuality }),
  avif: (picture) => picture.avif({ quality: avifQuality, effort: avifEffort }),
};

function renderSvg(bytes: Uint8Array, limits: ImageLimits): Rendering {
  const cleaned = cleanSvg(bytes, limits);
  if (!cleaned.ok) return refuse(9422, `The SVG cannot be delivered: ${cleaned.reason}.`);
  const { svg, width, height } = cleaned;
  return deliver(Buffer.from(svg), "image/svg+xml", { width, height }, 1, false);
}

async function renderRaster(
  bytes: Uint8Array,
  source: Source,
  options: VariantOptions,
  accept: string | undefined,
  limits: ImageLimits,
): Promise<Rendering> {
  const { frames, pixels, type } = source;
  if (pixels > limits.inputPixels) {
    return refuse(9413, `The image has ${pixels} pixels, at most ${limits.inputPixels} can be transformed.`);
  }
  if (frames > limits.inputFrames) {
    return refuse(9413, `The image has ${frames} frames, at most ${limits.inputFrames} can be transformed.`);
  }
  if (frames > 1 && pixels > limits.transformedAnimationPixels) {
    return deliver(bytes, contentTypes[type], source, frames, false);
  }
  const plan = planGeometry(source, options);
  const { width, height } = plan.output;
  if (width * height * frames > limits.outputPixels) {
    const found = `The variant has ${width} x ${height} pixels${frames > 1 ? ` in ${frames} frames` : ""}`;
    return refuse(9413, `${found}, at most ${limits.outputPixels} are delivered.`);
  }
  const format = chooseFormat(accept, { type, frames, pixels: width * height }, limits);
  return transform(bytes, source, plan, format, options.metadata ?? defaultMetadata, limits);
}

async function transform(
  bytes: Uint8Array,
  source: Source,
  plan: Plan,
  format: RasterType,
  metadata: MetadataMode,
  limits: ImageLimits,
): Promise<Rendering> {
  try {
    const picture = await openSource(bytes, source, limits);
    const encoded = await encoders[format](applyPlan(picture, plan)).toBuffer();
    const output = format === "jpeg" ? withExif(encoded, source.exif, metadata) : encoded;
    const frames = source.frames > 1 ? writtenFrames(output, format) : 1;
    return deliver(output, contentTypes[format], plan.output, frames, true);
  } catch (error) {
    return explainFailure(error, bytes, source, limits);
  }
}

/** Scales; never cuts first, which would lose the decoder's own reduction. */
function applyPlan(picture: Sharp, { kind, inner, output, left, top }: Plan): Sharp {
  const scaled = picture.resize(inner.width, inner.height, { fit: kind === "crop" ? "cover" : "fill" });
  const right = output.width - inner.width - left;
  const bottom = output.height - inner.height - top;
  return left || top || right || bottom
    ? scaled.extend({ left, top, right, bottom, background: white })
    : scaled;
}

function withExif(jpeg: Uint8Array, exif: Uint8Array | undefined, metadata: MetadataMode): Uint8Array {
  if (!exif || metadata === "none") return jpeg;
  const kept = metadata === "keep" ? uprightExif(exif) : copyrightExif(exif);
  return kept ? insertExif(jpeg, kept) : jpeg;
}
