/** The JetStream queue when the broker is killed, cut off or silent, and when processes are killed or stopped. */
import { setTimeout as sleep } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import { openJetStreamQueue } from "../../../src/queue/jetstream/jetstream-queue.ts";
import type { WorkQueue } from "../../../src/queue/port.ts";
import { startProxy } from "../../store/faults/proxy.ts";
import { hasNatsServer, startBroker, type TestBroker } from "../../support/nats-server.ts";
import { startWorker } from "../worker-process.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (body: Uint8Array) => new TextDecoder().decode(body);
/** Short times, so that an outage is longer than each of them. */
const limits = { connectTimeoutMs: 500, requestTimeoutMs: 500, reconnectMs: 50, pingMs: 100 };
const nothing = { waiting: 0, taken: 0, dead: 0, oldestMs: 0 };

/** Calls a function until the servers can be reached. */
async function insist<T>(use: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof DependencyUnavailableError)) throw error;
      await sleep(20);
    }
  }
}

describe.skipIf(!hasNatsServer)("the JetStream queue", () => {
  let broker: TestBroker;
  let queues = 0;
  beforeAll(async () => {
    broker = await startBroker();
  });
  afterAll(() => broker?.remove());
  const nextPlace = () => ({ servers: broker.url, name: `f${queues++}`, ...limits });

  test("a broker that is killed and started again loses nothing and uses up no tries", async () => {
    const place = { ...nextPlace(), ackWaitMs: 1_000 };
    const texts = Array.from({ length: 150 }, (_, i) => `${i}`);
    const [publisher, ...takers] = await Promise.all([1, 2, 3].map(() => openJetStreamQueue(place)));
    const done: string[] = [];
    let lives = 0;
    const worked = new Set<string>();
    const retried = new Set<string>();
    const tries: number[] = [];
    let hasPublished = false;

    const work = async (queue: WorkQueue) => {
      for (;;) {
        const taken = await insist(() => queue.take({ waitMs: 200 }));
        if (!taken) {
          if (hasPublished && (await insist(() => queue.status())).oldestMs === 0) return;
          continue;
        }
        tries.push(taken.tries);
        await sleep(5);
        const text = textOf(taken.body);
        worked.add(text);
        if (await insist(() => taken.done())) done.push(`${text} in life ${lives}`);
      }
    };
    const publish = async (queue: WorkQueue) => {
      for (const text of texts) {
        const add = () => queue.put(bytes(text), { key: text });
        // Whether a put that was rejected has added its message is unknown; it may be done before the next attempt.
        await add().catch(() => {
          retried.add(text);
          return insist(add);
        });
        await sleep(5);
      }
      hasPublished = true;
    };
    const restart = async () => {
      for (const outageMs of [0, 1_500, 100]) {
        await sleep(300);
        await broker.kill();
        await sleep(outageMs);
        lives++;
        await broker.start();
      }
    };
    await Promise.all([publish(publisher!), ...takers.map(work), restart()]);

    expect([...worked].sort()).toEqual(texts.toSorted());
    // A broker that is killed forgets the deletions of its last seconds: a message is done once in each of its lives.
    const once = done.filter((line) => !retried.has(line.split(" ")[0] ?? ""));
    expect(new Set(once).size).toBe(once.length);
    expect(retried.size).toBeLessThanOrEqual(3);
    // A first delivery that was lost on its way counts, since nothing shows that its taker did not crash.
    expect(Math.max(...tries)).toBeLessThanOrEqual(1);
    expect(await publisher!.status()).toEqual(nothing);
    for (const queue of [publisher!, ...takers]) await queue.close();
  });

  test("keys, dead letters, delays and tries survive a broker that is killed", async () => {
    const place = { ...nextPlace(), ackWaitMs: 60_000 };
    const queue = await openJetStreamQueue(place);
    for (const key of ["waiting", "dead", "tried"]) await queue.put(bytes(key), { key });
    const taken = [await queue.take(), await queue.take(), await queue.take()];
    await taken[1]?.bury("not JSON");
    await taken[2]?.retry();
    await broker.kill();
    await broker.start();
    const put = (key: string) => insist(() => queue.put(bytes("again"), { key }));
    expect(await Promise.all(["waiting", "dead", "tried", "new"].map(put))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const tried = await insist(() => queue.take({ waitMs: 10_000 }));
    expect([tried?.key, tried?.tries]).toEqual(["tried", 1]);
    expect((await queue.dead()).map(({ key, reason }) => [key, reason])).toEqual([["dead", "not JSON"]]);
    expect(await taken[0]?.done()).toBe(true);
    expect(await tried?.done()).toBe(true);
    expect(await (await queue.take())?.done()).toBe(true);
    expect(await queue.take()).toBeUndefined();
    expect(await queue.status()).toEqual({ waiting: 0, taken: 0, dead: 1, oldestMs: 0 });
    await queue.close();
  });

  test("a consumer that is missing is added again, by takers that wait and by others", async () => {
    const place = nextPlace();
    const [queue, other] = await Promise.all([openJetStreamQueue(place), openJetStreamQueue(place)]);
    const nc = await connect({ servers: broker.url });
    const jsm = await jetstreamManager(nc);
    // Under load nats-server 2.9 may write to the folder that it removes, and report that; the consumer is gone.
    const remove = () =>
      jsm.consumers.delete(`edgeproof-work-${place.name}`, "workers").catch((error: Error) => {
        expect(error.message).toContain("directory not empty");
      });
    await queue.put(bytes("a"));
    await remove();
    const taken = await queue.take();
    expect(taken && textOf(taken.body)).toBe("a");
    expect(await taken?.done()).toBe(true);
    const waiting = queue.take({ waitMs: 10_000 });
    await remove();
    await other.put(bytes("b"));
    expect(await (await waiting)?.done()).toBe(true);
    await remove();
    expect(await other.status()).toEqual(nothing);
    await nc.close();
    for (const each of [queue, other]) await each.close();
  });

  test("an outage longer than every timeout is reported, loses nothing and uses up no try", async () => {
    const proxy = await startProxy({ host: "127.0.0.1", port: broker.port });
    const place = { ...nextPlace(), ackWaitMs: 300 };
    const queue = await openJetStreamQueue({ ...place, servers: `127.0.0.1:${proxy.port}` });
    const healthy = await openJetStreamQueue(place);
    await queue.put(bytes("a"));
    const taken = await queue.take();
    const waiting = queue.take({ waitMs: 60_000 });
    await proxy.cut();
    await expect(waiting).rejects.toThrow(DependencyUnavailableError);
    const uses = [
      () => taken?.extend(),
      () => queue.take(),
      () => queue.put(bytes("lost")),
      () => queue.status(),
    ];
    for (const use of uses) await expect(use()).rejects.toThrow(/127\.0\.0\.1:\d+ are not connected/);
    const other = await healthy.take({ waitMs: 10_000 });
    expect(other?.tries).toBe(1);
    await proxy.restore();
    // The taker returns: it was cut off and did not crash.
    expect(await insist(async () => taken?.done())).toBe(false);
    expect(await other?.retry({ counts: false })).toBe(true);
    const last = await insist(() => queue.take({ waitMs: 10_000 }));
    expect([last?.tries, await last?.done()]).toEqual([0, true]);
    // A put that was rejected without a connection is not sent later.
    expect(await queue.take({ waitMs: 500 })).toBeUndefined();
    await Promise.all([queue.close(), healthy.close()]);
    await proxy.close();
  });

  test("servers that are silent are reported within the limits, and are connected again", async () => {
    const proxy = await startProxy({ host: "127.0.0.1", port: broker.port });
    const queue = await openJetStreamQueue({ ...nextPlace(), servers: `127.0.0.1:${proxy.port}` });
    proxy.freeze();
    const start = performance.now();
    await expect(queue.put(bytes("a"), { key: "a" })).rejects.toThrow(DependencyUnavailableError);
    await expect(queue.take()).rejects.toThrow(DependencyUnavailableError);
    expect(performance.now() - start).toBeLessThan(10_000);
    await proxy.restore();
    expect(await insist(() => queue.put(bytes("b"), { key: "b" }))).toBe(true);
    await queue.close();
    await proxy.close();
  });

  test("what killed processes had taken is delivered again: nothing is lost, nothing is done twice", async () => {
    const place = { ...nextPlace(), ackWaitMs: 1_000 };
    const queue = await openJetStreamQueue(place);
    const texts = Array.from({ length: 40 }, (_, i) => `${i}`);
    for (const text of texts) await queue.put(bytes(text), { key: text });
    const done: string[] = [];
    for (let round = 0; round < 3; round++) {
      const worker = startWorker(place);
      // Killed in the middle of a message.
      await worker.printed("done", 5);
      await worker.kill();
      done.push(...worker.done());
    }
    const tried: number[] = [];
    for (;;) {
      const taken = await queue.take({ waitMs: 3_000 });
      if (!taken) break;
      tried.push(taken.tries);
      if (await taken.done()) done.push(textOf(taken.body));
    }
    // A process that is killed between `done` and its line leaves one out. Only what it worked on counts as a try.
    expect(new Set(done).size).toBe(done.length);
    expect(texts.length - done.length).toBeLessThanOrEqual(3);
    expect(tried.filter((count) => count > 0).length).toBeLessThanOrEqual(3);
    expect(await queue.status()).toEqual(nothing);
    await queue.close();
  });

  test("a process that was stopped and wakes after the acknowledgement time changes nothing", async () => {
    const place = { ...nextPlace(), ackWaitMs: 700 };
    const queue = await openJetStreamQueue(place);
    await queue.put(bytes("a"), { key: "a" });
    const worker = startWorker(place, 100);
    await worker.printed("took", 1);
    worker.signal("SIGSTOP");
    const taken = await queue.take({ waitMs: 10_000 });
    expect(taken?.tries).toBe(1);
    worker.signal("SIGCONT");
    await worker.printed("late", 1);
    expect(worker.done()).toEqual([]);
    expect(await taken?.extend()).toBe(true);
    // It did not crash: its delivery is not a try.
    await taken?.retry({ delayMs: 200, counts: false });
    await worker.kill();
    const last = await queue.take({ waitMs: 10_000 });
    expect([last?.tries, await last?.done()]).toEqual([0, true]);
    await queue.close();
  });

  test("nothing is taken ahead: the neighbours of a message whose taker crashes have no tries", async () => {
    const place = { ...nextPlace(), ackWaitMs: 60_000 };
    const queue = await openJetStreamQueue(place);
    for (let i = 0; i < 10; i++) await queue.put(bytes(`${i}`));
    const crashing = await openJetStreamQueue(place);
    expect(textOf((await crashing.take())?.body ?? bytes(""))).toBe("0");
    await crashing.close();
    expect(await queue.status()).toMatchObject({ waiting: 9, taken: 1 });
    for (let i = 1; i < 10; i++) {
      const taken = await queue.take();
      expect([textOf(taken?.body ?? bytes("")), taken?.tries]).toEqual([`${i}`, 0]);
    }
    await queue.close();
  });

  test("a message that comes after its wait was ended is put back, and is not a try", async () => {
    const place = { ...nextPlace(), ackWaitMs: 60_000 };
    const [queue, other] = await Promise.all([openJetStreamQueue(place), openJetStreamQueue(place)]);
    const stop = new AbortController();
    const waiting = queue.take({ waitMs: 60_000, signal: stop.signal });
    await sleep(100);
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    await other.put(bytes("a"));
    const taken = await other.take({ waitMs: 10_000 });
    expect(taken?.tries).toBe(0);
    expect(await other.status()).toMatchObject({ waiting: 0, taken: 1 });
    await Promise.all([queue.close(), other.close()]);
  });
  test("a wait that is ended while the connection is lost ends, and takes nothing", async () => {
    const proxy = await startProxy({ host: "127.0.0.1", port: broker.port });
    const place = nextPlace();
    const queue = await openJetStreamQueue({
      ...place,
      servers: `127.0.0.1:${proxy.port}`,
      requestTimeoutMs: 20_000,
    });
    const healthy = await openJetStreamQueue(place);
    await proxy.cut();
    await sleep(100);
    const stop = new AbortController();
    const waiting = queue.take({ waitMs: 60_000, signal: stop.signal });
    await healthy.put(bytes("a"));
    stop.abort(new Error("stopped"));
    await proxy.restore();
    await expect(waiting).rejects.toThrow("stopped");
    expect((await healthy.take())?.tries).toBe(0);
    await Promise.all([queue.close(), healthy.close()]);
    await proxy.close();
  });
});
