/** The writes of a transaction as SQL statements, and the counts that they maintain. */
import {
  assertClaimCount,
  assertRecord,
  assertSequenceCount,
  assertWhere,
  type PlainCondition,
} from "../argument-checks.ts";
import type { CollectionName } from "../collections.ts";
import type { StoredRecord } from "../definition.ts";
import { type ReadTransaction, UniqueViolationError, type WriteTransaction } from "../port.ts";
import { claimBlobs, releaseBlobs } from "./blobs/blob-claims.ts";
import type { RunStatement, Statement } from "./engines/engine.ts";
import { readOperations } from "./read-operations.ts";
import type { SqlContext, SqlSession } from "./session.ts";
import { changeCounts } from "./statements/counts.ts";
import {
  countedValues,
  deleteMatching,
  deleteRecord,
  insertRecords,
  maxBatch,
  selectCounted,
  selectHolder,
  selectRecord,
  updateRecord,
} from "./statements/records.ts";
import { nextNumbers } from "./statements/sequences.ts";
import type { Table } from "./statements/table.ts";

/** Maximum number of records that one statement deletes: some milliseconds in SQLite with many indexes. `chosen` */
const maxDeleted = 500;

type WriteOperations = Omit<WriteTransaction, keyof ReadTransaction>;

export function writeOperations(session: SqlSession, context: SqlContext): WriteTransaction {
  const { run } = session;
  return {
    ...readOperations(session, context),
    ...recordOperations(run, context),
    ...blobOperations(run, context),
    sequence: async (scope, name, count = 1) => {
      assertSequenceCount(count);
      const { rows } = await run(nextNumbers(context.dialect, scope, name, count));
      return Number(rows[0]?.["last"]) - count + 1;
    },
  };
}

function blobOperations(
  run: RunStatement,
  { dialect, files }: SqlContext,
): Pick<WriteOperations, "claimBlobs" | "releaseBlobs"> {
  return {
    claimBlobs: async (keys, count = 1) => {
      assertClaimCount(count);
      await claimBlobs(run, dialect, files, keys, count);
    },
    releaseBlobs: (keys) => releaseBlobs(run, dialect, keys, Date.now()),
  };
}

function recordOperations(
  run: RunStatement,
  { tableOf, chunkRows }: SqlContext,
): Omit<WriteOperations, "sequence" | "claimBlobs" | "releaseBlobs"> {
  const checkedTable = (collection: string, record: StoredRecord) => {
    const table = tableOf(collection);
    assertRecord(table.definition, record);
    return table;
  };
  return {
    insert: async (collection, record) => {
      const table = checkedTable(collection, record);
      if ((await runCounted(run, table, 1, insertRecords(table, [record]))) > 0) return;
      const hasId = await exists(run, table, record);
      const taken = hasId ? undefined : await takenCombination(run, table, record);
      throw new UniqueViolationError(collection, taken ?? ["id"]);
    },
    insertMissing: async (collection, records) => {
      const table = tableOf(collection);
      for (const record of records) assertRecord(table.definition, record);
      const size = maxBatch(table);
      let added = 0;
      for (let from = 0; from < records.length; from += size)
        added += await runCounted(run, table, 1, insertRecords(table, records.slice(from, from + size)));
      return added;
    },
    replace: async (collection, record) => replace(run, checkedTable(collection, record), record),
    delete: async (collection, scope, id) => {
      const table = tableOf(collection);
      return (await runCounted(run, table, -1, deleteRecord(table, scope, id))) > 0;
    },
    deleteWhere: async (collection, scope, where) => {
      const table = tableOf(collection);
      assertWhere(table.definition, where as readonly PlainCondition[]);
      const size = Math.min(chunkRows, maxDeleted);
      const chunk = deleteMatching(table, scope, where as readonly PlainCondition[], size);
      for (let total = 0; ; ) {
        const deleted = await runCounted(run, table, -1, chunk);
        total += deleted;
        if (deleted < size) return total;
      }
    },
  };
}

/** Runs a statement that adds (1) or removes (-1) records, updates their counts, and returns their number. */
async function runCounted(
  run: RunStatement,
  { definition, dialect, countedColumns }: Table,
  by: 1 | -1,
  statement: Statement,
): Promise<number> {
  const { rows, changed } = await run(statement);
  if (countedColumns.length === 0) return changed;
  await changeCounts(run, dialect, definition, [{ rows, by }]);
  return rows.length;
}

async function exists(run: RunStatement, table: Table, { scope, id }: StoredRecord): Promise<boolean> {
  return (await run(selectRecord(table, scope, id))).rows.length > 0;
}

/** The first unique combination that another record holds. */
async function takenCombination(
  run: RunStatement,
  table: Table,
  record: StoredRecord,
): Promise<readonly string[] | undefined> {
  for (const fields of table.definition.unique) {
    const holder = selectHolder(table, record, fields);
    if (holder && (await run(holder)).rows.length > 0) return fields;
  }
  return undefined;
}

async function replace(run: RunStatement, table: Table, record: StoredRecord): Promise<boolean> {
  const taken = await takenCombination(run, table, record);
  if (!taken) return update(run, table, record);
  if (!(await exists(run, table, record))) return false;
  throw new UniqueViolationError(table.definition.name as CollectionName, taken);
}

async function update(run: RunStatement, table: Table, record: StoredRecord): Promise<boolean> {
  const { definition, dialect } = table;
  if (table.countedColumns.length === 0) return (await run(updateRecord(table, record))).changed > 0;
  const { rows } = await run(selectCounted(table, record.scope, record.id));
  if ((await run(updateRecord(table, record))).changed === 0) return false;
  const after = { rows: [countedValues(table, record)], by: 1 };
  await changeCounts(run, dialect, definition, [{ rows, by: -1 }, after]);
  return true;
}
