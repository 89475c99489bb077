/** The queue in JetStream: the contract. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openJetStreamQueue } from "../../../src/queue/jetstream/jetstream-queue.ts";
import { queueContract } from "../../../src/testing/contract/queue/queue-contract.ts";
import { hasNatsServer, startBroker, type TestBroker } from "../../support/nats-server.ts";

describe.skipIf(!hasNatsServer)("the JetStream queue", () => {
  let broker: TestBroker;
  let queues = 0;
  beforeAll(async () => {
    broker = await startBroker();
  });
  afterAll(() => broker?.remove());

  for (const { name, run } of queueContract)
    test(`keeps the contract: ${name}`, () =>
      expect(
        run(async (ackWaitMs) => {
          const place = { servers: broker.url, name: `q${queues++}`, ackWaitMs };
          return () => openJetStreamQueue(place);
        }),
      ).resolves.toBeUndefined());
});
