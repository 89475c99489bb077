/** One transaction of an SQL store, and the tables that it reads and writes. */

import type { Session } from "../session.ts";
import type { BlobFiles } from "./blobs/backend.ts";
import type { RunStatement, SqlDialect } from "./engines/engine.ts";
import type { Table } from "./statements/table.ts";

export interface SqlSession extends Session {
  readonly run: RunStatement;
}

/** The part of a store that all of its transactions share. */
export interface SqlContext {
  readonly dialect: SqlDialect;
  /** Maximum number of rows that one statement of a listing or a count looks at. */
  readonly chunkRows: number;
  /** Bytes of blobs outside of the database. */
  readonly files: BlobFiles | undefined;
  /** @throws {TypeError} when the collection is not declared */
  tableOf(collection: string): Table;
}
