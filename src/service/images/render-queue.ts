/** Renders a limited number of images at a time; a limited number wait. */
import { createSemaphore } from "../../core/semaphore.ts";
import { ApiError, problem } from "../../errors.ts";
import type { Limits } from "../limits.ts";

export interface RenderQueue {
  /** Runs the work as soon as it may. @throws {ApiError} 9522 when too many wait */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createRenderQueue({ concurrentRenders, queuedRenders }: Limits): RenderQueue {
  const rendering = createSemaphore(concurrentRenders);
  return {
    run: async (work) => {
      if (!rendering.isFull(queuedRenders)) return rendering.run(work);
      const message = `At most ${queuedRenders} renderings may wait; the queue is full, try again later.`;
      throw new ApiError(problem(9522, message));
    },
  };
}
