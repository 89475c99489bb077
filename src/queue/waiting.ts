/** Waits for a message by asking for one again and again. */
import { setTimeout as sleep } from "node:timers/promises";
import { checkTake, type Delivery, type TakeOptions } from "./port.ts";

/**
 * Calls `take` until it returns a message or the wait has passed.
 *
 * @param pollMs pause between two calls, in milliseconds
 */
export async function takeWithin(
  take: () => Promise<Delivery | undefined>,
  options: TakeOptions,
  pollMs: number,
): Promise<Delivery | undefined> {
  checkTake(options);
  const { waitMs = 0, signal } = options;
  const end = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const taken = await take();
    const left = end - performance.now();
    if (taken || left <= 0) return taken;
    await sleep(Math.min(pollMs, left), undefined, { ...(signal && { signal }) }).catch(() => {});
  }
}
