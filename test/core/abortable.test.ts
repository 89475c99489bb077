/** Sources that end when a signal is aborted, and leave nothing behind on a signal that many of them share. */
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { abortable } from "../../src/core/abortable.ts";

async function* numbers() {
  yield 1;
  yield 2;
}

async function* faulty() {
  yield 1;
  throw new Error("the source failed");
}

const silent: AsyncIterable<number> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
};

async function collect(source: AsyncIterable<number>, signal?: AbortSignal): Promise<number[]> {
  const found: number[] = [];
  for await (const value of abortable(source, signal)) found.push(value);
  return found;
}

test("the values of a source, with and without a signal", async () => {
  expect(await collect(numbers())).toEqual([1, 2]);
  expect(await collect(numbers(), new AbortController().signal)).toEqual([1, 2]);
});

test("a silent source ends with the reason of the signal, also of one that is aborted before", async () => {
  const stop = new AbortController();
  const waiting = collect(silent, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  await expect(collect(numbers(), stop.signal)).rejects.toThrow("stopped");
});

test("a signal has no listener of a source that ended, failed, was left or was aborted", async () => {
  const stop = new AbortController();
  const { signal } = stop;
  await collect(numbers(), signal);
  await expect(collect(faulty(), signal)).rejects.toThrow("the source failed");
  for await (const _ of abortable(numbers(), signal)) break;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  const waiting = collect(silent, signal);
  await Promise.resolve();
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  stop.abort();
  await expect(waiting).rejects.toThrow();
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
