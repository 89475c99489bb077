/** The health of a store: trial writes, and the writes of others as evidence. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchHealth } from "../../src/service/store/health.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/port.ts";

const memory = createMemoryStore();
let now = 0;
let writes = 0;
let outcome: () => Promise<never> | undefined = () => undefined;
const write: Store["write"] = (work, options) => {
  writes++;
  return outcome() ?? memory.write(work, options);
};

beforeEach(() => {
  [now, writes, outcome] = [0, 0, () => undefined];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

/** The different answers of twenty callers at once. */
async function askAll({ health }: ReturnType<typeof watchHealth>) {
  return [...new Set(await Promise.all(Array.from({ length: 20 }, () => health.isReady())))];
}

const watch = () => watchHealth({ ...memory, write }, () => now);

test("one write is tried in 10 seconds for all callers, also while one hangs or fails", async () => {
  const watched = watch();
  expect([await askAll(watched), writes]).toEqual([[true], 1]);
  now = 9_999;
  expect([await askAll(watched), writes]).toEqual([[true], 1]);
  now = 10_000;
  outcome = () => Promise.reject(new Error("disk full"));
  expect([await askAll(watched), writes]).toEqual([[false], 2]);
  now = 19_999;
  outcome = () => undefined;
  expect([await askAll(watched), writes]).toEqual([[false], 2]);
  now = 20_000;
  expect([await askAll(watched), writes]).toEqual([[true], 3]);
  now = 30_000;
  outcome = () => new Promise(() => {});
  const hanging = askAll(watched);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([await hanging, writes]).toEqual([[false], 4]);
  now = 90_000;
  expect([await askAll(watched), writes]).toEqual([[false], 4]);
});

test("a write of a use case in the last 10 seconds replaces the trial", async () => {
  const watched = watch();
  await watched.store.write(async () => {}, { queue: "z1" });
  now = 9_999;
  expect([await askAll(watched), writes]).toEqual([[true], 1]);
  now = 10_000;
  expect([await askAll(watched), writes]).toEqual([[true], 2]);
});

test("a write that fails is not evidence", async () => {
  const watched = watch();
  await expect(watched.store.write(() => Promise.reject(new Error("x")), { queue: "z1" })).rejects.toThrow(
    "x",
  );
  outcome = () => Promise.reject(new Error("disk full"));
  expect(await askAll(watched)).toEqual([false]);
});

test("a trial that waits too long behind writes that are done leaves the store ready", async () => {
  const watched = watch();
  outcome = () => new Promise(() => {});
  const waiting = askAll(watched);
  await vi.advanceTimersByTimeAsync(4_000);
  outcome = () => undefined;
  await watched.store.write(async () => {}, { queue: "z1" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await waiting).toEqual([true]);
});
