/** Long computations in steps of a few milliseconds, run at once or with other work between. */

/** Pixels that are read before other work may run: a few milliseconds. */
export const stepPixels = 1 << 18;

/**
 * A computation that yields after each step: the pixels that it has read since it last did, at most about
 * `stepPixels`; without a number it has read that many.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a bare `yield` has this type
export type Steps<T> = Generator<number | void, T, void>;

/** Runs all steps. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}

/**
 * Runs all steps, and returns to the event loop whenever they have read `stepPixels`.
 *
 * @throws the abort reason when `signal` is aborted
 */
export async function runStepsAsync<T>(
  steps: Steps<T>,
  signal?: Pick<AbortSignal, "throwIfAborted">,
): Promise<T> {
  let pixels = 0;
  for (;;) {
    signal?.throwIfAborted();
    const next = steps.next();
    if (next.done) return next.value;
    pixels += next.value ?? stepPixels;
    if (pixels < stepPixels) continue;
    pixels = 0;
    await new Promise((resume) => setImmediate(resume));
  }
}

/** Does work on rows of so many pixels in steps: calls `work` with the rows of each, `from` to below `to`. */
export function* inRows(
  top: number,
  bottom: number,
  width: number,
  work: (from: number, to: number) => void,
): Steps<void> {
  const rows = Math.max(1, Math.floor(stepPixels / Math.max(1, width)));
  for (let from = top; from < bottom; from += rows) {
    const to = Math.min(bottom, from + rows);
    work(from, to);
    yield (to - from) * width;
  }
}
