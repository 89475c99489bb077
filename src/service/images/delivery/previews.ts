/** Previews: validates and renders files as uploads and delivery do, and stores nothing. */
import { createSemaphore } from "../../../core/semaphore.ts";
import { declaredPixels } from "../../../engine/images/declared-size.ts";
import { planVariant } from "../../../engine/images/render/render.ts";
import type { Rendering } from "../../../engine/images/render/rendering.ts";
import type { VariantOptions } from "../../../engine/images/render/variant.ts";
import { type ValidatedImage, validateImage } from "../../../engine/images/validate-image.ts";
import { ApiError } from "../../../errors.ts";
import type { ServiceContext } from "../../context.ts";
import { type DecodingMemory, engineLimits } from "../decoding-memory.ts";

/** Checks and renders files that are not stored. */
export interface PreviewService {
  /** Checks a file as an upload. @throws {ApiError} with the code of `validateImage` */
  validate(bytes: Uint8Array): Promise<ValidatedImage>;
  /** Renders a file as delivery does. @throws {ApiError} with the code of `renderVariant` */
  render(bytes: Uint8Array, options: VariantOptions, accept?: string): Promise<Rendering>;
}

export function previewService(
  { limits, settings: { heic } }: ServiceContext,
  memory: DecodingMemory,
): PreviewService {
  const waiting = createSemaphore(limits.concurrentRenders);
  const own = engineLimits(limits);
  return {
    validate: async (bytes) => {
      const work = () => memory.run(declaredPixels(bytes), () => validateImage(bytes, { ...own, heic }));
      const validated = await waiting.run(work);
      if (validated.ok) return validated.value;
      throw new ApiError(...validated.problems);
    },
    render: (bytes, options, accept) =>
      waiting.run(async () => memory.render(await planVariant(bytes, options, { accept, limits: own }))),
  };
}
