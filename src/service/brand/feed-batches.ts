/** Divides a feed of any kind into batches, so that a feed of any length is processed in constant memory. */

import { abortable } from "../../core/abortable.ts";
import { anyIterable, requireArgument } from "../../core/arguments.ts";

/** A feed: records one by one or in arrays, from an iterable or an async stream. */
export type Feed<T> = Iterable<T | readonly T[]> | AsyncIterable<T | readonly T[]>;

/**
 * The records of a feed in arrays of `size`.
 *
 * @throws the abort reason as soon as `signal` is aborted, even while the feed is silent
 */
export async function* batchesOf<T>(
  feed: Feed<T>,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[], void, undefined> {
  requireArgument("feed", feed, anyIterable);
  let batch: T[] = [];
  signal?.throwIfAborted();
  const items = Symbol.asyncIterator in feed ? abortable(feed, signal) : untilAborted(feed, signal);
  for await (const item of items) {
    for (const record of Array.isArray(item) ? (item as readonly T[]) : [item as T]) {
      batch.push(record);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function* untilAborted<T>(feed: Iterable<T>, signal: AbortSignal | undefined): Generator<T> {
  for (const item of feed) {
    signal?.throwIfAborted();
    yield item;
  }
}
