/** Previews: validates and renders files as uploads and delivery do, and stores nothing. */
import { createSemaphore } from "../../../core/semaphore.ts";
import { declaredSize } from "../../../engine/images/declared-size.ts";
import { renderVariant } from "../../../engine/images/render/render.ts";
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

export function previewService({ limits }: ServiceContext, memory: DecodingMemory): PreviewService {
  const waiting = createSemaphore(limits.concurrentRenders);
  const own = engineLimits(limits);
  const run = <T>(bytes: Uint8Array, work: () => Promise<T>): Promise<T> =>
    waiting.run(() => memory.run(declaredSize(bytes), work));
  return {
    validate: async (bytes) => {
      const validated = await run(bytes, () => validateImage(bytes, own));
      if (validated.ok) return validated.value;
      throw new ApiError(...validated.problems);
    },
    render: async (bytes, options, accept) => {
      const rendered = await run(bytes, () => renderVariant(bytes, options, { accept, limits: own }));
      if (rendered.ok) return rendered.value;
      throw new ApiError(...rendered.problems);
    },
  };
}
