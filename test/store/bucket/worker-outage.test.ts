/** A worker whose bucket goes away keeps its messages without using up tries, and stores their pictures when it is back. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { createMemoryQueue } from "../../../src/queue/memory-queue.ts";
import { createPublisher } from "../../../src/service/brand/worker/publisher.ts";
import { runWorker } from "../../../src/service/brand/worker/run-worker.ts";
import type { WorkerEvent } from "../../../src/service/brand/worker/worker-options.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";
import { startBucketServer } from "../../support/bucket-server.ts";
import { temporaryFolder } from "../open.ts";

const folder = await temporaryFolder();

test("an outage of the bucket uses up no try, and nothing is lost", async () => {
  const server = await startBucketServer();
  const store = await openSqliteStore({ path: join(folder, "edge.db"), blobBucket: server.options });
  const edge = createEdge({ store, world: { accounts: [{ id: "a1" }] } });
  const wing = drawPng(drawings["wing"]!, { side: 48 });
  await edge.brand.logos.queries.create("a1", {
    tag: "l",
    similarity_threshold: 0.9,
    image_data: Buffer.from(wing).toString("base64"),
  });
  const queue = createMemoryQueue();
  await createPublisher({ queue }).put(["a1"], { image: drawPng(drawings["stairs"]!, { side: 40 }) });
  await server.stop();
  const [stop, events] = [new AbortController(), [] as WorkerEvent[]];
  const onEvent = (event: WorkerEvent) => void events.push(event);
  const running = runWorker({ queue, edge, signal: stop.signal, onEvent, maxTries: 1, maxPauseMs: 10 });
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(2), { timeout: 20_000 });
  for (const event of events)
    expect(event).toMatchObject({
      type: "outage",
      reason: expect.stringContaining("the bucket `test-bucket`"),
    });
  await server.start();
  await vi.waitFor(() => expect(events.at(-1)?.type).toBe("done"), { timeout: 20_000 });
  stop.abort();
  expect(await running).toEqual({ done: 1, failed: 0, dead: 0 });
  const [scan] = await store.read((tx) => tx.find("brand_logo_scans", "a1"));
  expect(scan).toBeDefined();
  const keys: string[] = [];
  for await (const key of store.blobs.keys("pictures/")) keys.push(key);
  for (const bytes of await store.blobs.getMany(keys)) expect(bytes).toBeDefined();
  expect(keys.length).toBeGreaterThan(1);
  await edge.close();
  await server.stop();
});
