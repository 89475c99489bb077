/** `edgeproof/workers`: scanned pictures through a work queue, for several processes and machines. */

export { createPublisher, type Publisher, type PublisherOptions } from "../service/brand/worker/publisher.ts";
export { runWorker } from "../service/brand/worker/run-worker.ts";
export type { WorkerCounts, WorkerEvent, WorkerOptions } from "../service/brand/worker/worker-options.ts";
