/** `edgeproof/queues/jetstream`: a work queue in NATS JetStream. */
export { type JetStreamQueueOptions, openJetStreamQueue } from "../../queue/jetstream/jetstream-queue.ts";
