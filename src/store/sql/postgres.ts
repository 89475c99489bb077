/** `edgeproof/stores/postgres`: one database for many processes. */

import { resolve } from "node:path";
import { anyValue, eachMember, optional, optionsOf, requireArgument } from "../../core/arguments.ts";
import { collections } from "../collections.ts";
import type { CollectionTable } from "../definition.ts";
import { loadPeers } from "../peers.ts";
import type { Store } from "../port.ts";
import type { BlobBucket } from "./blobs/bucket/location.ts";
import { bucketOptions, loadBucket } from "./blobs/load-bucket.ts";

/** Options of `openPostgresStore`. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`; missing parts are read from the PG* variables. */
  readonly connectionString: string;
  /** Schema of all tables. It is created when it does not exist. By default `edgeproof`. */
  readonly schema?: string;
  /** Whether the tables are created when there are none; otherwise that is an error. By default true. */
  readonly create?: boolean;
  /** Folder for the blobs, shared by all processes. By default blobs are rows of the database. */
  readonly blobFolder?: string;
  /** A bucket for the blobs, instead of rows. Needs the package `aws4fetch`. */
  readonly blobBucket?: BlobBucket;
  /** Maximum number of connections at a time, from 1. By default 10. */
  readonly maxConnections?: number;
  /** Maximum wait for a connection, in milliseconds. By default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Maximum duration of one statement, in milliseconds. By default 30,000. */
  readonly statementTimeoutMs?: number;
  /** Maximum time to retry a write that conflicts with others, in milliseconds. By default 10,000. */
  readonly conflictMs?: number;
  /** Called when a write was rolled back by a conflict with another one; it runs again within `conflictMs`. */
  readonly onRollback?: () => void;
  /** The collections to keep. By default edgeproof's own. */
  readonly collections?: CollectionTable;
}

const defaults = {
  schema: "edgeproof",
  create: true,
  maxConnections: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  conflictMs: 10_000,
  collections,
};

const storeOptions = optionsOf<PostgresStoreOptions>("openPostgresStore", {
  ...eachMember(defaults, anyValue),
  connectionString: anyValue,
  blobFolder: anyValue,
  blobBucket: optional(bucketOptions),
  onRollback: anyValue,
});

/** Maximum duration of a migration, in milliseconds. */
const migrationTimeoutMs = 3_600_000;

/**
 * Maximum wait of a transaction for a row that another one changes, in milliseconds. When the other one commits, this
 * one must start again anyway (both are serializable), so that waiting helps only when the other one is rolled back. Two
 * transactions that wait for each other end sooner than by the server's deadlock detection, after a second (`chosen`).
 */
const lockTimeoutMs = 250;

/**
 * Opens a store in a PostgreSQL database. Creates the tables, in one of the processes that start together, and updates
 * those of an older edgeproof. Needs the packages `kysely` and `pg`.
 *
 * @throws {TypeError} when an option of the bucket is invalid
 * @throws {DependencyUnavailableError} when the database or the bucket cannot be reached
 * @throws {Error} when a package is missing, a newer edgeproof wrote the database, or there is no store and `create` is
 * false
 * @example
 * ```ts
 * const store = await openPostgresStore({ connectionString: "postgres://edge@localhost/edge" });
 * await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "Example" }));
 * await store.read((tx) => tx.count("accounts", "world")); // => 1
 * ```
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  requireArgument("options", options, storeOptions);
  const settings = { ...defaults, ...options };
  const bucket = await loadBucket(options);
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
  const bucketBlobs = await bucket?.();
  const pool = new pg.Pool(engines.poolConfig({ ...settings, lockTimeoutMs }));
  const migrationLimits = {
    maxConnections: 1,
    statementTimeoutMs: migrationTimeoutMs,
    lockTimeoutMs: migrationTimeoutMs,
  };
  const migrationPool = new pg.Pool(engines.poolConfig({ ...settings, ...migrationLimits }));
  if (!settings.create) await engines.assertPrepared(migrationPool, settings.schema);
  const engine = engines.createPostgresEngine(pool, migrationPool, settings);
  const { blobFolder } = options;
  const databaseBlobs = blobFolder === undefined ? tableBlobs : folderBlobs(resolve(blobFolder));
  return openSqlStore(engine, settings.collections, bucketBlobs ?? databaseBlobs);
}
