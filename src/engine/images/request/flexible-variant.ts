/**
 * Renders a hosted image by a list of options. Options that a stored variant can have are rendered as a variant, so that
 * both are the same file; the others are a transformation.
 */
import { type Result, success } from "../../../core/result.ts";
import { renderVariant } from "../render/render.ts";
import { fits, type VariantOptions } from "../render/variant.ts";
import type { TransformOptions } from "../transform/options.ts";
import {
  type TransformContext,
  type TransformedImage,
  transformImage,
  warningsOf,
} from "../transform/transform-image.ts";

/** @returns the image in the best format that the client accepts, unless an option names one, or a problem as `transformImage` */
export async function renderFlexible(
  bytes: Uint8Array,
  options: TransformOptions,
  context: TransformContext,
): Promise<Result<TransformedImage>> {
  const operations = [{ transform: options }];
  const variant = asVariant(options);
  if (!variant) return transformImage(bytes, operations, { ...options, format: formatOf(options) }, context);
  const { accept, limits = {} } = context;
  const rendered = await renderVariant(bytes, variant, { accept, limits });
  return rendered.ok ? success({ ...rendered.value, warnings: warningsOf(operations) }) : rendered;
}

/** The format of a list of options: `auto` without one (`observed`). */
export function formatOf({ format = "auto" }: TransformOptions): NonNullable<TransformOptions["format"]> {
  return format;
}

/** The variant with the same result; undefined when none can have it. */
function asVariant({ fit = "scale-down", ...given }: TransformOptions): VariantOptions | undefined {
  const { width, height, metadata, blur, format, ...others } = given;
  const ownFit = fits.find((one) => one === fit);
  const hasBox = typeof width === "number" || height !== undefined;
  if (!ownFit || !hasBox || width === "auto" || formatOf(given) !== "auto") return undefined;
  if (Object.keys(others).length > 0) return undefined;
  return {
    fit: ownFit,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(metadata !== undefined && { metadata }),
    ...(blur !== undefined && { blur }),
  };
}
