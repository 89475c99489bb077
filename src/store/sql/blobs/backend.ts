/** The interface between an SQL store and the place where it keeps blobs. */
import type { BlobStore } from "../../port.ts";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";

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

/** Bytes outside of the database. The transaction that calls these functions has locked the rows of the keys. */
export interface BlobFiles {
  /** The first of the keys that has no bytes. */
  findMissing(keys: readonly string[]): Promise<string | undefined>;
  remove(keys: readonly string[]): Promise<void>;
}

/** Keeps the bytes of blobs: rows of the database, or files in a folder. */
export interface BlobBackend {
  create(context: BlobContext): Omit<BlobStore, "removeUnclaimed">;
  /** Absent when the rows hold the bytes. */
  readonly files?: BlobFiles;
  /** Removes what processes left beside the blobs when they died, before a time (milliseconds since 1970). */
  readonly removeLeftovers?: (beforeMs: number) => Promise<void>;
}
