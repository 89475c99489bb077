/** Cuts a feed of any kind into batches, so that a feed of any size is worked off in constant memory. */

/** What a feed may be: one after the other or in arrays, at hand or as it comes. */
export type Feed<T> = Iterable<T | readonly T[]> | AsyncIterable<T | readonly T[]>;

/**
 * The feed's elements in arrays of `size`.
 *
 * @throws the abort reason as soon as `signal` is aborted, even while the feed is silent
 */
export async function* batchesOf<T>(
  feed: Feed<T>,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for await (const item of abortable(feed, signal)) {
    for (const one of Array.isArray(item) ? (item as readonly T[]) : [item as T]) {
      batch.push(one);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function* abortable<T>(feed: Iterable<T> | AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  signal?.throwIfAborted();
  if (!(Symbol.asyncIterator in feed)) return yield* whileWanted(feed, signal);
  if (!signal) return yield* feed;
  const iterator = feed[Symbol.asyncIterator]();
  const wait = waitUntilAborted(signal);
  try {
    for (let next = await wait(iterator.next()); !next.done; next = await wait(iterator.next()))
      yield next.value;
  } finally {
    // Not awaited: a feed that is stuck would hold the abort back.
    void iterator.return?.()?.catch(() => {});
  }
}

function* whileWanted<T>(feed: Iterable<T>, signal: AbortSignal | undefined): Generator<T> {
  for (const item of feed) {
    signal?.throwIfAborted();
    yield item;
  }
}

/** Waits for one promise after another. `Promise.race` with one promise of the signal would keep a trace of every wait. */
function waitUntilAborted(signal: AbortSignal): <T>(promise: Promise<T>) => Promise<T> {
  let abort: ((reason: unknown) => void) | undefined;
  signal.addEventListener("abort", () => abort?.(signal.reason), { once: true });
  return (promise) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      abort = reject;
      promise.then(resolve, reject);
    });
}
