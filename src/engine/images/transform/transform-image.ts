/**
 * Transforms an image by the options of an address, of `fetch` in a Worker or of the Images binding
 * (`docs/interface/images.md`, Transformations). Everything that can be rejected is rejected before a pixel is decoded.
 */
import { failure, type Result, success } from "../../../core/result.ts";
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import type { Size } from "../render/geometry.ts";
import type { RasterImage } from "../render/raster-image.ts";
import { checkInput, checkOutput, withExif } from "../render/render.ts";
import {
  deliver,
  explainRenderError,
  openOriginal,
  type Rendering,
  writtenFrames,
} from "../render/rendering.ts";
import { defaultMetadata } from "../render/variant.ts";
import { contentTypes } from "../sniff.ts";
import { type Color, white } from "./color.ts";
import { type Drawn, renderFrames, settleDrawn } from "./frames.ts";
import { type Operation, planOperations, prepareOperations } from "./operations.ts";
import { type TransformOptionName, transformOptions } from "./options.ts";
import { encodeAs, isAnimated, type OutputOptions, type OutputRequest, outputFormat } from "./output.ts";
import { boxOf, lacksSide, maxDensity } from "./transform-geometry.ts";

/** The request that an image is transformed for. */
export interface TransformContext {
  /** The request's `Accept` header, for the format `auto`. */
  readonly accept?: string | undefined;
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ImageLimits> | undefined;
}

/** A transformed image. */
export interface TransformedImage extends Rendering {
  /** The differences from the request, in the words of the provider where it has some. */
  readonly warnings: readonly string[];
}

/** The description of `format=json` (members of the vendor's local mock). */
interface ImageDescription extends Size {
  readonly original: Size & { readonly file_size: number; readonly format: string };
}

/**
 * Transforms an image.
 *
 * @param operations in this order
 * @param options how it is written
 * @returns the image, or the first problem: 9401 options that the image cannot have, 9412 not an accepted image, 9413 too
 * many pixels in or out, 9422 undecodable, 9516 decodable but not transformable
 */
export async function transformImage(
  bytes: Uint8Array,
  operations: readonly Operation[],
  options: OutputOptions,
  context: TransformContext = {},
): Promise<Result<TransformedImage>> {
  const limits = resolveImageLimits(context.limits);
  const opened = await openOriginal(bytes, limits);
  if (!opened.ok) return opened;
  const image = opened.value;
  if (image.type === "svg") {
    const delivered = deliver(Buffer.from(image.svg), contentTypes.svg, image, 1, false);
    return success({ ...delivered.value, warnings: [] });
  }
  const tooLarge = checkInput(image, limits);
  if (tooLarge) return failure(tooLarge);
  const warnings = warningsOf(operations);
  if (image.frames > 1 && image.pixels > limits.transformedAnimationPixels) {
    const delivered = deliver(bytes, contentTypes[image.type], image, image.frames, false);
    return success({ ...delivered.value, warnings });
  }
  const frames = framesOf(image, options);
  const planned = planOperations(image, operations, limits);
  if ("code" in planned) return failure(planned);
  const tooLargeOutput = checkOutput(planned, frames, limits);
  if (tooLargeOutput) return failure(tooLargeOutput);
  return render(bytes, image, options, { ...context, operations, limits, frames, warnings });
}

/** An image through its steps, with all that its encoding needs. */
interface RenderRequest extends TransformContext {
  readonly operations: readonly Operation[];
  readonly limits: ImageLimits;
  readonly frames: number;
  readonly warnings: readonly string[];
}

/** The frames that stay: those of an animation, if its format can have several. */
function framesOf(image: RasterImage, { anim = true, format }: OutputOptions): number {
  const follows = format === undefined || format === "auto" || format === "svg";
  return anim && isAnimated(image.type) && (follows || format === "gif" || format === "webp")
    ? image.frames
    : 1;
}

async function render(
  bytes: Uint8Array,
  image: RasterImage,
  options: OutputOptions,
  request: RenderRequest,
): Promise<Result<TransformedImage>> {
  const { limits, frames, warnings } = request;
  try {
    const operations = await prepareOperations(request.operations, limits);
    if ("code" in operations) return failure(operations);
    const drawn = await renderFrames(bytes, { ...image, frames }, operations, limits);
    if ("code" in drawn) return failure(drawn);
    const wanted = { type: image.type, frames, accept: request.accept };
    const { picture, size, hasAlpha, timing } = needsPixels(drawn, wanted, options, limits)
      ? await settleDrawn(drawn.picture, limits)
      : drawn;
    if (options.format === "json") return describe(bytes, image, size, warnings);
    const format = outputFormat(options, { ...wanted, ...size, hasAlpha: hasAlpha === true }, limits);
    const flat =
      format.type === "jpeg" && hasAlpha
        ? picture.flatten({ background: opaque(options.background) })
        : picture;
    const encoded = await encodeAs(flat, format.type, options, size, timing).toBuffer();
    const output =
      format.type === "jpeg" ? withExif(encoded, image.exif, options.metadata ?? defaultMetadata) : encoded;
    const { type } = format;
    if (type === "rgb" || type === "rgba")
      return success({ ...deliver(output, type, size, 1, true).value, warnings });
    const written = frames > 1 ? writtenFrames(output, type) : 1;
    const delivered = deliver(output, contentTypes[type], size, written, true);
    return success({ ...delivered.value, warnings: [...warnings, ...format.warnings] });
  } catch (error) {
    return explainRenderError(error, bytes, image, limits);
  }
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
  const [one, other] = [true, false].map((alpha) =>
    outputFormat(options, { ...wanted, ...size, hasAlpha: alpha }, limits),
  );
  // sharp would flatten before its other operations.
  return one?.type !== other?.type || one?.type === "jpeg";
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
): Result<TransformedImage> {
  const format = contentTypes[image.type];
  const description: ImageDescription = {
    ...size,
    original: { file_size: bytes.length, width: image.width, height: image.height, format },
  };
  const delivered = deliver(Buffer.from(JSON.stringify(description)), "application/json", size, 1, true);
  return success({ ...delivered.value, warnings });
}

/** The options without effect, or with another one: sentences without a stop, each once. */
export function warningsOf(operations: readonly Operation[]): string[] {
  return [...new Set(operations.flatMap(warningsOfOne))];
}

function warningsOfOne(operation: Operation): string[] {
  if (!("transform" in operation)) return operation.draw.operations.flatMap(warningsOfOne);
  const options = operation.transform;
  const warnings: string[] = [];
  for (const name of Object.keys(options) as TransformOptionName[])
    if (transformOptions[name].fidelity === "none") warnings.push(`${name} is not simulated`);
  if (options.gravity === "face") warnings.push("gravity=face is not simulated");
  if (options.upscale === "generate") warnings.push("upscale=generate is not simulated");
  if ((options.dpr ?? 1) > maxDensity) warnings.push("dpr > 3 should never be used");
  const box = boxOf(options);
  if (box && lacksSide(box)) warnings.push(`${box.fit} fit mode needs both width and height`);
  return warnings;
}
