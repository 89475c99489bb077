/** `edgeproof/stores/postgres`: a store in a PostgreSQL database. */

export type { BlobBucket } from "../../store/sql/blobs/bucket/location.ts";
export { openPostgresStore, type PostgresStoreOptions } from "../../store/sql/postgres.ts";
