/** The interface between an SQL store and the place where it keeps blobs. */
import type { BlobStore } from "../../port.ts";
import type { RunStatement, SqlDialect, SqlEngine } from "../engines/engine.ts";

/** The access of blobs to their store. */
export interface BlobContext {
  readonly dialect: SqlDialect;
  /** Inside a transaction, reads in that transaction. */
  read<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** @param operation named in the error when a transaction is open or the store is closed */
  write<T>(operation: string, work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Runs work without the database; `close` waits for it. */
  track<T>(operation: string, work: () => Promise<T>): Promise<T>;
}

/** Keeps the bytes of blobs: rows of the database, or files in a folder. */
export interface BlobBackend {
  create(context: BlobContext): BlobStore;
  /** Removes blobs that processes left behind when they died. Runs when a store is opened. */
  sweep(engine: SqlEngine): Promise<void>;
}
