/** Conditions as SQL whose values are bound later. */
import { type RawBuilder, sql } from "kysely";
import type { PlainCondition } from "../../argument-checks.ts";
import type { FieldValue } from "../../port.ts";
import type { SqlDialect } from "../engines/engine.ts";
import type { Operand } from "./statement-cache.ts";
import type { Table } from "./table.ts";
import { encodeText } from "./text.ts";

const comparisons = { eq: "=", ne: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** The part of conditions that is written in the text of a statement, as a key of the statement cache. */
export function conditionsKey(where: readonly PlainCondition[]): string {
  return JSON.stringify(where.map(({ field, op, value }) => [field, op, hasNull(value)]));
}

/** The part of conditions that is bound: one value for each. */
export function conditionValues(table: Table, where: readonly PlainCondition[]): unknown[] {
  return where.map(({ field, op, value }) => {
    if (op === "contains") return encodeText(value as string);
    if (op !== "in") return table.encode(field, value as FieldValue);
    const members = (value as readonly FieldValue[]).filter((member) => member !== null);
    return table.dialect.bindSet(members.map((member) => table.encode(field, member)));
  });
}

/** All conditions, within one scope. */
export function whereInScope(
  dialect: SqlDialect,
  scope: Operand,
  where: readonly PlainCondition[],
  operands: readonly Operand[],
): RawBuilder<boolean> {
  return allOf([sql`${sql.ref("scope")} = ${scope}`, ...conditionsSql(dialect, where, operands)]);
}

/** The SQL of each condition. Depends on no more of a condition than `conditionsKey` holds. */
export function conditionsSql(
  dialect: SqlDialect,
  where: readonly PlainCondition[],
  operands: readonly Operand[],
): RawBuilder<unknown>[] {
  return where.map((condition, i) => conditionSql(dialect, condition, operands[i]!));
}

function conditionSql(
  dialect: SqlDialect,
  { field, op, value }: PlainCondition,
  operand: Operand,
): RawBuilder<unknown> {
  const column = sql.ref(field);
  if (op === "contains") return dialect.contains(column, operand);
  if (op === "in") {
    const set = field === "id" ? dialect.inKeys(column, operand) : dialect.inSet(column, operand);
    return hasNull(value) ? sql`(${set} or ${column} is null)` : set;
  }
  if (value !== null) return sql`${column} ${sql.raw(comparisons[op])} ${operand}`;
  if (op === "eq") return sql`${column} is null`;
  return op === "ne" ? sql`${column} is not null` : sql`1 = 0`;
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`;
}

function hasNull(value: PlainCondition["value"]): boolean {
  return Array.isArray(value) ? value.includes(null) : value === null;
}
