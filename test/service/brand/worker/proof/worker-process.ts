/**
 * A worker in a process of its own that ends itself at a point of its work, as `kill -9` would: its one argument says
 * which. Each line that it prints is an event.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openQueue } from "../../../../../src/cli/input/work-queue.ts";
import { createEdge, type Edge } from "../../../../../src/edge.ts";
import type { Delivery, WorkQueue } from "../../../../../src/queue/port.ts";
import { runWorker } from "../../../../../src/service/brand/worker/run-worker.ts";
import { sha256Of } from "../../../../../src/service/brand/worker/work-message.ts";
import type { WorkerEdge } from "../../../../../src/service/brand/worker/worker-options.ts";
import type { Store } from "../../../../../src/store/port.ts";
import { openPostgresStore } from "../../../../../src/store/sql/postgres.ts";

/** The points at which a worker is killed. */
export const killPoints = ["describe", "blob", "commit", "ack"] as const;

/** The work of the process. */
export interface WorkerTask {
  readonly queue: string;
  readonly store: {
    readonly connectionString: string;
    readonly schema: string;
    readonly blobFolder?: string;
  };
  readonly ackWaitMs: number;
  readonly slots: number;
  readonly maxTries?: number;
  /** The process ends when the first message has come to this point, or that many messages later. */
  readonly kill?: (typeof killPoints)[number];
  readonly killAfter?: number;
  /** The process ends while it describes the picture with this hash, among others. */
  readonly crash?: string;
  /** Pause before each message, in milliseconds. */
  readonly slowMs?: number;
}

const task = JSON.parse(process.argv[2] ?? "null") as WorkerTask | null;

/** Acknowledged before anything else happens. */
function say(event: object): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

let passed = 0;

function pass(point: (typeof killPoints)[number], id = ""): void {
  if (task?.kill !== point || passed++ < (task.killAfter ?? 0)) return;
  say({ type: "killed", point, id });
  process.kill(process.pid, "SIGKILL");
  // The signal may arrive a moment later.
  for (;;);
}

/** The queue; the process ends before it works on a message, or before it acknowledges one. */
function killingQueue(queue: WorkQueue, { slowMs = 0 }: WorkerTask): WorkQueue {
  const watched = (delivery: Delivery): Delivery => ({
    ...delivery,
    done: () => {
      pass("ack", delivery.id);
      return delivery.done();
    },
  });
  return {
    ...queue,
    take: async (options) => {
      const delivery = await queue.take(options);
      if (!delivery) return undefined;
      say({ type: "taken", id: delivery.id, key: delivery.key, tries: delivery.tries });
      pass("describe", delivery.id);
      await sleep(slowMs);
      return watched(delivery);
    },
  };
}

/** The store; the process ends when a picture is put, or when it is committed. */
function killingStore(store: Store): Store {
  const write: Store["write"] = async (work, options) => {
    const result = await store.write(work, options);
    if (options?.queue?.endsWith("brand logos")) pass("commit");
    return result;
  };
  const put: Store["blobs"]["put"] = async (key, bytes) => {
    await store.blobs.put(key, bytes);
    pass("blob");
  };
  return { ...store, write, blobs: { ...store.blobs, put } };
}

/** The services; the process ends a moment after it has begun to describe a certain picture. */
function crashingEdge(edge: Edge, { crash }: WorkerTask): WorkerEdge {
  const { pictures } = edge.brand;
  const observe: typeof pictures.observe = async (accounts, record, options) => {
    if (sha256Of((record as { image: Uint8Array }).image) === crash) {
      await sleep(50);
      process.kill(process.pid, "SIGKILL");
    }
    return pictures.observe(accounts, record, options);
  };
  return {
    store: edge.store,
    brand: { lookbacks: edge.brand.lookbacks, pictures: { ...pictures, observe } },
  };
}

if (task) {
  const queue = await openQueue(task.queue, { ackWaitMs: task.ackWaitMs });
  const store = killingStore(await openPostgresStore({ ...task.store, maxConnections: 4 }));
  const edge = createEdge({ store, accountSettings: "read" });
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  say({ type: "ready" });
  const { ackWaitMs, slots, maxTries = 5 } = task;
  const onEvent = (event: object) => say(event);
  await runWorker({
    queue: killingQueue(queue, task),
    edge: crashingEdge(edge, task),
    signal: stop.signal,
    ackWaitMs,
    slots,
    maxTries,
    onEvent,
  });
  await Promise.all([queue.close(), edge.close()]);
}
