/** Makes the wait for an asynchronous source end when a signal is aborted. */

/**
 * The values of `source`, until `signal` is aborted.
 *
 * @throws the abort reason as soon as `signal` is aborted, even while the source is silent
 */
export async function* abortable<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  if (!signal) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  let abort: ((reason: unknown) => void) | undefined;
  const onAbort = () => abort?.(signal.reason);
  // `Promise.race` with one promise of the signal would keep every value in memory.
  const wait = <V>(promise: Promise<V>) =>
    new Promise<V>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      abort = reject;
      promise.then(resolve, reject);
    });
  signal.addEventListener("abort", onAbort);
  try {
    for (let next = await wait(iterator.next()); !next.done; next = await wait(iterator.next()))
      yield next.value;
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a source that never answers would delay the abort.
    void iterator.return?.()?.catch(() => {});
  }
}
