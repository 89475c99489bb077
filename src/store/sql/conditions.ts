/** Conditions, and what stands behind a place, as SQL over operands that are bound elsewhere. */
import { type RawBuilder, sql } from "kysely";
import type { PlainCondition, PlainOrder } from "../checks.ts";
import type { FieldValue } from "../port.ts";
import type { SqlDialect } from "./engine.ts";

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
    const set = dialect.inSet(column, operand);
    return (value as readonly FieldValue[]).includes(null) ? sql`(${set} or ${column} is null)` : set;
  }
  if (value !== null) return sql`${column} ${sql.raw(comparisons[op])} ${operand}`;
  if (op === "eq") return sql`${column} is null`;
  return op === "ne" ? sql`${column} is not null` : sql`1 = 0`;
}

/** What stands behind a place. Written so that an index on the order's fields is entered at the place. */
export function keysetSql(keys: readonly PlainOrder[], operands: readonly Operand[]): RawBuilder<boolean> {
  const columns = keys.map((k) => sql.ref(k.field));
  const beyond = (i: number) => sql.raw(keys[i]!.direction === "asc" ? ">" : "<");
  if (keys.every((k) => k.direction === keys[0]!.direction))
    return sql`(${sql.join(columns)}) ${beyond(0)} (${sql.join(operands)})`;
  const alternatives = keys.map((_, last) => {
    const equal = columns.slice(0, last).map((column, i) => sql`${column} = ${operands[i]}`);
    return sql.join([...equal, sql`${columns[last]} ${beyond(last)} ${operands[last]}`], sql` and `);
  });
  return sql`${columns[0]} ${beyond(0)}= ${operands[0]} and ((${sql.join(alternatives, sql`) or (`)}))`;
}
