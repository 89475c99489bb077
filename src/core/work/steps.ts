/** Long computations in steps of a few milliseconds, run at once or with other work between. */

import { nextTurn } from "#next-turn";

/** Work before other work may run: a few milliseconds. A unit of work is that of reading a pixel. */
export const stepWork = 1 << 18;

/**
 * A computation that yields after each step: the work that it has done since it last did, at most about
 * `stepWork`; without a number it has done that much.
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
 * Runs all steps, and returns to the event loop whenever they have done `stepWork`.
 *
 * @throws the abort reason when `signal` is aborted
 */
export async function runStepsAsync<T>(
  steps: Steps<T>,
  signal?: Pick<AbortSignal, "throwIfAborted">,
): Promise<T> {
  let work = 0;
  for (;;) {
    signal?.throwIfAborted();
    const next = steps.next();
    if (next.done) return next.value;
    work += next.value ?? stepWork;
    if (work < stepWork) continue;
    work = 0;
    await nextTurn();
  }
}

/** Does work on rows of so many pixels in steps: calls `work` with the rows of each, `from` to below `to`. */
export function* inRows(
  top: number,
  bottom: number,
  width: number,
  work: (from: number, to: number) => void,
): Steps<void> {
  const rows = Math.max(1, Math.floor(stepWork / Math.max(1, width)));
  for (let from = top; from < bottom; from += rows) {
    const to = Math.min(bottom, from + rows);
    work(from, to);
    yield (to - from) * width;
  }
}

/** Maps items, each with as much work as reading `width` pixels, in steps. */
export function* mapInRows<T, U>(
  items: readonly T[],
  width: number,
  map: (item: T, i: number) => U,
): Steps<U[]> {
  const mapped: U[] = [];
  yield* inRows(0, items.length, width, (from, to) => {
    for (let i = from; i < to; i++) mapped.push(map(items[i] as T, i));
  });
  return mapped;
}
