/** A worker as a process of its own, for benchmarks: its argument is a task; it prints one JSON line an event. */

import { openQueue } from "../src/cli/input/work-queue.ts";
import { createEdge } from "../src/edge.ts";
import { runWorker } from "../src/service/brand/worker/run-worker.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../src/store/sql/postgres.ts";

/** The work of the process until it receives SIGTERM. */
export interface BenchTask {
  readonly queue: string;
  readonly store: PostgresStoreOptions;
  readonly ackWaitMs: number;
  readonly slots: number;
  /** Whether each message that was taken or is done is a line. */
  readonly isVerbose: boolean;
  /** Number of pictures between two lines about memory. */
  readonly memoryEvery?: number;
}

/** The last line. Times in milliseconds. */
export interface BenchSummary {
  readonly type: "summary";
  readonly done: number;
  readonly dead: number;
  readonly failed: number;
  /** CPU of the process from the first event to the last. */
  readonly cpuMs: number;
}

/** Heap after a collection, and memory of the process, in megabytes. */
export interface BenchMemory {
  readonly type: "memory";
  readonly done: number;
  readonly heap: number;
  readonly rss: number;
}

const task = JSON.parse(process.argv[2] ?? "null") as BenchTask | null;

function say(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

if (task) {
  const { ackWaitMs, slots, isVerbose, memoryEvery } = task;
  const queue = await openQueue(task.queue, { ackWaitMs });
  const edge = createEdge({ store: await openPostgresStore(task.store), accountSettings: "read" });
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  let begun = process.cpuUsage();
  process.once("SIGUSR2", () => {
    begun = process.cpuUsage();
    say({ type: "begun" });
  });
  let ended = begun;
  let done = 0;
  const watched: typeof queue = {
    ...queue,
    take: async (options) => {
      const delivery = await queue.take(options);
      if (isVerbose && delivery) say({ type: "taken", id: delivery.id, tries: delivery.tries });
      return delivery;
    },
  };
  say({ type: "ready" });
  const report = await runWorker({
    queue: watched,
    edge,
    signal: stop.signal,
    ackWaitMs,
    slots,
    onEvent: (event) => {
      ended = process.cpuUsage();
      if (event.type !== "done") return;
      done++;
      if (isVerbose) say({ type: "done", id: event.id, tries: event.tries });
      if (!memoryEvery || done % memoryEvery !== 0) return;
      globalThis.gc?.();
      const { heapUsed, rss } = process.memoryUsage();
      say({ type: "memory", done, heap: heapUsed / 1e6, rss: rss / 1e6 });
    },
  });
  const cpuMs = (ended.user + ended.system - begun.user - begun.system) / 1_000;
  say({ type: "summary", ...report, cpuMs } satisfies BenchSummary);
  await Promise.all([queue.close(), edge.close()]);
}
