/** `edgeproof/queues/postgres`: a work queue in a PostgreSQL database. */
export { openPostgresQueue, type PostgresQueueOptions } from "../../queue/postgres/postgres-queue.ts";
