/** The interface between an SQL store and the place where it keeps blobs. */
import type { BlobStore } from "../../port.ts";
import type { RunStatement, SqlDialect } from "../engines/engine.ts";

/** Transactions for blobs. */
export interface BlobDatabase {
  readonly dialect: SqlDialect;
  read<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  write<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
}

/** The access of blobs to their store. */
export interface BlobContext {
  readonly dialect: SqlDialect;
  /** Inside a transaction, reads in that transaction. */
  read<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** @param operation named in the error when a transaction is open or the store is closed */
  write<T>(operation: string, work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Runs work outside of transactions, which may open some; `close` waits for it. */
  track<T>(operation: string, work: (database: BlobDatabase) => Promise<T>): Promise<T>;
}

/** Bytes outside of the database. The transaction that calls these functions has locked the rows of the keys. */
export interface BlobFiles {
  /** The first of the keys that has no bytes. */
  findMissing(keys: readonly string[]): Promise<string | undefined>;
  remove(keys: readonly string[]): Promise<void>;
}

/** Keeps the bytes of blobs: rows of the database, files in a folder, or objects of a bucket. */
export interface BlobBackend {
  create(context: BlobContext): Omit<BlobStore, "removeUnclaimed">;
  /** Absent when a row is enough for its bytes to exist: it holds them, or names their object. */
  readonly files?: BlobFiles;
  /** Whether rows name objects of a bucket. A store remembers it. By default false. */
  readonly isBucket?: boolean;
  /**
   * Removes what processes left beside the blobs when they died, up to a time (milliseconds since 1970), and what removed
   * rows left.
   */
  readonly removeLeftovers?: (untilMs: number, database: BlobDatabase) => Promise<void>;
}
