/** Waits by the global timer, which the fake timers of a test replace. */

/** Resolves after a time, or as soon as the signal is aborted. The timer keeps no process alive after that. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms === 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
