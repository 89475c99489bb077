/** Ranges of a sorted listing, for keyset pagination: the rows after a position in the order. */
import { type RawBuilder, sql } from "kysely";
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import type { Operand } from "./statement-cache.ts";

/** Adjoining rows of a listing that one statement can read by an index. */
export interface KeyRange {
  readonly where: readonly PlainCondition[];
  /** The order of the listing; its last key is the id. */
  readonly keys: readonly PlainOrder[];
  /** Only rows after a position: the values of the keys, as their columns hold them. */
  readonly after?: { readonly bound: Bound; readonly position: readonly unknown[] };
  /** Conditions that no index supports. */
  readonly filter: readonly PlainCondition[];
}

/**
 * The rows after a position that a range holds: all of them, or those that equal the position in this number of leading
 * keys and come after it in the next one.
 */
export type Bound = "all" | number;

/**
 * The ranges that hold all rows after a position, in the order of the listing. Keys of one direction need one range;
 * mixed directions need one for each key, since an engine would scan a single condition from the first row that equals
 * the position in its first key.
 */
export function rangesAfter(range: KeyRange, position: readonly unknown[]): readonly KeyRange[] {
  const where = range.where.filter((condition) => !isImplied(condition, range.keys[0], position[0]));
  return boundsOf(range.keys).map((bound) => ({ ...range, where, after: { bound, position } }));
}

/** Whether a condition holds for all rows after a position: SQLite could enter an index at the condition instead. */
function isImplied(
  { field, op, value }: PlainCondition,
  first: PlainOrder | undefined,
  at: unknown,
): boolean {
  if (field !== first?.field || typeof value !== "number" || typeof at !== "number") return false;
  if (first.direction === "asc") return (op === "gt" && at > value) || (op === "gte" && at >= value);
  return (op === "lt" && at < value) || (op === "lte" && at <= value);
}

/** The bounds of the ranges that together hold all rows after a position, in the order of the listing. */
export function boundsOf(keys: readonly PlainOrder[]): readonly Bound[] {
  if (new Set(keys.map((key) => key.direction)).size === 1) return ["all"];
  return keys.map((_, i) => keys.length - 1 - i);
}

/** The condition of a bound, written so that an engine enters an index on the keys at the position. */
export function boundSql(
  keys: readonly PlainOrder[],
  bound: Bound,
  operands: readonly Operand[],
): RawBuilder<boolean> {
  const last = bound === "all" ? 0 : bound;
  const isAfter = sql.raw(keys[last]?.direction === "desc" ? "<" : ">");
  const columns = keys.map((key) => sql.ref(key.field));
  if (bound === "all") return sql`(${sql.join(columns)}) ${isAfter} (${sql.join(operands)})`;
  const equal = columns.slice(0, bound).map((column, i) => sql`${column} = ${operands[i]}`);
  return sql`${sql.join([...equal, sql`${columns[bound]} ${isAfter} ${operands[bound]}`], sql` and `)}`;
}
