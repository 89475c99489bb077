/** The contract of queues in memory, and what the other queues report whose packages are not installed. */

import { openJetStreamQueue } from "edgeproof/queues/jetstream";
import { createMemoryQueue } from "edgeproof/queues/memory";
import { queueContract } from "edgeproof/testing/queues";
import { describe, expect, test } from "vitest";

describe("in memory", () => {
  const short = queueContract.filter(({ name }) => name.includes("delivered with their bytes"));
  test.each(short)("$name", ({ run }) =>
    run(async (ackWaitMs) => async () => createMemoryQueue({ ackWaitMs })),
  );
  test("the contract has the case", () => expect(short.length).toBe(1));
});

test("a queue in NATS names the packages that it needs", async () => {
  await expect(openJetStreamQueue({ servers: "127.0.0.1" })).rejects.toThrow(
    "the JetStream queue needs packages that are not installed: npm install @nats-io/transport-node @nats-io/jetstream",
  );
});
