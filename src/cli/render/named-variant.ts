/** The variants and transformations of `edgeproof images render`. */
import type { Result } from "../../core/result.ts";
import { planVariant } from "../../engine/images/render/render.ts";
import type { VariantOptions } from "../../engine/images/render/variant.ts";
import { parseTransformation } from "../../engine/images/request/parse-transformation.ts";
import { planPicture } from "../../engine/images/request/transform-picture.ts";
import type { PlannedImage } from "../../engine/images/transform/transform-image.ts";
import { UsageError } from "../command.ts";

/** A variant or a transformation, and its name for names of files. */
export interface NamedVariant {
  /** Undefined for the one that the options describe. */
  readonly name: string | undefined;
  /** Whether the picture must be accepted as an upload: the sources of transformations are not uploaded. */
  readonly isOfUploads: boolean;
  /** Whether the outputs are pictures, and not descriptions of them. */
  readonly isPicture: boolean;
  /** Plans the rendering of a picture for an `Accept` header. */
  readonly plan: (bytes: Uint8Array, accept: string | undefined) => Promise<Result<PlannedImage>>;
}

/** A variant. */
export function variantOf(name: string | undefined, options: VariantOptions): NamedVariant {
  return {
    name,
    isOfUploads: true,
    isPicture: true,
    plan: (bytes, accept) => planVariant(bytes, options, { accept }),
  };
}

/** The transformation of `--options`. @throws {UsageError} with every problem, and its place in the list */
export function transformationOf(list: string): NamedVariant {
  const parsed = parseTransformation(list);
  if (!parsed.ok) {
    const lines = parsed.problems.map(
      ({ message, span }) => `${span ? `character ${span.start + 1}: ` : ""}${message}`,
    );
    throw new UsageError(`--options: ${lines.join("\n  ")}`);
  }
  return {
    name: undefined,
    isOfUploads: false,
    isPicture: parsed.value.options.format !== "json",
    // The list itself: its unknown names are warnings of every rendering.
    plan: (bytes, accept) => planPicture(bytes, list, { accept }),
  };
}
