/** Waits until the user stops a command that serves something. */

/** Resolves when the signal is aborted. */
export function waitForStop(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
