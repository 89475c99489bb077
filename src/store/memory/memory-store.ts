/** The default store: in the memory of this process, with transactions that roll back. */
import {
  assertClaimCount,
  assertCounter,
  assertDistinct,
  assertGrace,
  assertPage,
  assertRecord,
  assertWork,
  type PlainCondition,
  type PlainQuery,
  withCheckedArguments,
} from "../argument-checks.ts";
import { collections } from "../collections.ts";
import { type CollectionTable, plainDefinitions, type StoredRecord } from "../definition.ts";
import { createLock } from "../lock.ts";
import { compareText } from "../order.ts";
import {
  blobGraceMs,
  type FieldValue,
  type Page,
  type ReadTransaction,
  type SequenceState,
  type Store,
  type TransactionOptions,
  UniqueViolationError,
  type WriteTransaction,
} from "../port.ts";
import { assertOpen, createSessions, type Session } from "../session.ts";
import { createMemoryBlobs, type MemoryBlobs } from "./blobs.ts";
import { createMemoryData, type MemoryData } from "./data.ts";
import { fieldOf, type MemoryRow } from "./query.ts";
import { countMatching, eachMatching, select } from "./select.ts";
import { frozenCopy } from "./snapshot.ts";
import type { Table, Undo } from "./table.ts";
import { type CountRecords, createTurns } from "./turns.ts";

/** One transaction, and the changes to revert when it fails. */
interface UndoSession extends Session {
  readonly undo: Undo[];
}

/**
 * Creates an empty store in memory. Reads run in parallel, writes one after another.
 *
 * @param table the collections to keep; by default edgeproof's own
 * @example
 * ```ts
 * const store = createMemoryStore();
 * await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "Example" }));
 * await store.read((tx) => tx.count("accounts", "world")); // => 1
 * ```
 */
export function createMemoryStore(table: CollectionTable = collections): Store {
  const data = createMemoryData(plainDefinitions(table));
  const lock = createLock();
  const sessions = createSessions<UndoSession>();
  const blobs = createMemoryBlobs(sessions.assertOutside);
  const countRecords = createTurns();

  async function run<T>(
    exclusive: boolean,
    work: (session: UndoSession) => Promise<T>,
    { flat }: TransactionOptions = {},
  ): Promise<T> {
    sessions.assertOutside("a transaction");
    const release = lock.tryAcquire(exclusive) ?? (await lock.acquire(exclusive));
    const session: UndoSession = { open: true, undo: [] };
    try {
      return await sessions.run(session, () => work(session), flat);
    } catch (error) {
      for (const undo of session.undo.reverse()) {
        undo();
        await countRecords(1);
      }
      throw error;
    } finally {
      release();
    }
  }

  /** A transaction may end while one of its operations waits for its turn. */
  const inSession =
    (session: UndoSession): CountRecords =>
    (records) =>
      countRecords(records)?.then(() => assertOpen(session));

  return {
    read: async (work, options) => {
      assertWork(work, options, "read");
      return run(false, (session) => work(readOperations(session, data, blobs, inSession(session))), options);
    },
    write: async (work, options) => {
      assertWork(work, options, "write");
      const withWrites = (session: UndoSession) =>
        work({
          ...readOperations(session, data, blobs, inSession(session)),
          ...writeOperations(session, data, inSession(session)),
          claimBlobs: async (keys, count = 1) => {
            assertOpen(session);
            assertClaimCount(count);
            session.undo.push(blobs.claim(keys, count));
          },
          releaseBlobs: async (keys) => {
            assertOpen(session);
            session.undo.push(blobs.release(keys));
          },
        });
      return run(true, withWrites, options);
    },
    blobs: {
      ...withCheckedArguments(blobs.store),
      removeUnclaimed: async (graceMs = blobGraceMs) => {
        assertGrace(graceMs);
        sessions.assertOutside("removing blobs");
        // Alone: a transaction that is rolled back restores the claims that it released.
        return run(true, async () => blobs.removeUnclaimed(graceMs));
      },
    },
    close: async () => {
      sessions.close();
      (await lock.acquire(true))();
      data.clear();
    },
  };
}

function readOperations(
  session: Session,
  data: MemoryData,
  blobs: Pick<MemoryBlobs, "countClaims">,
  countRecords: CountRecords,
): ReadTransaction {
  const open = (collection: string, scope: string) => {
    assertOpen(session);
    return data.peekTable(collection, scope);
  };
  return {
    get: async (collection, scope, id) => open(collection, scope).all.rows.get(id) as never,
    find: async (collection, scope, query = {}) => {
      const rows = await select(open(collection, scope), query as PlainQuery, countRecords);
      await countRecords(rows.length);
      return rows as never[];
    },
    count: async (collection, scope, where = []) =>
      countMatching(open(collection, scope), where as readonly PlainCondition[], countRecords),
    positions: async (collection, scope, query = {}) => {
      const rows = await select(open(collection, scope), query as PlainQuery, countRecords);
      const fields = (query.order ?? []).map(({ field }) => field);
      return rows.map((row) => [...fields.map((field) => fieldOf(row, field)), row.id]);
    },
    countDistinct: async (collection, scope, field, where = []) => {
      const table = open(collection, scope);
      assertDistinct(table.definition, field);
      const values = new Set<FieldValue>();
      await eachMatching(table, where as readonly PlainCondition[], countRecords, (row) =>
        values.add(fieldOf(row, field)),
      );
      return values.size;
    },
    changes: async (collection, scope, field, values) => {
      const table = open(collection, scope);
      assertCounter(table.definition, field, values);
      return table.changes(field, values);
    },
    scopes: async (collection, page = {}) => {
      assertOpen(session);
      return pageOf(data.scopesOf(collection), compareText, page);
    },
    countClaims: async (keys) => {
      assertOpen(session);
      return blobs.countClaims(keys);
    },
    sequences: async (page = {}) => {
      assertOpen(session);
      const byName = (a: SequenceName, b: SequenceName) =>
        compareText(a.scope, b.scope) || compareText(a.name, b.name);
      return pageOf(data.sequenceStates(), byName, page);
    },
  };
}

type SequenceName = Pick<SequenceState, "scope" | "name">;

function pageOf<P, T extends P>(all: T[], compare: (a: P, b: P) => number, page: Page<P>): T[] {
  assertPage(page);
  const { after, limit } = page;
  const rest = after === undefined ? all : all.filter((record) => compare(record, after) > 0);
  return rest.sort(compare).slice(0, limit);
}

function writeOperations(
  session: UndoSession,
  { tableOf, reserve }: MemoryData,
  countRecords: CountRecords,
): Omit<WriteTransaction, keyof ReadTransaction | "claimBlobs" | "releaseBlobs"> {
  const keepUndo = (undo: Undo | undefined): boolean => {
    if (undo) session.undo.push(undo);
    return undo !== undefined;
  };
  const checked = (collection: string, record: StoredRecord): { table: Table; row: MemoryRow } => {
    assertOpen(session);
    const table = tableOf(collection, record.scope);
    assertRecord(table.definition, record);
    return { table, row: frozenCopy(record) as MemoryRow };
  };
  return {
    insert: async (collection, record) => {
      const { table, row } = checked(collection, record);
      keepUndo(table.insert(row));
      await countRecords(1);
    },
    insertMissing: async (collection, records) => {
      const rows = [];
      for (const record of records) {
        rows.push(checked(collection, record));
        await countRecords(1);
      }
      let inserted = 0;
      for (const { table, row } of rows) {
        if (keepUndo(tryInsert(table, row))) inserted++;
        await countRecords(1);
      }
      return inserted;
    },
    replace: async (collection, record) => {
      const { table, row } = checked(collection, record);
      const isReplaced = keepUndo(table.replace(row));
      await countRecords(1);
      return isReplaced;
    },
    sequence: async (scope, name, count = 1) => {
      assertOpen(session);
      const { first, undo } = reserve(scope, name, count);
      session.undo.push(undo);
      return first;
    },
    delete: async (collection, scope, id) => {
      assertOpen(session);
      return keepUndo(tableOf(collection, scope).delete(id));
    },
    deleteWhere: async (collection, scope, where) => {
      assertOpen(session);
      const table = tableOf(collection, scope);
      const rows: MemoryRow[] = [];
      await eachMatching(table, where as readonly PlainCondition[], countRecords, (row) => rows.push(row));
      for (const { id } of rows) {
        keepUndo(table.delete(id));
        await countRecords(1);
      }
      return rows.length;
    },
  };
}

function tryInsert(table: Table, row: MemoryRow): Undo | undefined {
  try {
    return table.insert(row);
  } catch (error) {
    if (error instanceof UniqueViolationError) return undefined;
    throw error;
  }
}
