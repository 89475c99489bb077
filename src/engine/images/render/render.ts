/** Renders a variant, which is a transformation in the best format that the client accepts (`docs/interface/images.md`, Variants). */

import {
  anyObject,
  aString,
  aUint8Array,
  optional,
  optionsOf,
  requireArguments,
} from "../../../core/arguments.ts";
import { failure, type Result } from "../../../core/result.ts";
import type { ImageLimits } from "../limits.ts";
import { type PlannedImage, planImage } from "../transform/transform-image.ts";
import type { Rendering } from "./rendering.ts";
import { checkVariantOptions, type VariantOptions } from "./variant.ts";

/** The request that a variant is rendered for. */
export interface RenderContext {
  /** The request's `Accept` header; without it the original's format is kept. */
  readonly accept?: string | undefined;
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ImageLimits>;
}

const contextOptions = optionsOf<RenderContext>("renderVariant", {
  accept: optional(aString),
  limits: optional(anyObject),
});

/**
 * Renders a variant of an image. An animation keeps its frames and its EXIF orientation is not applied: sharp does not
 * rotate images of several frames.
 *
 * @returns the rendering, or the first problem: 5400 wrong options (with a pointer), 9412 not an accepted image, 9413
 * too many pixels in or out or too many frames, 9422 undecodable, 9516 decodable but not transformable, 9520 HEIC
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
  context: RenderContext = {},
): Promise<Result<Rendering>> {
  const planned = await planVariant(bytes, options, context);
  return planned.ok ? planned.value.render() : planned;
}

/** Plans a variant, without rendering it. */
export async function planVariant(
  bytes: Uint8Array,
  options: VariantOptions,
  context: RenderContext = {},
): Promise<Result<PlannedImage>> {
  requireArguments({
    bytes: [bytes, aUint8Array],
    context: [context, contextOptions],
  });
  const { accept, limits } = context;
  const [wrongOption] = checkVariantOptions(options, { complete: false });
  if (wrongOption) return failure(wrongOption);
  const { metadata, browser_ttl, ...transform } = options;
  const output = { format: "auto", ...(metadata && { metadata }) } as const;
  return planImage(bytes, [{ transform }], output, { accept, limits });
}
