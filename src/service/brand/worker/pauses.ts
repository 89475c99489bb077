/** The pauses of a worker while its store or queue cannot be reached. */
import { setTimeout as sleep } from "node:timers/promises";

/** Pauses that grow while there is no success, over all slots of a worker. */
export interface Pauses {
  /** Waits before the next attempt; at most until the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>;
  /** Something worked: the next pause is short again. */
  reset(): void;
}

const firstMs = 50;

export function createPauses(maxMs: number): Pauses {
  let ms = firstMs;
  return {
    wait: async (signal) => {
      const pause = Math.min(ms, maxMs) * (0.5 + Math.random() / 2);
      ms = Math.min(ms * 2, maxMs);
      await sleep(pause, undefined, { signal }).catch(() => {});
    },
    reset: () => {
      ms = firstMs;
    },
  };
}
