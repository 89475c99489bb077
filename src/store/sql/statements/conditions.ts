/** Conditions, and rows behind a place, as SQL over operands that are bound elsewhere. */
import { type RawBuilder, sql } from "kysely";
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import type { FieldValue } from "../../port.ts";
import type { SqlDialect } from "../engines/engine.ts";

/** Stands for a bound value. */
export type Operand = RawBuilder<unknown>;

const comparisons = { eq: "=", ne: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** What of a condition is in the text of its statement; the rest is bound. */
export function conditionShape({ field, op, value }: PlainCondition): readonly unknown[] {
  return [field, op, op === "in" ? (value as readonly FieldValue[]).includes(null) : value === null];
}

/** The SQL of a condition. Of its value only that is looked at which `conditionShape` names. */
export function conditionSql(
  dialect: SqlDialect,
  condition: PlainCondition,
  operand: Operand,
): RawBuilder<boolean> {
  const { field, op, value } = condition;
  const column = sql.ref(field);
  if (op === "contains") return dialect.contains(column, operand);
  if (op === "in") {
    const set = field === "id" ? dialect.inKeys(column, operand) : dialect.inSet(column, operand);
    return (value as readonly FieldValue[]).includes(null) ? sql`(${set} or ${column} is null)` : set;
  }
  if (value !== null) return sql`${column} ${sql.raw(comparisons[op])} ${operand}`;
  if (op === "eq") return sql`${column} is null`;
  return op === "ne" ? sql`${column} is not null` : sql`1 = 0`;
}

/**
 * Which rows behind a place are meant: all of them, by one comparison, or those that equal the place in so many of
 * the first keys and stand behind it in the next.
 */
export type Stretch = "all" | number;

/**
 * The stretches that all rows behind a place fall into, in order. Keys of one direction make one stretch; with others,
 * a single condition would make engines read from the start of the rows that equal the place in its first key.
 */
export function stretchesOf(keys: readonly PlainOrder[]): readonly Stretch[] {
  if (keys.every((key) => key.direction === keys[0]!.direction)) return ["all"];
  return keys.map((_, i) => keys.length - 1 - i);
}

/** The rows of a stretch. Written so that an index on the keys is entered at the place. */
export function stretchSql(
  keys: readonly PlainOrder[],
  stretch: Stretch,
  operands: readonly Operand[],
): RawBuilder<boolean> {
  const columns = keys.map((k) => sql.ref(k.field));
  const beyond = (i: number) => sql.raw(keys[i]!.direction === "asc" ? ">" : "<");
  if (stretch === "all") return sql`(${sql.join(columns)}) ${beyond(0)} (${sql.join(operands)})`;
  const equal = columns.slice(0, stretch).map((column, i) => sql`${column} = ${operands[i]}`);
  const next = sql`${columns[stretch]} ${beyond(stretch)} ${operands[stretch]}`;
  return sql`${sql.join([...equal, next], sql` and `)}`;
}
