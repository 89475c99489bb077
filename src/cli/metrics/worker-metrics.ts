/** The metrics of a worker. No label has an account, a name or an id. */
import type { QueueStatus, WorkQueue } from "../../queue/port.ts";
import type { WorkerEvent } from "../../service/brand/worker/worker-options.ts";
import { loadPeers } from "../../store/peers.ts";
import type { MetricsPage } from "./metrics-server.ts";

/** The metrics of a process. */
export interface WorkerMetrics extends MetricsPage {
  /** Counts what happened. */
  readonly count: (event: WorkerEvent) => void;
  /** Counts a write that a conflict has rolled back. */
  readonly countRollback: () => void;
}

/** Upper bounds of the durations, in seconds. */
const buckets = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** Maximum time for the numbers of the queue, in milliseconds: an outage must not hide the others. */
const statusMs = 2_000;

/** @throws {Error} when the package prom-client is not installed */
export async function createWorkerMetrics(queue: () => WorkQueue | undefined): Promise<WorkerMetrics> {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await loadPeers(
    "--metrics-port",
    "prom-client",
    () => import("prom-client"),
  );
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const messages = new Counter({
    name: "edgeproof_worker_messages_total",
    help: "Messages by what became of them: done, failed (put back after an error), dead (set aside), late (delivered again meanwhile), returned (put back at the end).",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["done", "failed", "dead", "late", "returned"]) messages.inc({ outcome }, 0);
  const outages = new Counter({
    name: "edgeproof_worker_outages_total",
    help: "Attempts that failed because the store or the queue could not be reached.",
    registers,
  });
  const matches = new Counter({
    name: "edgeproof_worker_matches_total",
    help: "New matches with logo queries.",
    registers,
  });
  const durations = new Histogram({
    name: "edgeproof_worker_step_seconds",
    help: "Duration of the steps of a picture: describe it, store it for one account.",
    labelNames: ["step"],
    buckets,
    registers,
  });
  const rollbacks = new Counter({
    name: "edgeproof_store_rollbacks_total",
    help: "Writes that a conflict with another one has rolled back; they run again.",
    registers,
  });
  const waiting = new Gauge({ name: "edgeproof_queue_waiting", help: "Messages that wait.", registers });
  const taken = new Gauge({ name: "edgeproof_queue_taken", help: "Messages in progress.", registers });
  const dead = new Gauge({ name: "edgeproof_queue_dead", help: "Messages that were set aside.", registers });
  const oldest = new Gauge({
    name: "edgeproof_queue_oldest_seconds",
    help: "Age of the oldest message that waits or is in progress; 0 when there is none.",
    registers,
  });
  const show = (status: QueueStatus | undefined) => {
    waiting.set(status?.waiting ?? Number.NaN);
    taken.set(status?.taken ?? Number.NaN);
    dead.set(status?.dead ?? Number.NaN);
    oldest.set(status ? status.oldestMs / 1_000 : Number.NaN);
  };
  return {
    contentType: registry.contentType,
    text: async () => {
      show(await statusOf(queue()));
      return registry.metrics();
    },
    count: (event) => {
      if (event.type === "step") durations.observe({ step: event.step }, event.ms / 1_000);
      else if (event.type === "outage") outages.inc();
      else messages.inc({ outcome: event.type });
      if (event.type === "done") matches.inc(event.matches);
    },
    countRollback: () => rollbacks.inc(),
  };
}

/** The numbers of the queue; undefined when it does not answer in time. */
async function statusOf(queue: WorkQueue | undefined): Promise<QueueStatus | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, statusMs, undefined);
  });
  try {
    return await Promise.race([queue?.status().catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
