/** A scope of a table as the source of listings and counts. */
import type { RunStatement } from "../engines/engine.ts";
import type { Table } from "./table.ts";

/** A scope of a table, and the means to read it. */
export interface ListingSource {
  readonly run: RunStatement;
  readonly table: Table;
  readonly scope: string;
  /** Maximum number of rows that one statement looks at. */
  readonly chunkRows: number;
}
