/** `edgeproof/stores/sqlite`: a store in one file, with its blobs in a folder beside the file, both for their owner only. */

import { resolve } from "node:path";
import { anyValue, aString, optional, optionsOf, requireArgument } from "../../core/arguments.ts";
import { collections } from "../collections.ts";
import type { CollectionTable } from "../definition.ts";
import { loadPeers } from "../peers.ts";
import type { Store } from "../port.ts";
import type { BlobBucket } from "./blobs/bucket/location.ts";
import { bucketOptions, loadBucket } from "./blobs/load-bucket.ts";

/** Options of `openSqliteStore`. */
export interface SqliteStoreOptions {
  /** Path of the file. Its folder must exist. */
  readonly path: string;
  /** Whether the file and its tables are created when there are none; otherwise that is an error. By default true. */
  readonly create?: boolean;
  /** Folder of the blobs. By default the path followed by `.blobs`. */
  readonly blobFolder?: string;
  /** A bucket for the blobs, instead of a folder. Needs the package `aws4fetch`. */
  readonly blobBucket?: BlobBucket;
  /** Maximum wait for another process that writes to the file, in milliseconds from 0. By default 10,000. */
  readonly lockWaitMs?: number;
  /** The collections to keep. By default edgeproof's own. */
  readonly collections?: CollectionTable;
}

const defaultLockWaitMs = 10_000;

const storeOptions = optionsOf<SqliteStoreOptions>("openSqliteStore", {
  path: aString,
  create: anyValue,
  blobFolder: anyValue,
  blobBucket: optional(bucketOptions),
  lockWaitMs: anyValue,
  collections: anyValue,
});

/**
 * Opens a store in a SQLite file. Creates a new file, and updates one of an older edgeproof. Needs the packages
 * `kysely` and `libsql`.
 *
 * @throws {TypeError} when the path does not name a file, or an option of the bucket is invalid
 * @throws {DependencyUnavailableError} when the file cannot be opened or is not a database, or the bucket cannot be used
 * @throws {Error} when a package is missing, a newer edgeproof or another program wrote the file, or there is no store and
 * `create` is false
 * @example
 * ```ts
 * const store = await openSqliteStore({ path: "./edge.db" });
 * await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "Example" }));
 * await store.close();
 * const again = await openSqliteStore({ path: "./edge.db" });
 * await again.read((tx) => tx.count("accounts", "world")); // => 1
 * ```
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  requireArgument("options", options, storeOptions);
  const { path, create = true, lockWaitMs = defaultLockWaitMs, collections: table = collections } = options;
  if (path === "" || path === ":memory:")
    throw new TypeError("`path` must name a file; to keep nothing, use the memory store");
  const file = resolve(path);
  const bucket = await loadBucket(options);
  const [{ default: Database }, { default: ThreadedDatabase }, engines, { openSqlStore }, { folderBlobs }] =
    await loadPeers("the SQLite store", "kysely libsql", () =>
      Promise.all([
        import("libsql"),
        import("libsql/promise"),
        import("./engines/sqlite-engine.ts"),
        import("./sql-store.ts"),
        import("./blobs/folder.ts"),
      ]),
    );
  const blobs = (await bucket?.()) ?? folderBlobs(resolve(options.blobFolder ?? `${file}.blobs`));
  const driver = { Database, ThreadedDatabase };
  const engine = await engines.createSqliteEngine(driver, { path: file, create, lockWaitMs });
  return openSqlStore(engine, table, blobs);
}
