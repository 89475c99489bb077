/** The interface of a database engine for the SQL adapter: transactions, and the differences in SQL. */
import type { CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { FieldKind } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";

/** Tables whose names are known at run time only. */
export type Tables = Record<string, Record<string, unknown>>;

/** Statement text and parameters. */
export interface Statement extends Pick<CompiledQuery, "sql" | "parameters"> {
  /** Whether it reads at most one row, by keys: SQLite makes fewer objects of it, PostgreSQL keeps its plan. */
  readonly isSingle?: boolean;
}

export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Number of rows that were inserted, updated or deleted. */
  readonly changed: number;
}

export type RunStatement = (statement: Statement) => Promise<SqlResult>;

/** The SQL of one engine. */
export interface SqlDialect {
  /** Compiles statements, does not run them. */
  readonly builder: Kysely<Tables>;
  readonly columnTypes: Readonly<Record<"text" | "number" | "boolean" | "bytes", RawBuilder<unknown>>>;
  /** Returns a row when the tables exist. */
  readonly findMetaTable: Statement;
  /** Encodes a string for an indexed column. */
  encodeKey(text: string): string;
  /** The parameter for a value of a field. */
  bind(value: FieldValue): unknown;
  /** The parameter for a set of parameters. */
  bindSet(values: readonly unknown[]): unknown;
  inSet(column: RawBuilder<unknown>, set: RawBuilder<unknown>): RawBuilder<boolean>;
  /** As `inSet` for a unique column: looks up each member, whatever the planner knows of the table. */
  inKeys(column: RawBuilder<unknown>, set: RawBuilder<unknown>): RawBuilder<boolean>;
  /** The column by which an engine finds a row without an index, the same as long as a transaction. Absent without one. */
  readonly rowKey?: string;
  /** A subquery with the members of a set as rows of the columns `value` and `place`, from 0. */
  rowsOfSet(kind: ColumnKind, set: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * A subquery with the members of two sets of one size as rows of the columns `value` and `height`, to which other
   * subqueries of the same statement can refer. Absent where they cannot.
   */
  lateral?(kind: ColumnKind, values: RawBuilder<unknown>, heights: RawBuilder<unknown>): RawBuilder<unknown>;
  contains(column: RawBuilder<unknown>, text: RawBuilder<unknown>): RawBuilder<boolean>;
  /**
   * Joins the texts of a column, in the order of the rows: in SQLite, one long text is read faster than many rows. Absent
   * where it is not.
   */
  join?(column: RawBuilder<unknown>, separator: string): RawBuilder<string | null>;
  /** Whether an offset needs a limit before it. */
  readonly offsetNeedsLimit: boolean;
  readonly maxParameters: number;
}

export interface SqlEngine {
  readonly dialect: SqlDialect;
  /**
   * Runs reads on one snapshot.
   *
   * @param isLong whether they may look at thousands of rows
   */
  read<T>(work: (run: RunStatement) => Promise<T>, isLong?: boolean): Promise<T>;
  /**
   * Runs a serializable transaction, again after a conflict. A failed statement fails the transaction.
   *
   * @param queue writes of one queue run one after another
   */
  write<T>(work: (run: RunStatement) => Promise<T>, queue?: string): Promise<T>;
  /** Runs a migration: in one transaction, one process at a time, without a limit of time. */
  migrate<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Releases all resources. No operation may be running. */
  close(): Promise<void>;
}

/** The kind of a column without null. */
export type ColumnKind = "text" | "number" | "boolean";

/** The kind of column that a field has. */
export function columnType(kind: FieldKind): ColumnKind {
  return kind.replace("?", "") as ColumnKind;
}
