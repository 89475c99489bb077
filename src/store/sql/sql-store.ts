/** The storage port over an SQL engine: one adapter for both engines. */
import { assertGrace, assertWork, definitionIn, withCheckedArguments } from "../argument-checks.ts";
import { type CollectionTable, plainDefinitions } from "../definition.ts";
import { createLock } from "../lock.ts";
import { blobGraceMs, type Store, type TransactionOptions } from "../port.ts";
import { assertOpen, createSessions, type Session } from "../session.ts";
import type { BlobBackend, BlobContext } from "./blobs/backend.ts";
import { removeUnclaimed } from "./blobs/blob-claims.ts";
import type { RunStatement, SqlEngine } from "./engines/engine.ts";
import { migrate } from "./migrations.ts";
import { readOperations } from "./read-operations.ts";
import type { SqlContext, SqlSession } from "./session.ts";
import { chunkRows as defaultChunkRows } from "./statements/keyset-pagination.ts";
import { createTable, type Table } from "./statements/table.ts";
import { writeOperations } from "./write-operations.ts";

/**
 * Sets the database up for the collections and opens the store. Closes the engine when that fails.
 *
 * @param chunkRows maximum number of rows that one statement of a listing or a count looks at
 */
export async function openSqlStore(
  engine: SqlEngine,
  collections: CollectionTable,
  blobs: BlobBackend,
  chunkRows = defaultChunkRows,
): Promise<Store> {
  const { dialect } = engine;
  const definitions = plainDefinitions(collections);
  try {
    await migrate(engine, definitions, blobs.isBucket ?? false);
    await removeOldBlobs(engine, blobs, blobGraceMs);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const tables = new Map<string, Table>();
  const tableOf = (collection: string) => {
    const table = tables.get(collection) ?? createTable(definitionIn(definitions, collection), dialect);
    tables.set(collection, table);
    return table;
  };
  return createSqlStore(engine, blobs, { dialect, chunkRows, tableOf, files: blobs.files });
}

/** Removes unclaimed blobs, and what no row of a blob names. Returns the number of the former. */
async function removeOldBlobs(engine: SqlEngine, blobs: BlobBackend, graceMs: number): Promise<number> {
  const nowMs = Date.now();
  const removed = await removeUnclaimed(engine, blobs.files, nowMs - graceMs);
  await blobs.removeLeftovers?.(nowMs - blobGraceMs, engine);
  return removed;
}

function createSqlStore(engine: SqlEngine, blobs: BlobBackend, context: SqlContext): Store {
  const sessions = createSessions<SqlSession>();
  /** Shared by the operations that are under way; `close` waits for them. */
  const activity = createLock();

  async function whileOpen<T>(operation: string, work: () => Promise<T>): Promise<T> {
    sessions.assertOutside(operation);
    const release = activity.tryAcquire(false) ?? (await activity.acquire(false));
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Runs each attempt at a transaction in a session of its own. */
  function inSession<Tx, T>(
    createTx: (session: SqlSession, context: SqlContext) => Tx,
    work: (tx: Tx) => Promise<T>,
    { flat }: TransactionOptions = {},
  ): (run: RunStatement) => Promise<T> {
    return (run) => {
      const session: SqlSession = { open: true, run: guardedRun(() => session, run) };
      return sessions.run(session, () => work(createTx(session, context)), flat);
    };
  }

  const blobContext: BlobContext = {
    dialect: engine.dialect,
    read: (work) => {
      const session = sessions.current();
      return session ? work(session.run) : whileOpen("a blob", () => engine.read(work));
    },
    write: (operation, work) => whileOpen(operation, () => engine.write(work)),
    track: (operation, work) => whileOpen(operation, () => work(engine)),
  };

  let closing: Promise<void> | undefined;
  return {
    read: (work, options) =>
      whileOpen("a transaction", () => {
        assertWork(work, options, "read");
        return engine.read(inSession(readOperations, work, options), options?.long);
      }),
    write: (work, options) =>
      whileOpen("a transaction", () => {
        assertWork(work, options, "write");
        return engine.write(inSession(writeOperations, work, options), options?.queue);
      }),
    blobs: {
      ...withCheckedArguments(blobs.create(blobContext)),
      removeUnclaimed: async (graceMs = blobGraceMs) => {
        assertGrace(graceMs);
        return whileOpen("removing blobs", () => removeOldBlobs(engine, blobs, graceMs));
      },
    },
    close: () => {
      sessions.close();
      closing ??= activity.acquire(true).then(() => engine.close());
      return closing;
    },
  };
}

function guardedRun(session: () => Session, run: RunStatement): RunStatement {
  return (statement) => {
    try {
      assertOpen(session());
    } catch (error) {
      return Promise.reject(error);
    }
    return run(statement);
  };
}
