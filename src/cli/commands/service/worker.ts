/** `edgeproof worker`: describes and stores the pictures of a work queue. */
import { createEdge } from "../../../edge.ts";
import type { WorkQueue } from "../../../queue/port.ts";
import { runWorker } from "../../../service/brand/worker/run-worker.ts";
import type { WorkerCounts } from "../../../service/brand/worker/worker-options.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  jsonOption,
} from "../../command.ts";
import {
  openDataStore,
  requiredSharedData,
  sharedStoreOption,
  withoutPassword,
} from "../../input/data-store.ts";
import { readSharedBlobs } from "../../input/stores/blobs-option.ts";
import { openQueue, queueOption, requiredQueue } from "../../input/work-queue.ts";
import { queueNameOf, readWorkerOptions, workerOptions } from "../../input/worker/worker-options.ts";
import {
  type MetricsServer,
  metricsOptions,
  readMetricsAddress,
  serveMetrics,
} from "../../metrics/metrics-server.ts";
import { createWorkerMetrics, type WorkerMetrics } from "../../metrics/worker-metrics.ts";
import { formatNumber } from "../../output/progress.ts";
import { createWorkerLog } from "../../output/worker-log.ts";

export const worker: CommandDefinition = {
  about: [
    "Takes pictures that `edgeproof publish` has put on the queue, describes each once, and stores it with its matches for its accounts, until it is stopped. Start as many workers on as many machines as there are cores for it. A picture whose worker is killed is delivered to another one, and is stored once; one that cannot be stored is set aside with the reason (`edgeproof queue dead list`).",
    "The first SIGINT or SIGTERM finishes the pictures in progress; the second ends the process at once.",
  ],
  positionals: "",
  options: { ...queueOption, ...sharedStoreOption, ...workerOptions, ...metricsOptions, ...jsonOption },
  exits: {
    0: "The worker was stopped.",
    2: "The queue, the store or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof worker --queue postgres://edge@localhost/edge --data postgres://edge@localhost/edge",
    "edgeproof worker --slots 4 --log json --metrics-port 9464",
  ],
  run: runWorkerCommand,
};

/** Time that connections have to close after the grace period, in milliseconds. */
const maxCloseMs = 2_000;

async function runWorkerCommand(input: CommandInput, io: Io): Promise<number> {
  const address = requiredQueue(input, io);
  const data = requiredSharedData(input, io);
  const { log, ...numbers } = readWorkerOptions(input);
  const metricsAddress = readMetricsAddress(input);
  let queue: WorkQueue | undefined;
  const metrics = metricsAddress && (await createWorkerMetrics(() => queue));
  const store = await openDataStore(data, readSharedBlobs(input, io), {
    create: false,
    ...(metrics && { onRollback: metrics.countRollback }),
  });
  const edge = createEdge({ store, accountSettings: "read" });
  let server: MetricsServer | undefined;
  try {
    queue = await openQueue(address, { ackWaitMs: numbers.ackWaitMs, create: false });
    server = metrics && metricsAddress && (await serveMetrics(metrics, metricsAddress));
    io.handleSignals?.(numbers.drainMs + maxCloseMs);
    io.stderr.write(`edgeproof worker: waits for pictures on ${withoutPassword(address)}\n`);
    if (server) io.stderr.write(`edgeproof metrics: ${server.url}\n`);
    const onEvent = observerOf(createWorkerLog(io, log), metrics);
    const queueName = queueNameOf(address);
    const report = await runWorker({ queue, edge, signal: io.signal, queueName, onEvent, ...numbers });
    if (booleanOption(input, "json")) io.stdout.write(`${JSON.stringify(report)}\n`);
    else io.stderr.write(`edgeproof worker: ${formatReport(report)}\n`);
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
