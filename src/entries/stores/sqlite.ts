/** `edgeproof/stores/sqlite`: a store in one SQLite file. */

export type { BlobBucket } from "../../store/sql/blobs/bucket/location.ts";
export { openSqliteStore, type SqliteStoreOptions } from "../../store/sql/sqlite.ts";
