/** Long computations in steps of a few milliseconds, run at once or with other work between. */

/** A computation that yields after each step. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}

/**
 * Runs all steps, and returns to the event loop after each.
 *
 * @throws the abort reason when `signal` is aborted
 */
export async function runStepsAsync<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const next = steps.next();
    if (next.done) return next.value;
    await new Promise((resume) => setImmediate(resume));
  }
}
