/** Memory of decoding, over all requests of a simulator: work waits while the images in it have too many pixels together. */

import type { Result } from "../../core/result.ts";
import { createSemaphore } from "../../core/semaphore.ts";
import type { ImageLimits } from "../../engine/images/limits.ts";
import type { Rendering } from "../../engine/images/render/rendering.ts";
import type { PlannedImage } from "../../engine/images/transform/transform-image.ts";
import { ApiError } from "../../errors.ts";
import type { Limits } from "../limits.ts";

export interface DecodingMemory {
  /** Runs work that has a number of pixels in memory; work with more than the maximum runs alone. */
  run<T>(pixels: number, work: () => Promise<T>): Promise<T>;
  /** Renders a planned image. @throws {ApiError} the problem of the plan or the rendering */
  render(planned: Result<PlannedImage>): Promise<Rendering>;
}

export function createDecodingMemory({ decodingPixels }: Limits): DecodingMemory {
  const memory = createSemaphore(decodingPixels);
  return {
    run: (pixels, work) => memory.run(work, pixels),
    render: async (planned) => {
      if (!planned.ok) throw new ApiError(...planned.problems);
      const { pixels, render } = planned.value;
      const rendered = await memory.run(render, pixels);
      if (!rendered.ok) throw new ApiError(...rendered.problems);
      return rendered.value;
    },
  };
}

/** The limits of the image engine that are options of the simulator. */
export function engineLimits(limits: Limits): Partial<ImageLimits> {
  return {
    uploadBytes: limits.imageUploadBytes,
    baseBytes: limits.imageBaseBytes,
    inputPixels: limits.imageInputPixels,
    inputSide: limits.imageInputSide,
    inputFrames: limits.imageInputFrames,
    outputPixels: limits.imageOutputPixels,
    avifSide: limits.imageAvifSide,
    transformedAnimationPixels: limits.imageTransformedAnimationPixels,
  };
}
