/** What the SQL adapter asks of a database engine: transactions, and the few places where SQL differs. */
import type { CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { FieldKind } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";

/** Tables of names that only definitions know. */
export type Tables = Record<string, Record<string, unknown>>;

/** Statement text and parameters. */
export type Statement = Pick<CompiledQuery, "sql" | "parameters">;

export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that were inserted, updated or deleted. */
  readonly changed: number;
}

export type RunStatement = (statement: Statement) => Promise<SqlResult>;

/** How one engine's SQL is written. */
export interface SqlDialect {
  /** Builds statements, and runs none. */
  readonly builder: Kysely<Tables>;
  readonly columnTypes: Readonly<Record<"text" | "number" | "boolean" | "bytes", RawBuilder<unknown>>>;
  /** Finds a row when the database was set up before. */
  readonly findMetaTable: Statement;
  /** How a text stands in a column that is in an index. */
  encodeKey(text: string): string;
  /** What is bound for a value of a field. */
  bind(value: FieldValue): unknown;
  /** What is bound for a set of bound values. */
  bindSet(values: readonly unknown[]): unknown;
  inSet(column: RawBuilder<unknown>, set: RawBuilder<unknown>): RawBuilder<boolean>;
  /** The same of a text that is unique: looks up each of the set, whatever is known of the table's size. */
  inKeys(column: RawBuilder<unknown>, set: RawBuilder<unknown>): RawBuilder<boolean>;
  contains(column: RawBuilder<unknown>, text: RawBuilder<unknown>): RawBuilder<boolean>;
  /** Whether an offset needs a limit before it. */
  readonly offsetNeedsLimit: boolean;
  readonly maxParameters: number;
}

export interface SqlEngine {
  readonly dialect: SqlDialect;
  /** Runs work on one snapshot. */
  read<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Runs work serialisably, again after a conflict. A statement that failed fails the whole. */
  write<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Runs a change of the layout: in one transaction, one process at a time, for as long as it takes. */
  migrate<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Lets go of everything; nothing is under way any more. */
  close(): Promise<void>;
}

/** The kind of column that a field has. */
export function columnType(kind: FieldKind): "text" | "number" | "boolean" {
  return kind.replace("?", "") as "text" | "number" | "boolean";
}
