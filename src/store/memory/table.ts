/** The records of one collection in one scope, with indexes for unique fields and filtered lists. */
import type { PlainCondition } from "../argument-checks.ts";
import type { CollectionName } from "../collections.ts";
import { indexField, type PlainDefinition } from "../definition.ts";
import { maintainedCountFor } from "../maintained-counts.ts";
import { type FieldValue, UniqueViolationError } from "../port.ts";
import { fieldOf, type MemoryRow } from "./query.ts";
import { createRowSet, type RowSet } from "./row-set.ts";
import { createWideMap } from "./wide-map.ts";

/** Reverts a change. */
export type Undo = () => void;

/** Sets without a common row, or the few rows that conditions name. */
export type Candidates = { readonly sets: readonly RowSet[] } | { readonly rows: readonly MemoryRow[] };

export interface Table {
  readonly definition: PlainDefinition;
  readonly all: RowSet;
  /** The smallest indexed sets that contain every row for which the conditions hold; others may be in them. */
  candidates(where: readonly PlainCondition[]): Candidates;
  /** The number of rows for which the conditions hold, when the table maintains it. */
  maintainedCount(where: readonly PlainCondition[]): number | undefined;
  /** The number of changes of the rows that have one of these values in a field. */
  changes(field: string, values: readonly FieldValue[]): number;
  insert(row: MemoryRow): Undo;
  replace(row: MemoryRow): Undo | undefined;
  delete(id: string): Undo | undefined;
}

export function createTable(definition: PlainDefinition): Table {
  const all = createRowSet();
  const { rows } = all;
  const uniques = definition.unique.map((fields) => ({ fields, ids: createWideMap<string>() }));
  const buckets = createBuckets(definition);
  const counts = createCounts(definition);
  const changes = createChangeCounters(definition);

  function assertFree(row: MemoryRow): void {
    for (const { fields, ids } of uniques) {
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
    changes.add(row);
    for (const { fields, ids } of uniques) {
      const key = uniqueKey(row, fields);
      if (key !== undefined) ids.set(key, row.id);
    }
  }

  function remove(row: MemoryRow): void {
    all.remove(row);
    buckets.remove(row);
    counts.add(row, -1);
    changes.add(row);
    for (const { fields, ids } of uniques) {
      const key = uniqueKey(row, fields);
      if (key !== undefined) ids.delete(key);
    }
  }

  /** The id of the row that holds a unique combination which the conditions equate: none or one. */
  function equatedHolder(where: readonly PlainCondition[]): string[] | undefined {
    const equated = new Map(where.filter((c) => c.op === "eq").map((c) => [c.field, c.value]));
    const named = uniques.find(({ fields }) => fields.every((f) => (equated.get(f) ?? null) !== null));
    const holder = named?.ids.get(JSON.stringify(named.fields.map((f) => equated.get(f))));
    return named && (holder === undefined ? [] : [holder]);
  }

  return {
    definition,
    all,
    candidates: (where) => {
      const ids = equatedIds(where) ?? equatedHolder(where);
      return ids ? { rows: rowsById(rows, ids) } : { sets: buckets.smallest(where) ?? [all] };
    },
    maintainedCount: (where) => (where.length === 0 ? rows.size : counts.of(where)),
    changes: changes.of,
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

/** The maintained counts: the number of rows for each combination of values. */
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
      const kept = combinations.find((combination) => combination.fields === fields);
      const equal = new Map(where.map((c) => [c.field, c.value]));
      return kept && (kept.counts.get(JSON.stringify(kept.fields.map((f) => equal.get(f)))) ?? 0);
    },
  };
}

/** The number of changes of the rows with each value of a field. Changes that are undone count too. */
function createChangeCounters({ changeCounters }: PlainDefinition) {
  const byField = new Map(changeCounters.map((field) => [field, new Map<FieldValue, number>()]));
  return {
    add: (row: MemoryRow): void => {
      for (const [field, counts] of byField) {
        const value = fieldOf(row, field);
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    },
    of: (field: string, values: readonly FieldValue[]): number => {
      const counts = byField.get(field);
      return [...new Set(values)].reduce<number>((sum, value) => sum + (counts?.get(value) ?? 0), 0);
    },
  };
}

/** The rows by the value of each field that starts an index. */
function createBuckets({ indexes }: PlainDefinition) {
  // An index of one field serves lists in its order; longer ones begin with a field that conditions equate.
  const fields = new Set(
    indexes.flatMap(([first, ...rest]) => (first && rest[0] ? [indexField(first).field] : [])),
  );
  const byField = new Map([...fields].map((field) => [field, new Map<FieldValue, RowSet>()]));
  const empty = createRowSet();
  const bucketOf = (field: string, value: unknown) => byField.get(field)?.get(value as FieldValue) ?? empty;

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
    smallest: (where: readonly PlainCondition[]): readonly RowSet[] | undefined =>
      where
        .filter(({ field, op }) => (op === "eq" || op === "in") && byField.has(field))
        .map(({ field, value }) => [...new Set([value].flat())].map((each) => bucketOf(field, each)))
        .sort((a, b) => sizeOf(a) - sizeOf(b))[0],
  };
}

function sizeOf(sets: readonly RowSet[]): number {
  return sets.reduce((sum, { rows }) => sum + rows.size, 0);
}

function equatedIds(where: readonly PlainCondition[]): readonly unknown[] | undefined {
  const named = where.find((c) => c.field === "id" && (c.op === "eq" || c.op === "in"));
  return named && [named.value].flat();
}

function rowsById(rows: RowSet["rows"], ids: readonly unknown[]): MemoryRow[] {
  const found = [...new Set(ids)].map((id) => rows.get(id as string));
  return found.filter((row) => row !== undefined);
}

function uniqueKey(row: MemoryRow, fields: readonly string[]): string | undefined {
  const values = fields.map((f) => fieldOf(row, f));
  return values.includes(null) ? undefined : JSON.stringify(values);
}
