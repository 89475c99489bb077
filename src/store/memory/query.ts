/** Conditions and orders of the storage port as functions over records. */
import type { PlainCondition, PlainOrder } from "../argument-checks.ts";
import { compareText, compareValues } from "../order.ts";
import type { FieldValue } from "../port.ts";

/** A record whose members are read by name. */
export type MemoryRow = { readonly scope: string; readonly id: string } & Readonly<Record<string, unknown>>;

/** Negative when the first row comes before the second. */
export type Compare = (a: MemoryRow, b: MemoryRow) => number;

/** A test that is false when either value is null. */
function ordered(holds: (comparison: number) => boolean) {
  return (found: FieldValue, value: FieldValue) =>
    found !== null && value !== null && holds(compareValues(found, value));
}

const tests: Record<PlainCondition["op"], (found: FieldValue, value: never) => boolean> = {
  eq: (found, value: FieldValue) => found === value,
  ne: (found, value: FieldValue) => found !== null && found !== value,
  lt: ordered((c) => c < 0),
  lte: ordered((c) => c <= 0),
  gt: ordered((c) => c > 0),
  gte: ordered((c) => c >= 0),
  in: (found, values: ReadonlySet<FieldValue>) => values.has(found),
  contains: (found, value: string) => typeof found === "string" && found.includes(value),
};

/** A predicate that is true of rows for which all conditions hold. */
export function compileWhere(where: readonly PlainCondition[]): (row: MemoryRow) => boolean {
  const conditions = where.map(({ field, op, value }) => {
    const operand = op === "in" ? new Set(value as readonly FieldValue[]) : value;
    return { field, test: tests[op], operand: operand as never };
  });
  return (row) => conditions.every((c) => c.test(fieldOf(row, c.field), c.operand));
}

/** The comparison of an order; ties are ordered by id. */
export function compileOrder(order: readonly PlainOrder[]): Compare {
  const keys = order.map((o) => ({ field: o.field, sign: o.direction === "asc" ? 1 : -1 }));
  return (a, b) => {
    for (const { field, sign } of keys) {
      const c = compareValues(fieldOf(a, field), fieldOf(b, field));
      if (c !== 0) return c * sign;
    }
    return compareText(a.id, b.id);
  };
}

/** A row at the position that the `after` values name. */
export function rowAt(order: readonly PlainOrder[], after: readonly FieldValue[]): MemoryRow {
  const fields = order.map((o, i) => [o.field, after[i]]);
  return { ...Object.fromEntries(fields), scope: "", id: String(after[order.length]) };
}

export function fieldOf(row: MemoryRow, field: string): FieldValue {
  return (row[field] as FieldValue | undefined) ?? null;
}
