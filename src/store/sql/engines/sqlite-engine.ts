/** SQLite through libsql: one connection for writes, a few for reads on snapshots. */
import { quote } from "../../../errors.ts";
import { driverReason, sqliteCode, unavailableFor } from "../../driver-reasons.ts";
import { createLock } from "../../lock.ts";
import { layoutRow } from "../migrations.ts";
import { atExit } from "./at-exit.ts";
import { createSqliteDialect } from "./dialects.ts";
import type { RunStatement, SqlEngine } from "./engine.ts";
import { createBackoff } from "./retry.ts";
import { type Connection, openConnection, openWaitMs, type SqliteDriver } from "./sqlite-connection.ts";
import { assertOwnFile, createFile } from "./sqlite-file.ts";
import { createReaders, inTurns, type Statements } from "./sqlite-readers.ts";

/** Maximum wait of readers, in milliseconds: only opening or closing the file blocks them. */
const readerWaitMs = 1000;

export interface SqliteEngineOptions {
  readonly path: string;
  /** Whether a file without a store becomes one. */
  readonly create: boolean;
  /** Maximum wait for another process that writes, in milliseconds. */
  readonly lockWaitMs: number;
}

export async function createSqliteEngine(
  driver: SqliteDriver,
  { path, create, lockWaitMs }: SqliteEngineOptions,
): Promise<SqlEngine> {
  if (create) createFile(path);
  try {
    assertOwnFile(driver.Database, path, { create, waitMs: openWaitMs });
  } catch (error) {
    throw unavailable(path, error);
  }
  const writer = openConnection(driver, path);
  const openReaders = new Set<Connection>();
  const readers = createReaders(() => {
    const reader = openConnection(driver, path);
    reader.pragma(`busy_timeout = ${readerWaitMs}`);
    openReaders.add(reader);
    return {
      ...reader,
      close: () => {
        openReaders.delete(reader);
        reader.close();
      },
    };
  });
  const lock = createLock();
  const dialect = createSqliteDialect();

  async function begin(connection: Connection): Promise<void> {
    const backoff = createBackoff(lockWaitMs);
    for (;;) {
      try {
        return connection.exec("begin immediate");
      } catch (error) {
        if (!isBusy(error)) throw unavailable(path, error);
        if (!(await backoff.wait())) throw unavailable(path, error);
      }
    }
  }

  async function write<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    const release = await lock.acquire(true);
    try {
      await begin(writer);
      // The disk can take long.
      const commit = () => writer.execInThread("commit");
      return await finish(writer, path, { statements: inTurns(writer), commit }, work);
    } finally {
      release();
    }
  }

  await prepareFile(writer, path, lockWaitMs);
  const closed = atExit(() => {
    // Open snapshots would keep a part of the log.
    for (const connection of [...openReaders, writer]) rollback(connection);
    moveLogIntoFile(writer, path);
  });
  return {
    dialect,
    write,
    read: (work) =>
      readers.use((connection, statements) => {
        connection.exec("begin");
        return finish(connection, path, { statements, commit: () => connection.exec("commit") }, work);
      }),
    migrate: (work) =>
      write(async (run) => {
        await run(layoutRow(dialect).createTable);
        return work(run);
      }),
    close: async () => {
      closed();
      readers.close();
      try {
        moveLogIntoFile(writer, path);
      } finally {
        writer.close();
      }
    },
  };
}

/** The statements of a transaction that has begun, and its end. */
interface Begun {
  readonly statements: Statements;
  commit(): void | Promise<void>;
}

/** Runs work in a transaction that has begun, then commits it, or rolls it back when anything failed. */
async function finish<T>(
  connection: Connection,
  path: string,
  { statements: { run, settled }, commit }: Begun,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= unavailable(path, error);
    return Promise.reject(failure);
  };
  try {
    const result = await work((statement) => {
      try {
        const done = run(statement);
        return done instanceof Promise ? done.catch(fail) : Promise.resolve(done);
      } catch (error) {
        return fail(error);
      }
    });
    const running = settled();
    if (running) await running;
    if (failure !== undefined) throw failure;
    const committing = commit();
    if (committing) await committing;
    return result;
  } catch (error) {
    await settled();
    rollback(connection);
    throw failure ?? (sqliteCode(error) === undefined ? error : unavailable(path, error));
  }
}

function rollback(connection: Connection): void {
  try {
    connection.exec("rollback");
  } catch {
    // SQLite ended the transaction itself, for example because the disk is full.
  }
}

/** Enables the write-ahead log, so that writers do not block readers. */
async function prepareFile(connection: Connection, path: string, lockWaitMs: number): Promise<void> {
  const backoff = createBackoff(lockWaitMs);
  for (;;) {
    try {
      connection.pragma("journal_mode = wal");
      return;
    } catch (error) {
      if (!isBusy(error) || !(await backoff.wait())) {
        connection.close();
        throw unavailable(path, error);
      }
    }
  }
}

/**
 * Moves everything from the write-ahead log into the file, so that a copy of the file alone is the whole store. While
 * another process uses the file, that process does it when it closes.
 *
 * @throws {DependencyUnavailableError} when the file cannot be written, for example on a full disk; nothing is lost then
 */
function moveLogIntoFile(connection: Connection, path: string): void {
  try {
    connection.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    if (!isBusy(error)) throw unavailable(path, error);
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? "");
}

function unavailable(path: string, error: unknown): unknown {
  const reason = driverReason(error);
  if (reason === undefined) return error;
  return unavailableFor(`the store ${quote(path)} cannot be used`, reason, error);
}
