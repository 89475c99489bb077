/** `edgeproof/stores/postgres`: a store in a PostgreSQL database. */
export { openPostgresStore, type PostgresStoreOptions } from "../../store/sql/postgres.ts";
