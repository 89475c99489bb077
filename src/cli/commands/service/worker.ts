/** `edgeproof queue work`: describes and stores the pictures of a work queue. */

import { formatNumber } from "../../../core/format-count.ts";
import { createEdge } from "../../../edge.ts";
import type { WorkQueue } from "../../../queue/port.ts";
import { runWorker } from "../../../service/brand/worker/run-worker.ts";
import type { WorkerCounts } from "../../../service/brand/worker/worker-options.ts";
import type { work } from "../../declarations/queue.ts";
import type { InvocationOf } from "../../declare.ts";
import { readSharedBlobs } from "../../input/blobs-option.ts";
import { openDataStore, requiredSharedData, withoutPassword } from "../../input/data-store.ts";
import { defaultThreads } from "../../input/edge/edge-options.ts";
import { openQueue, requiredQueue } from "../../input/work-queue.ts";
import { queueNameOf } from "../../input/worker-options.ts";
import { type MetricsServer, readMetricsAddress, serveMetrics } from "../../metrics/metrics-server.ts";
import { createWorkerMetrics, type WorkerMetrics } from "../../metrics/worker-metrics.ts";
import { createWorkerLog } from "../../output/worker-log.ts";

/** Time that connections have to close after the grace period, in milliseconds. */
const maxCloseMs = 2_000;

export async function run({ options, io }: InvocationOf<typeof work>): Promise<number> {
  const address = requiredQueue(options, io);
  const data = requiredSharedData(options, io);
  const { slots, tries: maxTries, log } = options;
  const [ackWaitMs, drainMs] = [options.ackWait * 1_000, options.grace * 1_000];
  const metricsAddress = readMetricsAddress(options);
  let queue: WorkQueue | undefined;
  const metrics = metricsAddress && (await createWorkerMetrics(() => queue));
  const store = await openDataStore(data, readSharedBlobs(options, io), {
    create: false,
    ...(metrics && { onRollback: metrics.countRollback }),
  });
  const threads = options.threads ?? defaultThreads(io);
  const edge = createEdge({ store, accountSettings: "read", threads });
  let server: MetricsServer | undefined;
  try {
    queue = await openQueue(address, { ackWaitMs, create: false });
    server = metrics && metricsAddress && (await serveMetrics(metrics, metricsAddress));
    io.handleSignals?.(drainMs + maxCloseMs);
    io.stderr.write(`edgeproof queue work: waits for pictures on ${withoutPassword(address)}\n`);
    if (server) io.stderr.write(`edgeproof metrics: ${server.url}\n`);
    const onEvent = observerOf(createWorkerLog(io, log), metrics);
    const queueName = queueNameOf(address);
    const report = await runWorker({
      queue,
      edge,
      signal: io.signal,
      queueName,
      onEvent,
      slots,
      maxTries,
      ackWaitMs,
      drainMs,
    });
    if (options.json) io.stdout.write(`${JSON.stringify(report)}\n`);
    else io.stderr.write(`edgeproof queue work: ${formatReport(report)}\n`);
    return 0;
  } finally {
    await Promise.allSettled([server?.close(), queue?.close(), edge.close()]);
  }
}

function observerOf(log: ReturnType<typeof createWorkerLog>, metrics: WorkerMetrics | undefined): typeof log {
  if (!metrics) return log;
  return (event) => {
    metrics.count(event);
    log(event);
  };
}

function formatReport({ done, failed, dead }: WorkerCounts): string {
  return `${formatNumber(done)} done, ${formatNumber(failed)} failed, ${formatNumber(dead)} set aside`;
}
