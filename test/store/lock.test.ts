import { expect, test } from "vitest";
import { createLock } from "../../src/store/lock.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests the lock and logs when it is granted. */
function asker(log: string[]) {
  const lock = createLock();
  return (name: string, exclusive: boolean) =>
    lock.acquire(exclusive).then((release) => {
      log.push(name);
      return release;
    });
}

test("readers share the lock; a writer waits for all of them", async () => {
  const log: string[] = [];
  const ask = asker(log);
  const [release, releaseOther] = await Promise.all([ask("r1", false), ask("r2", false)]);
  const writer = ask("w", true);
  release();
  await turn();
  expect(log).toEqual(["r1", "r2"]);
  releaseOther();
  (await writer)();
  expect(log).toEqual(["r1", "r2", "w"]);
});

test("a writer excludes others; later requests wait in order", async () => {
  const log: string[] = [];
  const ask = asker(log);
  const release = await ask("w1", true);
  const [reader, writer, late] = [ask("r1", false), ask("w2", true), ask("r2", false)];
  await turn();
  expect(log).toEqual(["w1"]);
  release();
  const readerRelease = await reader;
  await turn();
  expect(log).toEqual(["w1", "r1"]);
  readerRelease();
  (await writer)();
  (await late)();
  expect(log).toEqual(["w1", "r1", "w2", "r2"]);
});

test("new readers do not starve a waiting writer", async () => {
  const log: string[] = [];
  const ask = asker(log);
  const first = await ask("r1", false);
  const writer = ask("w", true);
  const second = ask("r2", false);
  first();
  (await writer)();
  (await second)();
  expect(log).toEqual(["r1", "w", "r2"]);
});

test("a second release has no effect", async () => {
  const log: string[] = [];
  const ask = asker(log);
  const [release, releaseOther] = await Promise.all([ask("r1", false), ask("r2", false)]);
  release();
  release();
  const writer = ask("w", true);
  await turn();
  expect(log).toEqual(["r1", "r2"]);
  releaseOther();
  (await writer)();
});

test("a request that times out is not granted and blocks no other", async () => {
  const lock = createLock();
  const release = await lock.acquire(false);
  const hasty = lock.acquireWithin(true, 1);
  const later = lock.acquire(false);
  expect(await hasty).toBeUndefined();
  (await later)();
  release();
  const late = await lock.acquireWithin(true, 1_000);
  expect(late).toBeDefined();
  late?.();
  expect(await lock.acquireWithin(true, 1_000)).toBeDefined();
});
