/** `edgeproof/stores/sqlite`: everything in one file, with the blobs in a folder beside it. */
import { resolve } from "node:path";
import { collections } from "../collections.ts";
import type { CollectionTable } from "../definition.ts";
import type { Store } from "../port.ts";
import { loadPeers } from "./engines/peers.ts";

export interface SqliteStoreOptions {
  /** The file; made when there is none, in a folder that exists. */
  readonly path: string;
  /** The folder of the blobs. By default the path with `.blobs` behind it. */
  readonly blobFolder?: string;
  /** How long to wait for another process that writes to the file, in milliseconds. By default 10,000. */
  readonly lockWaitMs?: number;
  /** The collections to keep. By default edgeproof's own. */
  readonly collections?: CollectionTable;
}

const defaultLockWaitMs = 10_000;

/**
 * Opens a store in a file of SQLite. A new file is set up, one of an older edgeproof is brought up to date.
 * Needs the packages `kysely` and `libsql`.
 *
 * @throws {TypeError} when the path names no file
 * @throws {DependencyUnavailableError} when the file cannot be opened or is no database
 * @throws {Error} when a package is missing, or a newer edgeproof has written the file
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
  const { path, lockWaitMs = defaultLockWaitMs, collections: table = collections } = options;
  if (path === "" || path === ":memory:")
    throw new TypeError("a SQLite store needs the path of a file: use the memory store to keep nothing");
  const file = resolve(path);
  const [{ default: Libsql }, { createSqliteEngine }, { openSqlStore }, { folderBlobs }] = await loadPeers(
    "the SQLite store",
    "kysely libsql",
    () =>
      Promise.all([
        import("libsql"),
        import("./engines/sqlite-engine.ts"),
        import("./sql-store.ts"),
        import("./blobs/folder.ts"),
      ]),
  );
  const engine = await createSqliteEngine(Libsql, { path: file, lockWaitMs });
  const folder = resolve(options.blobFolder ?? `${file}.blobs`);
  return openSqlStore(engine, table, folderBlobs(folder));
}
