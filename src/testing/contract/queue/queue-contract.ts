/** The contract of work queues as cases for any test runner. */
import type { QueueContractCase } from "./connect.ts";
import { deliveryCases } from "./deliveries.ts";
import { messageCases } from "./messages.ts";

export type { OpenQueue, QueueContractCase } from "./connect.ts";

/**
 * All requirements of a work queue. A case receives a function that creates an empty queue with an acknowledgement time
 * in milliseconds, and rejects when the queue does not conform to the docstrings of the port.
 *
 * @example
 * ```ts
 * for (const { name, run } of queueContract)
 *   test(name, () => run(async (ackWaitMs) => async () => openMyQueue({ ackWaitMs })));
 * ```
 */
export const queueContract: readonly QueueContractCase[] = [...messageCases, ...deliveryCases];
