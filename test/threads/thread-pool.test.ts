/** The pool of worker threads: what ends a thread ends neither the process nor other tasks. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../src/errors.ts";
import type { Compute, Task } from "../../src/service/compute.ts";
import { createThreadPool } from "../../src/threads/thread-pool.ts";
import { temporaryFolder } from "../store/open.ts";

const module = new URL("thread.fixture.mjs", import.meta.url);

/** A task that only the thread knows. */
function taskOf(name: string): Task<unknown, unknown> {
  return { name, run: () => Promise.reject(new Error("ran in this thread")) };
}

const open: Compute[] = [];

function pool(
  options: { readonly threads?: number; readonly queued?: number; readonly heapMiB?: number } = {},
) {
  const compute = createThreadPool({ threads: 1, module, ...options });
  open.push(compute);
  return compute;
}

afterEach(async () => {
  for (const compute of open.splice(0)) await compute.close();
});

test("a task runs in a thread, and its input and output are those that were sent", async () => {
  const input = { name: "a", bytes: Uint8Array.of(1, 2), list: [undefined, 3] };
  expect(await pool().run(taskOf("echo"), input)).toEqual(input);
});

describe("a thread that ends rejects its task and is replaced", () => {
  test.each([
    ["exit", /task `exit` ended: worker exited with code: 7/],
    ["crash", /task `crash` ended: a crash outside of the task/],
    ["exhaust", /task `exhaust` ended: .*memory limit/],
  ])("after %s", async (name, message) => {
    const compute = pool({ heapMiB: 64 });
    await expect(compute.run(taskOf(name), undefined)).rejects.toThrow(message);
    expect(await compute.run(taskOf("echo"), "next")).toBe("next");
  });

  test("and a task that waits for it runs in the next one", async () => {
    const compute = pool();
    const ended = compute.run(taskOf("exit"), undefined).catch((error: Error) => error.message);
    const waiting = compute.run(taskOf("echo"), "waited");
    expect(await ended).toMatch(/ended/);
    expect(await waiting).toBe("waited");
  });
});

test("a thread that cannot start rejects its tasks as an outage, and later tasks run when it can", async () => {
  const late = join(await temporaryFolder(), "late.mjs");
  const compute = createThreadPool({ threads: 1, module: pathToFileURL(late) });
  open.push(compute);
  for (const _attempt of [1, 2]) {
    const outage = compute.run(taskOf("echo"), 1);
    await expect(outage).rejects.toThrow(DependencyUnavailableError);
    await expect(outage).rejects.toThrow("No worker thread could start for the task `echo`.");
  }
  copyFileSync(module, late);
  // Threads that began before may still end.
  await expect.poll(() => compute.run(taskOf("echo"), 1).catch(() => undefined)).toBe(1);
});

test("an outage that a task reports in its thread is one for the caller", async () => {
  const outage = pool().run(taskOf("outage"), undefined);
  await expect(outage).rejects.toThrow(DependencyUnavailableError);
  await expect(outage).rejects.toThrow("the package sharp cannot be loaded");
});

describe("an aborted task", () => {
  test("rejects with the reason, and its thread goes on with the next task", async () => {
    const compute = pool();
    const abort = new AbortController();
    const running = compute.run(taskOf("wait"), undefined, abort.signal);
    const next = compute.run(taskOf("echo"), "next");
    abort.abort(new Error("the client has gone"));
    await expect(running).rejects.toThrow("the client has gone");
    expect(await next).toBe("next");
  });

  test("is not sent when it was aborted before", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(pool().run(taskOf("exit"), undefined, signal)).rejects.toThrow("gone");
  });
});

test("tasks above the length of the queue are rejected as an outage", async () => {
  const compute = pool({ queued: 1 });
  const abort = new AbortController();
  await compute.run(taskOf("echo"), 0);
  const running = compute.run(taskOf("wait"), undefined, abort.signal);
  const waiting = compute.run(taskOf("echo"), 1);
  await expect(compute.run(taskOf("echo"), 2)).rejects.toThrow(DependencyUnavailableError);
  abort.abort(new Error("done"));
  await expect(running).rejects.toThrow("done");
  expect(await waiting).toBe(1);
});

test("close ends the threads, rejects what runs and waits, and later tasks", async () => {
  const compute = pool();
  await compute.run(taskOf("echo"), 0);
  const rejected = [compute.run(taskOf("wait"), undefined), compute.run(taskOf("echo"), 1)].map((result) =>
    expect(result).rejects.toThrow(/ended|not run/),
  );
  // Both tasks are sent before.
  await new Promise((resume) => setImmediate(resume));
  await compute.close();
  await Promise.all(rejected);
  await expect(compute.run(taskOf("echo"), 2)).rejects.toThrow(
    "`echo` was not run: the worker threads are closed",
  );
});
