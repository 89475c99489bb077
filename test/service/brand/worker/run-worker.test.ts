/** The loop of a worker over a queue and a store in memory: outcomes, turns, outages, and the end. */
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { createEdge, type Edge } from "../../../../src/edge.ts";
import { DependencyUnavailableError } from "../../../../src/errors.ts";
import { createMemoryQueue } from "../../../../src/queue/memory-queue.ts";
import type { Delivery, WorkQueue } from "../../../../src/queue/port.ts";
import { createPublisher } from "../../../../src/service/brand/worker/publisher.ts";
import { removeLeftPictures } from "../../../../src/service/brand/worker/queued-pictures.ts";
import { runWorker } from "../../../../src/service/brand/worker/run-worker.ts";
import type { WorkerEvent, WorkerOptions } from "../../../../src/service/brand/worker/worker-options.ts";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.ts";
import { drawPng } from "../../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../../engine/logo/drawings.ts";
import { deferred, turns } from "../../../support/deferred.ts";

const wing = drawPng(drawings["wing"]!, { side: 48 });
const image_data = Buffer.from(wing).toString("base64");
/** Pictures that differ. */
const shot = (i: number) => drawPng(drawings["stairs"]!, { side: 40, foreground: [i, 60, 90] });

async function watchedEdge(): Promise<Edge> {
  const edge = createEdge({ world: { accounts: [{ id: "a1" }, { id: "a2" }] } });
  await edge.brand.logos.queries.create("a1", { tag: "l", similarity_threshold: 0.9, image_data });
  return edge;
}

/** Runs a worker until nothing waits in the queue. */
async function workAll(queue: WorkQueue, edge: Edge, options: Partial<WorkerOptions> = {}) {
  const stop = new AbortController();
  const events: WorkerEvent[] = [];
  const onEvent = (event: WorkerEvent) => {
    events.push(event);
    options.onEvent?.(event);
  };
  const running = runWorker({ queue, edge, signal: stop.signal, ...options, onEvent });
  await vi.waitFor(
    async () => {
      const { waiting, taken } = await queue.status();
      expect(waiting + taken).toBe(0);
    },
    { timeout: 20_000, interval: 10 },
  );
  stop.abort();
  return { report: await running, events };
}

const scans = (edge: Edge, account: string) => edge.store.read((tx) => tx.find("brand_logo_scans", account));

test("a message for an account without settings is set aside, for one of a newer version it is kept", async () => {
  const server = await watchedEdge();
  const { store } = server;
  const worker = createEdge({ store, accountSettings: "read" });
  const queue = createMemoryQueue();
  await createPublisher({ queue }).put(["a1"], { image: wing });
  const record = (await store.read((tx) => tx.get("brand_settings", "brand", "a1")))!;
  await store.write((tx) => tx.replace("brand_settings", { ...record, descriptor_version: 99 }));
  const restore = () => store.write((tx) => tx.replace("brand_settings", record));
  const onEvent = (event: WorkerEvent) => {
    if (event.type === "outage") void restore();
  };
  const { report, events } = await workAll(queue, worker, { onEvent, maxTries: 1 });
  expect(report).toEqual({ done: 1, failed: 0, dead: 0 });
  expect(events[0]).toMatchObject({
    type: "outage",
    reason: expect.stringContaining("was written with descriptor version 99"),
  });
  await store.write((tx) => tx.delete("brand_settings", "brand", "a1"));
  await createPublisher({ queue }).put(["a1"], { image: shot(1) });
  const later = createEdge({ store, accountSettings: "read" });
  expect((await workAll(queue, later)).report.dead).toBe(1);
  expect((await queue.dead(1))[0]!.reason).toContain("Account `a1` has no stored settings");
});

test("a picture that one account does not take is stored for the others, and set aside with the reason", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  const { store } = edge;
  const record = (await store.read((tx) => tx.get("brand_settings", "brand", "a1")))!;
  await store.write((tx) => tx.replace("brand_settings", { ...record, max_bytes: 10 }));
  await createPublisher({ queue }).put(["a1", "a2"], { image: wing });
  const worker = createEdge({ store, accountSettings: "read" });
  await workAll(queue, worker);
  expect((await queue.dead(1))[0]?.reason).toBe("Account `a1`: The image must be at most 10 bytes.");
  expect([(await scans(edge, "a1")).length, (await scans(edge, "a2")).length]).toEqual([0, 1]);
});

async function queuedKeys(edge: Edge) {
  const keys: string[] = [];
  for await (const key of edge.store.blobs.keys("queue/")) keys.push(key);
  return keys;
}

test("a picture is described once, stored for each account, and matched", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  const publisher = createPublisher({ queue, clock: () => 1_000 });
  const record = { domain: "Shop.example", url_scan_id: "s1", image: wing };
  expect(await publisher.put(["a2", "a1"], record)).toEqual({ ok: true, value: { isNew: true } });
  expect(await publisher.put(["a1", "a2", "a1"], record)).toEqual({ ok: true, value: { isNew: false } });
  const { report, events } = await workAll(queue, edge);
  expect(report).toEqual({ done: 1, failed: 0, dead: 0 });
  const steps = events.flatMap((event) => (event.type === "step" ? [event.step] : []));
  expect(steps).toEqual(["describe", "store", "store"]);
  expect(events.at(-1)).toMatchObject({ type: "done", fresh: 2, matches: 1, tries: 0 });
  for (const account of ["a1", "a2"])
    expect(await scans(edge, account)).toMatchObject([
      { domain: "shop.example", url_scan_id: "s1", matched_at: 1_000 },
    ]);
  // Published again, it is known everywhere: not described, not stored.
  await publisher.put(["a1", "a2"], record);
  const again = await workAll(queue, edge);
  expect(again.events.map(({ type }) => type)).toEqual(["done"]);
  expect(again.events[0]).toMatchObject({ fresh: 0, matches: 0 });
});

test("a picture that is too large for a message waits in the store, and is removed when it is done", async () => {
  const [queue, edge] = [createMemoryQueue({ maxBytes: 300 }), await watchedEdge()];
  const rejected = await createPublisher({ queue }).put(["a1"], { image: wing });
  expect(rejected.ok || rejected.problems[0].message).toMatch(/must be at most 300 bytes; found \d+/);
  const publisher = createPublisher({
    queue: createMemoryQueue({ maxBytes: 500 }),
    openStore: async () => edge.store,
  });
  expect((await publisher.put(["a1"], { image: wing })).ok).toBe(true);
  expect(await queuedKeys(edge)).toHaveLength(1);
  // The same picture for the same account waits already.
  expect(await publisher.put(["a1"], { image: wing })).toEqual({ ok: true, value: { isNew: false } });
  expect(await queuedKeys(edge)).toHaveLength(1);
});

test("the picture of a reference is removed when it is done, and stays while the message is set aside", async () => {
  const [queue, edge] = [createMemoryQueue({ maxBytes: 500 }), await watchedEdge()];
  const publisher = createPublisher({ queue, openStore: async () => edge.store });
  await publisher.put(["a1"], { image: wing });
  await publisher.put(["a3"], { image: wing });
  expect((await workAll(queue, edge)).report).toEqual({ done: 1, failed: 0, dead: 1 });
  expect(await queuedKeys(edge)).toHaveLength(1);
  const [letter] = await queue.dead();
  expect(letter?.reason).toBe("There is no account `a3`.");
  const later = Date.now() + 1;
  expect(await removeLeftPictures(edge.store, queue, "work", later)).toBe(0);
  await queue.drop(letter!.id);
  expect(await removeLeftPictures(edge.store, queue, "other", later)).toBe(0);
  expect(await removeLeftPictures(edge.store, queue, "work")).toBe(0);
  expect(await removeLeftPictures(edge.store, queue, "work", later)).toBe(1);
  expect(await queuedKeys(edge)).toEqual([]);
});

test("pictures without a message are not removed while something waits", async () => {
  const [queue, edge] = [createMemoryQueue({ maxBytes: 500 }), await watchedEdge()];
  await createPublisher({ queue, openStore: async () => edge.store }).put(["a1"], { image: wing });
  expect(await removeLeftPictures(edge.store, queue, "work", Date.now() + 1)).toBe(0);
  const taken = await queue.take();
  expect(await removeLeftPictures(edge.store, queue, "work", Date.now() + 1)).toBe(0);
  await taken?.done();
  expect(await removeLeftPictures(edge.store, queue, "work", Date.now() + 1)).toBe(1);
});

test("pictures of messages that are delivered again or set aside while they are looked for are not removed", async () => {
  const [queue, edge] = [createMemoryQueue({ maxBytes: 500 }), await watchedEdge()];
  const later = Date.now() + 60_000;
  const left = (changed: Partial<WorkQueue>) =>
    removeLeftPictures(edge.store, { ...queue, ...changed }, "work", later);
  await createPublisher({ queue, openStore: async () => edge.store }).put(["a1"], { image: wing });
  await (await queue.take())?.bury("odd");
  const status = async () => {
    const before = await queue.status();
    await queue.revive((await queue.dead())[0]?.id ?? "");
    return before;
  };
  expect(await left({ status })).toBe(0);
  const taken = await queue.take();
  const limits: unknown[] = [];
  const dead = async (limit?: number) => {
    limits.push(limit);
    const before = await queue.dead(limit);
    await taken?.bury("odd");
    return before;
  };
  expect(await left({ dead })).toBe(0);
  expect([await left({}), (await queuedKeys(edge)).length]).toEqual([0, 1]);
  // The bodies of all are in memory.
  expect(limits).toEqual([100]);
  for (let i = 0; i < 100; i++) {
    await queue.put(Buffer.from(`${i}`));
    await (await queue.take())?.bury("odd");
  }
  const [letter] = await queue.dead();
  await queue.drop(letter!.id);
  expect(await left({})).toBe(1);
});

test("a message whose picture is missing or another one is set aside with the reason", async () => {
  const [queue, edge] = [createMemoryQueue({ maxBytes: 500 }), await watchedEdge()];
  const publisher = createPublisher({ queue, openStore: async () => edge.store });
  await publisher.put(["a1"], { image: wing });
  const [key] = await queuedKeys(edge);
  await edge.store.blobs.put(key!, shot(1));
  await workAll(queue, edge);
  await publisher.put(["a2"], { image: wing });
  for (const each of await queuedKeys(edge)) await edge.store.blobs.delete(each);
  await workAll(queue, edge);
  expect((await queue.dead()).map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^The picture must have \d+ bytes|^The SHA-256 hash/),
    expect.stringContaining("must use the same store"),
  ]);
});

test("a message that is delivered again after its picture was stored and removed is done", async () => {
  const [queue, edge] = [createMemoryQueue({ maxBytes: 500 }), await watchedEdge()];
  const publisher = createPublisher({ queue, openStore: async () => edge.store });
  const record = { image: wing, domain: "shop.example", matched_at: "2026-01-01T00:00:00Z" };
  await publisher.put(["a1"], record);
  const taken = await queue.take();
  const { body } = taken!;
  await taken!.retry({ counts: false });
  expect((await workAll(queue, edge)).report).toEqual({ done: 1, failed: 0, dead: 0 });
  expect(await queuedKeys(edge)).toEqual([]);
  await queue.put(body);
  const { report, events } = await workAll(queue, edge);
  expect(report).toEqual({ done: 1, failed: 0, dead: 0 });
  expect(events.at(-1)).toMatchObject({ type: "done", fresh: 0, matches: 0 });
  // For an account that has not stored it, it is missing, although the store has the same picture of another account.
  await queue.put(Buffer.from(Buffer.from(body).toString().replace('["a1"]', '["a1","a2"]')));
  expect((await workAll(queue, edge)).report).toEqual({ done: 0, failed: 0, dead: 1 });
  expect(await scans(edge, "a2")).toEqual([]);
});

test.each([
  ["no picture", { image: new Uint8Array([1, 2, 3]) }, "must be PNG"],
  ["no bytes", { image: new Uint8Array() }, "found no bytes"],
  ["a malformed domain", { image: wing, domain: "a b" }, "host name"],
  ["a malformed time", { image: wing, matched_at: "today" }, "RFC 3339"],
  ["very long facts", { image: wing, registrar: "x".repeat(20_000) }, "at most 16384 bytes"],
])("the publisher rejects %s", async (_name, record, reason) => {
  const queue = createMemoryQueue();
  const outcome = await createPublisher({ queue }).put(["a1"], record);
  expect(outcome.ok || outcome.problems[0].message).toContain(reason);
  expect((await queue.status()).waiting).toBe(0);
});

test("a publisher needs 1 to 100 accounts and a queue name for keys", async () => {
  const queue = createMemoryQueue();
  const publisher = createPublisher({ queue });
  await expect(publisher.put([], { image: wing })).rejects.toThrow(RangeError);
  await expect(
    publisher.put(
      Array.from({ length: 101 }, (_, i) => `a${i}`),
      { image: wing },
    ),
  ).rejects.toThrow(/1 to 100 accounts; found 101/);
  expect(() => createPublisher({ queue, queueName: "a/b" })).toThrow(RangeError);
});

test("workers share a lookback: its parts are put on the queue, once, and every picture is searched", async () => {
  const store = createMemoryStore();
  const server = createEdge({ store, limits: { lookbackAtOnce: 2, lookbackPiece: 7 } });
  for (let i = 0; i < 70; i++)
    await server.brand.pictures.observe(["a1"], {
      image: i % 7 === 0 ? wing : shot(1),
      domain: `p${i}.example`,
    });
  await server.brand.logos.queries.create("a1", { tag: "l", similarity_threshold: 0.9, image_data });
  // The server ends; its lookback is left to the workers.
  await server.brand.lookbacks.stop();
  const queue = createMemoryQueue();
  const workers = [1, 2].map(() => createEdge({ store, accountSettings: "read" }));
  const stop = new AbortController();
  const running = workers.map((edge) => runWorker({ queue, edge, signal: stop.signal }));
  await vi.waitFor(
    async () => {
      const query = await store.read((tx) => tx.get("brand_logo_queries", "a1", "1"));
      expect(query?.lookback).toMatchObject({ state: "done", searched: 70 });
    },
    { timeout: 30_000, interval: 50 },
  );
  stop.abort();
  const reports = await Promise.all(running);
  expect(reports.reduce((sum, { done }) => sum + done, 0)).toBeGreaterThan(0);
  expect(await store.read((tx) => tx.count("brand_logo_matches", "a1"))).toBe(10);
  expect(await queue.status()).toMatchObject({ waiting: 0, taken: 0, dead: 0 });
});

/** An edge whose next writes fail. */
function failing(edge: Edge, failures: readonly (Error | undefined)[]): Edge {
  const left = [...failures];
  const observe: Edge["brand"]["pictures"]["observe"] = async (...given) => {
    const error = left.shift();
    if (error) throw error;
    return edge.brand.pictures.observe(...given);
  };
  return { ...edge, brand: { ...edge.brand, pictures: { ...edge.brand.pictures, observe } } };
}

test("an outage of the store uses up no try, however often it occurs", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  const outage = new DependencyUnavailableError("the database is unavailable");
  const cut = failing(edge, Array(8).fill(outage));
  const { report, events } = await workAll(queue, cut, { maxTries: 2, maxPauseMs: 10 });
  expect(report).toEqual({ done: 1, failed: 0, dead: 0 });
  expect(events.filter(({ type }) => type === "outage")).toHaveLength(8);
  expect(events.at(-1)).toMatchObject({ type: "done", tries: 0 });
});

test("the pauses of an outage of the store grow although the queue delivers", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  const outage = new DependencyUnavailableError("the database is unavailable");
  const times: number[] = [];
  const onEvent = ({ type }: WorkerEvent) => type === "outage" && times.push(performance.now());
  await workAll(queue, failing(edge, Array(5).fill(outage)), { onEvent, slots: 1 });
  // 50 ms, doubled each time; a pause is at least half as long.
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(370);
});

test("an error is tried again, and after the last try the message is set aside with it", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  const broken = failing(edge, [new Error("first"), new Error("second")]);
  const { report, events } = await workAll(queue, broken, { maxTries: 2 });
  expect(report).toEqual({ done: 0, failed: 1, dead: 1 });
  expect(events.map((event) => ("reason" in event ? event.reason : ""))).toEqual([
    "first",
    "2 tries failed; the last one: second",
  ]);
});

/** Changes what the queue delivers. */
function delivering(queue: WorkQueue, change: (delivery: Delivery) => Delivery): WorkQueue {
  return {
    ...queue,
    take: async (options) => {
      const delivery = await queue.take(options);
      return delivery && change(delivery);
    },
  };
}

test("an acknowledgement that cannot be sent is sent when the queue is back", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  let failures = 3;
  const cut = delivering(queue, (delivery) => ({
    ...delivery,
    done: async () => {
      if (failures-- > 0) throw new DependencyUnavailableError("no route");
      return delivery.done();
    },
  }));
  const { report } = await workAll(cut, edge, { maxPauseMs: 10 });
  expect([report.done, failures]).toEqual([1, -1]);
});

test("an acknowledgement that fails is reported, and the message is delivered again", async () => {
  const [queue, edge] = [createMemoryQueue({ ackWaitMs: 60 }), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  let failures = 1;
  const odd = delivering(queue, (delivery) => ({
    ...delivery,
    done: async () => {
      if (failures-- > 0) throw new Error("sequence 29 not found");
      return delivery.done();
    },
  }));
  const { report, events } = await workAll(odd, edge, { ackWaitMs: 60 });
  expect(report).toEqual({ done: 1, failed: 1, dead: 0 });
  expect(events.find(({ type }) => type === "failed")).toMatchObject({
    reason: "The queue has failed: sequence 29 not found",
  });
});

test("a message that was delivered before runs alone, and a second one is put back meanwhile", async () => {
  const [queue, edge] = [createMemoryQueue({ ackWaitMs: 100 }), await watchedEdge()];
  const publisher = createPublisher({ queue });
  for (let i = 0; i < 12; i++) await publisher.put(["a1"], { image: shot(i) });
  // Three deliveries of a worker that was killed.
  for (let i = 0; i < 3; i++) await queue.take();
  await expect.poll(async () => (await queue.status()).taken, { interval: 5 }).toBe(0);
  let running = 0;
  const together: number[] = [];
  const alone: number[] = [];
  const overlapping = deferred();
  const tries = new Map<string, number>();
  const watched = delivering(queue, (delivery) => {
    tries.set(delivery.key ?? "", delivery.tries);
    return delivery;
  });
  const observe: Edge["brand"]["pictures"]["observe"] = async (accounts, record, options) => {
    running++;
    const isRetried = retried(record);
    if (running > 1) overlapping.resolve();
    if (isRetried) await turns();
    else await overlapping.promise;
    (isRetried ? alone : together).push(running);
    const outcome = await edge.brand.pictures.observe(accounts, record, options);
    running--;
    return outcome;
  };
  const retriedImages = [0, 1, 2].map((i) => Buffer.from(shot(i)).toString("hex"));
  const retried = (record: unknown) =>
    retriedImages.includes(Buffer.from((record as { image: Uint8Array }).image).toString("hex"));
  const slow = { ...edge, brand: { ...edge.brand, pictures: { ...edge.brand.pictures, observe } } };
  const { report } = await workAll(watched, slow, { slots: 4, ackWaitMs: 100 });
  expect(report).toEqual({ done: 12, failed: 0, dead: 0 });
  expect(alone).toEqual([1, 1, 1]);
  expect(Math.max(...together)).toBeGreaterThan(1);
  expect(Math.max(...tries.values())).toBe(1);
});

test("a message that no process finishes is set aside after its last try", async () => {
  const [queue, edge] = [createMemoryQueue({ ackWaitMs: 20 }), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  for (let i = 0; i < 2; i++) {
    await queue.take();
    await expect.poll(async () => (await queue.status()).taken, { interval: 5 }).toBe(0);
  }
  await workAll(queue, edge, { maxTries: 2, ackWaitMs: 20 });
  expect((await queue.dead()).map(({ reason }) => reason)).toEqual([
    expect.stringContaining("2 deliveries were not finished"),
  ]);
  expect(await scans(edge, "a1")).toEqual([]);
});

test("a message is extended while it is worked on, and its work ends when another worker has it", async () => {
  const [queue, edge] = [createMemoryQueue({ ackWaitMs: 90 }), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  const extendedTwice = deferred();
  let extensions = 0;
  let isSlow = true;
  let aborts = 0;
  const observe: Edge["brand"]["pictures"]["observe"] = async (accounts, record, options) => {
    if (isSlow) await extendedTwice.promise;
    options?.signal?.addEventListener("abort", () => aborts++);
    return edge.brand.pictures.observe(accounts, record, options);
  };
  const slow = { ...edge, brand: { ...edge.brand, pictures: { ...edge.brand.pictures, observe } } };
  const extending = delivering(queue, (delivery) => ({
    ...delivery,
    extend: async () => {
      if (++extensions === 2) extendedTwice.resolve();
      return delivery.extend();
    },
  }));
  expect((await workAll(extending, slow, { ackWaitMs: 90 })).events.at(-1)).toMatchObject({
    type: "done",
    tries: 0,
  });
  isSlow = false;
  await createPublisher({ queue }).put(["a2"], { image: wing });
  const stolen = delivering(queue, (delivery) => ({
    ...delivery,
    extend: async () => false,
    done: async () => false,
    retry: async () => false,
  }));
  const stop = new AbortController();
  const events: WorkerEvent[] = [];
  const onEvent = (event: WorkerEvent) => {
    events.push(event);
    stop.abort();
  };
  await runWorker({ queue: stolen, edge: slow, signal: stop.signal, ackWaitMs: 10, onEvent, drainMs: 500 });
  expect(events.filter(({ type }) => type === "late").length).toBeGreaterThan(0);
  expect(events.filter(({ type }) => type === "done")).toEqual([]);
});

test("stopped, a worker finishes what it has and takes no more", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  const publisher = createPublisher({ queue });
  for (let i = 0; i < 5; i++) await publisher.put(["a1"], { image: shot(i) });
  const stop = new AbortController();
  const observe: Edge["brand"]["pictures"]["observe"] = async (...given) => {
    stop.abort();
    return edge.brand.pictures.observe(...given);
  };
  const stopping = { ...edge, brand: { ...edge.brand, pictures: { ...edge.brand.pictures, observe } } };
  const report = await runWorker({ queue, edge: stopping, signal: stop.signal, slots: 1 });
  expect(report.done).toBe(1);
  expect(await queue.status()).toMatchObject({ waiting: 4, taken: 0 });
});

test("a message that is not finished within the time to drain is put back without a try", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  await createPublisher({ queue }).put(["a1"], { image: wing });
  const stop = new AbortController();
  const observe: Edge["brand"]["pictures"]["observe"] = async (_accounts, _record, options) => {
    stop.abort();
    await once(options!.signal!, "abort");
    throw options!.signal!.reason;
  };
  const hanging = { ...edge, brand: { ...edge.brand, pictures: { ...edge.brand.pictures, observe } } };
  const start = performance.now();
  await runWorker({ queue, edge: hanging, signal: stop.signal, drainMs: 50 });
  expect(performance.now() - start).toBeLessThan(5_000);
  expect((await queue.take())?.tries).toBe(0);
});

test("a closed queue and invalid options end the worker with an error", async () => {
  const [queue, edge] = [createMemoryQueue(), await watchedEdge()];
  const { signal } = new AbortController();
  for (const option of [{ slots: 0 }, { slots: 65 }, { maxTries: 0 }, { ackWaitMs: 1.5 }, { queueName: "" }])
    await expect(runWorker({ queue, edge, signal, ...option })).rejects.toThrow(RangeError);
  await queue.close();
  await expect(runWorker({ queue, edge, signal })).rejects.toThrow("the queue is closed");
});
