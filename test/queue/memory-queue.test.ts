import { describe, expect, test } from "vitest";
import { createMemoryQueue } from "../../src/queue/memory-queue.ts";
import { queueContract } from "../../src/testing/contract/queue/queue-contract.ts";

describe("the queue in memory keeps the contract", () => {
  for (const { name, run } of queueContract)
    test(name, () =>
      expect(
        run(async (ackWaitMs) => {
          const queue = createMemoryQueue({ ackWaitMs });
          // One queue, whose clients are closed one by one.
          return async () => {
            const closed = new AbortController();
            const { signal } = closed;
            const assertOpen = async () => signal.throwIfAborted();
            return {
              ...queue,
              put: (...given) => assertOpen().then(() => queue.put(...given)),
              take: ({ signal: given = signal, ...options } = {}) =>
                queue.take({ ...options, signal: AbortSignal.any([given, signal]) }),
              status: () => assertOpen().then(() => queue.status()),
              close: async () => closed.abort(new TypeError("the queue is closed")),
            };
          };
        }),
      ).resolves.toBeUndefined(),
    );
});

test("closing ends the wait for a message", async () => {
  const queue = createMemoryQueue();
  const waiting = queue.take({ waitMs: 60_000 });
  await queue.close();
  await expect(waiting).rejects.toThrow(TypeError);
});

test("a closed queue rejects every function, and invalid options are a RangeError", async () => {
  const queue = createMemoryQueue();
  await queue.put(new Uint8Array(1));
  const taken = await queue.take();
  await queue.close();
  const uses = [queue.put(new Uint8Array()), queue.take(), queue.status(), queue.dead(), queue.revive("1")];
  for (const use of [...uses, queue.drop("1"), taken?.done()]) await expect(use).rejects.toThrow(TypeError);
  expect(() => createMemoryQueue({ ackWaitMs: 0 })).toThrow(RangeError);
});
