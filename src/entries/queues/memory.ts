/** `edgeproof/queues/memory`: the port of work queues, and a queue in this process. */

export { createMemoryQueue, type MemoryQueueOptions } from "../../queue/memory-queue.ts";
export type { DeadLetter, Delivery, WorkQueue } from "../../queue/port.ts";
