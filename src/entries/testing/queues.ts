/** `edgeproof/testing/queues`: the contract of work queues, for those who write one. */

export {
  type OpenQueue,
  type QueueContractCase,
  queueContract,
} from "../../testing/contract/queue/queue-contract.ts";
