/** Pauses between attempts, within a limit of time. */
import { setTimeout as sleep } from "node:timers/promises";

const firstPauseMs = 2;
const longestPauseMs = 100;

export interface Backoff {
  /** Remaining time in milliseconds, at least 0. */
  left(): number;
  /** Waits before the next attempt. Returns false when no time remains. */
  wait(): Promise<boolean>;
}

/** Pauses that grow and vary at random, so that transactions in conflict do not meet again. */
export function createBackoff(totalMs: number): Backoff {
  const end = performance.now() + totalMs;
  let pause = firstPauseMs;
  const left = () => Math.max(0, end - performance.now());
  return {
    left,
    wait: async () => {
      if (left() === 0) return false;
      await sleep(Math.min(left(), pause * (0.5 + Math.random())));
      pause = Math.min(pause * 2, longestPauseMs);
      return true;
    },
  };
}
