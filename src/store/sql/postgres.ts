/** `edgeproof/stores/postgres`: one database for many processes. */
import { resolve } from "node:path";
import { collections } from "../collections.ts";
import type { CollectionTable } from "../definition.ts";
import type { Store } from "../port.ts";
import { loadPeers } from "./engines/peers.ts";

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`; what it leaves open is taken from the PG* variables. */
  readonly connectionString: string;
  /** The schema that all tables stand in; made when there is none. By default `edgeproof`. */
  readonly schema?: string;
  /** A folder for the blobs that all processes share. By default blobs are kept in the database. */
  readonly blobFolder?: string;
  /** Most connections at a time. By default 10. */
  readonly maxConnections?: number;
  /** How long to wait for a connection, in milliseconds. By default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may take, in milliseconds. By default 30,000. */
  readonly statementTimeoutMs?: number;
  /** How long a write is tried again when others change the same, in milliseconds. By default 10,000. */
  readonly conflictMs?: number;
  /** The collections to keep. By default edgeproof's own. */
  readonly collections?: CollectionTable;
}

const defaults = {
  schema: "edgeproof",
  maxConnections: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  conflictMs: 10_000,
  collections,
};

/** Bringing a large database to a new layout may take as long as this, in milliseconds. */
const migrationTimeoutMs = 3_600_000;

/**
 * How long a transaction waits for a row that another one is changing. When that one commits, this one has to start again in
 * any case (both are serialisable), so waiting helps only where it is rolled back; and two that wait for each other part
 * sooner than the server looks for deadlocks, which is after a second (`chosen`).
 */
const lockTimeoutMs = 250;

/**
 * Opens a store in a database of PostgreSQL. A new one is set up, by one of the processes that start together;
 * one of an older edgeproof is brought up to date. Needs the packages `kysely` and `pg`.
 *
 * @throws {DependencyUnavailableError} when the database cannot be reached
 * @throws {Error} when a package is missing, or a newer edgeproof has written the database
 * @example
 * ```ts
 * const store = await openPostgresStore({ connectionString: "postgres://edge@localhost/edge" });
 * await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "Example" }));
 * await store.read((tx) => tx.count("accounts", "world")); // => 1
 * ```
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const settings = { ...defaults, ...options };
  const [{ default: pg }, engines, { openSqlStore }, { folderBlobs }, { tableBlobs }] = await loadPeers(
    "the PostgreSQL store",
    "kysely pg",
    () =>
      Promise.all([
        import("pg"),
        import("./engines/postgres-engine.ts"),
        import("./sql-store.ts"),
        import("./blobs/folder.ts"),
        import("./blobs/table.ts"),
      ]),
  );
  const pool = new pg.Pool(engines.poolConfig({ ...settings, lockTimeoutMs }));
  const patience = {
    maxConnections: 1,
    statementTimeoutMs: migrationTimeoutMs,
    lockTimeoutMs: migrationTimeoutMs,
  };
  const patient = new pg.Pool(engines.poolConfig({ ...settings, ...patience }));
  const engine = engines.createPostgresEngine(pool, patient, settings);
  const { blobFolder } = options;
  const blobs = blobFolder === undefined ? tableBlobs : folderBlobs(resolve(blobFolder));
  return openSqlStore(engine, settings.collections, blobs);
}
