/** Memory of decoding, over all requests of a simulator: work waits while the images in it have too many pixels together. */
import { createSemaphore } from "../../core/semaphore.ts";
import type { ImageLimits } from "../../engine/images/limits.ts";
import type { Limits } from "../limits.ts";

/** The size of an image; of an animation all frames are decoded. */
export interface DecodedSize {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

export interface DecodingMemory {
  /** Runs work that decodes an image; larger images than the maximum run alone. */
  run<T>(image: DecodedSize, work: () => Promise<T>): Promise<T>;
}

export function createDecodingMemory({ decodingPixels }: Limits): DecodingMemory {
  const memory = createSemaphore(decodingPixels);
  return { run: ({ width, height, frames }, work) => memory.run(work, width * height * frames) };
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
