/** `edgeproof/stores/sqlite`: a store in one SQLite file. */
export { openSqliteStore, type SqliteStoreOptions } from "../../store/sql/sqlite.ts";
