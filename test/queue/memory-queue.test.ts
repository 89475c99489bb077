import { describe, expect, test } from "vitest";
import { createMemoryQueue } from "../../src/queue/memory-queue.ts";
import { queueContract } from "../../src/testing/contract/queue/queue-contract.ts";

describe("the queue in memory keeps the contract", () => {
  for (const { name, run } of queueContract)
    test(name, () =>
      run(async (ackWaitMs) => {
        const queue = createMemoryQueue({ ackWaitMs });
        const clients = new Set<symbol>();
        // One queue, whose clients are closed one by one.
        return async () => {
          const client = Symbol("client");
          clients.add(client);
          const assertOpen = async () => {
            if (!clients.has(client)) throw new TypeError("the queue is closed");
          };
          return {
            ...queue,
            put: (...given) => assertOpen().then(() => queue.put(...given)),
            take: (...given) => assertOpen().then(() => queue.take(...given)),
            status: () => assertOpen().then(() => queue.status()),
            close: async () => void clients.delete(client),
          };
        };
      }),
    );
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
