/** The records of one collection in one scope, with what makes unique fields and filtered lists quick. */
import type { PlainCondition } from "../argument-checks.ts";
import type { CollectionName } from "../collections.ts";
import { indexField, type PlainDefinition } from "../definition.ts";
import { maintainedCountFor } from "../maintained-counts.ts";
import { type FieldValue, UniqueViolationError } from "../port.ts";
import { fieldOf, type MemoryRow } from "./query.ts";
import { createRowSet, type RowSet } from "./row-set.ts";

/** What takes a change back. */
export type Undo = () => void;

export interface Table {
  readonly definition: PlainDefinition;
  readonly all: RowSet;
  /** The smallest set of rows that is at hand for conditions, all of which hold. Not all of its rows need match. */
  candidates(where: readonly PlainCondition[]): RowSet | readonly MemoryRow[];
  /** How many rows there are for which the conditions hold, where that number is kept. */
  maintainedCount(where: readonly PlainCondition[]): number | undefined;
  insert(row: MemoryRow): Undo;
  replace(row: MemoryRow): Undo | undefined;
  delete(id: string): Undo | undefined;
}

export function createTable(definition: PlainDefinition): Table {
  const all = createRowSet();
  const { rows } = all;
  const taken = definition.unique.map((fields) => ({ fields, ids: new Map<string, string>() }));
  const buckets = createBuckets(definition);
  const counts = createCounts(definition);

  function assertFree(row: MemoryRow): void {
    for (const { fields, ids } of taken) {
      const key = uniqueKey(row, fields);
      const holder = key === undefined ? undefined : ids.get(key);
      if (holder !== undefined && holder !== row.id)
        throw new UniqueViolationError(definition.name as CollectionName, fields);
    }
  }

  function add(row: MemoryRow): void {
    all.add(row);
    buckets.add(row);
    counts.add(row, 1);
    for (const { fields, ids } of taken) {
      const key = uniqueKey(row, fields);
      if (key !== undefined) ids.set(key, row.id);
    }
  }

  function remove(row: MemoryRow): void {
    all.remove(row);
    buckets.remove(row);
    counts.add(row, -1);
    for (const { fields, ids } of taken) {
      const key = uniqueKey(row, fields);
      if (key !== undefined) ids.delete(key);
    }
  }

  /** The one row that can hold a unique combination all of which is equated. */
  function holderNamed(where: readonly PlainCondition[]): string[] | undefined {
    const equated = new Map(where.filter((c) => c.op === "eq").map((c) => [c.field, c.value]));
    const named = taken.find(({ fields }) => fields.every((f) => (equated.get(f) ?? null) !== null));
    const holder = named?.ids.get(JSON.stringify(named.fields.map((f) => equated.get(f))));
    return named && (holder === undefined ? [] : [holder]);
  }

  return {
    definition,
    all,
    candidates: (where) => {
      const ids = idsNamed(where) ?? holderNamed(where);
      return ids ? rowsById(rows, ids) : (buckets.smallest(where) ?? all);
    },
    maintainedCount: (where) => (where.length === 0 ? rows.size : counts.of(where)),
    insert: (row) => {
      if (rows.has(row.id)) throw new UniqueViolationError(definition.name as CollectionName, ["id"]);
      assertFree(row);
      add(row);
      return () => remove(row);
    },
    replace: (row) => {
      const old = rows.get(row.id);
      if (!old) return undefined;
      assertFree(row);
      remove(old);
      add(row);
      return () => {
        remove(row);
        add(old);
      };
    },
    delete: (id) => {
      const old = rows.get(id);
      if (!old) return undefined;
      remove(old);
      return () => add(old);
    },
  };
}

/** How many rows have the values of each counted combination. */
function createCounts(definition: PlainDefinition) {
  const combinations = definition.maintainedCounts.map((fields) => ({
    fields,
    counts: new Map<string, number>(),
  }));
  return {
    add: (row: MemoryRow, change: 1 | -1): void => {
      for (const { fields, counts } of combinations) {
        const key = JSON.stringify(fields.map((field) => fieldOf(row, field)));
        const count = (counts.get(key) ?? 0) + change;
        if (count === 0) counts.delete(key);
        else counts.set(key, count);
      }
    },
    of: (where: readonly PlainCondition[]): number | undefined => {
      const fields = maintainedCountFor(definition, where);
      const kept = combinations.find((one) => one.fields === fields);
      const equal = new Map(where.map((c) => [c.field, c.value]));
      return kept && (kept.counts.get(JSON.stringify(kept.fields.map((f) => equal.get(f)))) ?? 0);
    },
  };
}

/** The rows by the value of each field that an index begins with. */
function createBuckets({ indexes }: PlainDefinition) {
  // An index of one field is for lists in its order; one that begins with an equated field has more.
  const fields = new Set(indexes.filter((i) => i.length > 1).map((i) => indexField(i[0]!).field));
  const byField = new Map([...fields].map((field) => [field, new Map<FieldValue, RowSet>()]));
  const empty = createRowSet();

  return {
    add: (row: MemoryRow): void => {
      for (const [field, byValue] of byField) {
        const value = fieldOf(row, field);
        const bucket = byValue.get(value) ?? createRowSet();
        byValue.set(value, bucket);
        bucket.add(row);
      }
    },
    remove: (row: MemoryRow): void => {
      for (const [field, byValue] of byField) {
        const value = fieldOf(row, field);
        const bucket = byValue.get(value);
        bucket?.remove(row);
        if (bucket?.rows.size === 0) byValue.delete(value);
      }
    },
    smallest: (where: readonly PlainCondition[]): RowSet | undefined =>
      where
        .filter((c) => c.op === "eq" && byField.has(c.field))
        .map((c) => byField.get(c.field)?.get(c.value as FieldValue) ?? empty)
        .sort((a, b) => a.rows.size - b.rows.size)[0],
  };
}

function idsNamed(where: readonly PlainCondition[]): readonly unknown[] | undefined {
  const named = where.find((c) => c.field === "id" && (c.op === "eq" || c.op === "in"));
  return named && [named.value].flat();
}

function rowsById(rows: ReadonlyMap<string, MemoryRow>, ids: readonly unknown[]): MemoryRow[] {
  const found = [...new Set(ids)].map((id) => rows.get(id as string));
  return found.filter((row) => row !== undefined);
}

function uniqueKey(row: MemoryRow, fields: readonly string[]): string | undefined {
  const values = fields.map((f) => fieldOf(row, f));
  return values.includes(null) ? undefined : JSON.stringify(values);
}
