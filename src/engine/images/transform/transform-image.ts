/**
 * Transforms an image by the options of an address, of `fetch` in a Worker or of the Images binding
 * (`docs/interface/images.md`, Transformations). Everything that can be rejected is rejected before a pixel is decoded.
 */
import { failure, type Result, success } from "../../../core/result.ts";
import { copyrightExif, insertExif, uprightExif } from "../../picture/exif.ts";
import type { FilePlace } from "../codes.ts";
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import { type OpenedImage, openImage } from "../open-image.ts";
import type { Size } from "../render/geometry.ts";
import type { RasterImage } from "../render/raster-image.ts";
import { deliver, explainRenderError, type Rendering, writtenFrames } from "../render/rendering.ts";
import { readExif } from "../render/sharp.ts";
import { defaultMetadata } from "../render/variant.ts";
import { contentTypes } from "../sniff.ts";
import { type Color, white } from "./color.ts";
import { type Drawn, renderFrames, settleDrawn } from "./frames.ts";
import { encodeAs, isAnimated, type OutputOptions, type OutputRequest, outputFormat } from "./output.ts";
import { checkInput, type Operation, type OperationPlan, openOperations, planOperations } from "./plan.ts";
import { warningsOfOptions } from "./warnings.ts";

/** The request that an image is transformed for. */
export interface TransformContext {
  /** The request's `Accept` header, for the format `auto`. */
  readonly accept?: string | undefined;
  /** Receiver of the image, which decides on codes. Default `delivery`. */
  readonly place?: FilePlace;
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ImageLimits> | undefined;
}

/** A transformation that waits for memory. */
export interface PlannedImage {
  /** Header of the image; an SVG has its size. */
  readonly image: OpenedImage;
  /** Maximum pixels in memory, all frames and overlays together. */
  readonly pixels: number;
  /** Whether `render` decodes every line of the file, and so has a problem wherever `validateImage` has one of pixels. */
  readonly decodesAll: boolean;
  /** Renders it. Problems have code 9401, 9413, 9516, and that of the place for pixels that cannot be decoded. */
  render(): Promise<Result<Rendering>>;
}

/** The description of `format=json` (members of the vendor's local mock). */
interface ImageDescription extends Size {
  readonly original: Size & { readonly file_size: number; readonly format: string };
}

/**
 * Plans a transformation: everything that can be rejected is rejected before a pixel is decoded.
 *
 * @param operations in this order
 * @param options how it is written
 * @returns the plan, or the first problem: 9401 options that the image cannot have, 9412 not an accepted image, 9413 too
 * many pixels in or out, 9422 a broken header, 9520 a format that is not decoded
 */
export async function planImage(
  bytes: Uint8Array,
  operations: readonly Operation[],
  options: OutputOptions,
  { accept, place = "delivery", limits: own }: TransformContext = {},
): Promise<Result<PlannedImage>> {
  const limits = resolveImageLimits(own);
  const opened = await openImage(bytes, place, limits);
  if (!opened.ok) return opened;
  const image = opened.value;
  const unchanged = (file: Uint8Array, warnings: readonly string[]) => {
    const { type, frames } = image;
    const delivered = deliver(file, contentTypes[type], image, frames, false, warnings);
    return success({ image, pixels: 0, decodesAll: false, render: async () => delivered });
  };
  if (image.type === "svg") return unchanged(Buffer.from(image.svg), []);
  const tooLarge = checkInput(image, limits);
  if (tooLarge) return failure(tooLarge);
  const warnings = warningsOf(operations);
  if (image.frames > 1 && image.pixels > limits.transformedAnimationPixels) return unchanged(bytes, warnings);
  const ready = await openOperations(operations, limits);
  if ("code" in ready) return failure(ready);
  const source = { ...image, frames: framesOf(image, options) };
  const plan = planOperations(source, ready, limits);
  if ("code" in plan) return failure(plan);
  const render = async () => {
    try {
      return await renderPlan(bytes, source, plan, options, { accept, limits, warnings });
    } catch (error) {
      return explainRenderError(error, bytes, image, place, limits);
    }
  };
  return success({ image, pixels: plan.pixels, decodesAll: decodesAll(image, plan), render });
}

/**
 * The decoders of JPEG and PNG read only lines that are needed, the others whole frames. That of JPEG shrinks by 2 or more,
 * and misses damage then.
 */
function decodesAll(image: RasterImage, { steps }: OperationPlan): boolean {
  const [step, ...others] = steps;
  if (image.frames > 1 || !step || !("scaled" in step) || !step.scaled || others.length > 0) return false;
  const { scaled, cutsLines } = step;
  if (image.type === "png") return !cutsLines;
  if (image.type !== "jpeg") return true;
  return !cutsLines && (2 * scaled.width > image.width || 2 * scaled.height > image.height);
}

/** The frames that stay: those of an animation, if its format can have several. */
function framesOf(image: RasterImage, { anim = true, format }: OutputOptions): number {
  const follows = format === undefined || format === "auto" || format === "svg";
  return anim && isAnimated(image.type) && (follows || format === "gif" || format === "webp")
    ? image.frames
    : 1;
}

/** All that an encoding needs in addition to the pixels. */
interface EncodingRequest {
  readonly accept: string | undefined;
  readonly limits: ImageLimits;
  readonly warnings: readonly string[];
}

async function renderPlan(
  bytes: Uint8Array,
  image: RasterImage,
  plan: OperationPlan,
  options: OutputOptions,
  { accept, limits, warnings }: EncodingRequest,
): Promise<Result<Rendering>> {
  const { frames } = image;
  const drawn = await renderFrames(bytes, image, plan, limits);
  if ("code" in drawn) return failure(drawn);
  const wanted = { type: image.type, frames, accept };
  const { picture, size, hasAlpha, timing } = needsPixels(drawn, wanted, options, limits)
    ? await settleDrawn(drawn.picture, limits)
    : drawn;
  if (options.format === "json") return describe(bytes, image, size, warnings);
  const { type, warnings: more } = outputFormat(
    options,
    { ...wanted, ...size, hasAlpha: hasAlpha === true },
    limits,
  );
  const flat =
    type === "jpeg" && hasAlpha ? picture.flatten({ background: opaque(options.background) }) : picture;
  const encoded = await encodeAs(flat, type, options, size, timing).toBuffer();
  if (type === "rgb" || type === "rgba") return deliver(encoded, type, size, 1, true, warnings);
  const output = type === "jpeg" ? await withExif(encoded, bytes, image, options, limits) : encoded;
  const written = frames > 1 ? writtenFrames(output, type) : 1;
  return deliver(output, contentTypes[type], size, written, true, [...warnings, ...more]);
}

/** A JPEG with the EXIF data of the original that a mode keeps. */
async function withExif(
  jpeg: Uint8Array,
  bytes: Uint8Array,
  image: RasterImage,
  { metadata = defaultMetadata }: OutputOptions,
  limits: ImageLimits,
): Promise<Uint8Array> {
  if (metadata === "none") return jpeg;
  const exif = image.exif ?? (image.type === "jpeg" ? undefined : await readExif(bytes, image, limits));
  const kept = exif && (metadata === "keep" ? uprightExif(exif) : copyrightExif(exif));
  return kept ? insertExif(jpeg, kept) : jpeg;
}

/** Whether the output depends on pixels; otherwise the last operation and the encoding are one pipeline. */
function needsPixels(
  { size, hasAlpha }: Drawn,
  wanted: Pick<OutputRequest, "type" | "frames" | "accept">,
  options: OutputOptions,
  limits: ImageLimits,
): boolean {
  // A description needs no encoding, but a picture that can be decoded.
  if (options.format === "json") return true;
  if (hasAlpha !== undefined) return false;
  const [transparent, other] = [true, false].map((alpha) =>
    outputFormat(options, { ...wanted, ...size, hasAlpha: alpha }, limits),
  );
  // sharp would flatten before its other operations.
  return transparent?.type !== other?.type || transparent?.type === "jpeg";
}

/** JPEG has no transparency: what is under transparent pixels is white without another color (`observed`). */
function opaque(background: Color | undefined): Color {
  return background?.alpha === 1 ? background : white;
}

function describe(
  bytes: Uint8Array,
  image: RasterImage,
  size: Size,
  warnings: readonly string[],
): Result<Rendering> {
  const format = contentTypes[image.type];
  const description: ImageDescription = {
    ...size,
    original: { file_size: bytes.length, width: image.width, height: image.height, format },
  };
  return deliver(Buffer.from(JSON.stringify(description)), "application/json", size, 1, true, warnings);
}

/** The options without effect, or with another one: sentences without a stop, each once. */
function warningsOf(operations: readonly Operation[]): string[] {
  const sentences = operations.flatMap((operation) =>
    "transform" in operation ? warningsOfOptions(operation.transform) : warningsOf(operation.draw.operations),
  );
  return [...new Set(sentences)];
}
