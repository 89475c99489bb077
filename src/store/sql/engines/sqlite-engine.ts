/** SQLite through libsql: one connection for writes, a few for reads on snapshots. */
import type Database from "libsql";
import { DependencyUnavailableError, quote } from "../../../errors.ts";
import { createLock } from "../../lock.ts";
import { layoutRow } from "../migrations.ts";
import { atExit } from "./at-exit.ts";
import { createSqliteDialect } from "./dialects.ts";
import type { RunStatement, SqlEngine, SqlResult, Statement } from "./engine.ts";
import { createBackoff } from "./retry.ts";
import { assertOwnFile, createFile } from "./sqlite-file.ts";
import { createReaders, createTurns, type YieldTurn } from "./sqlite-readers.ts";

/** Size of a connection's page cache, in KiB: with SQLite's default of 2 MiB, large indexes are slow. */
const cacheKiB = 8192;
/** Maximum number of prepared statements of a connection. */
const maxPrepared = 200;

/** Maximum wait at opening for another process that locks the whole file, in milliseconds. */
const openWaitMs = 5_000;

/** Maximum wait of readers, in milliseconds: only opening or closing the file blocks them. */
const readerWaitMs = 1000;

export interface SqliteEngineOptions {
  readonly path: string;
  /** Whether a file without a store becomes one. */
  readonly create: boolean;
  /** Maximum wait for another process that writes, in milliseconds. */
  readonly lockWaitMs: number;
}

interface Connection {
  /** Runs a statement without parameters or rows; faster than a prepared one for the ends of a transaction. */
  exec(sql: string): void;
  pragma(setting: string): void;
  run(statement: Statement): SqlResult;
  close(): void;
}

type DatabaseConstructor = typeof Database;

interface Prepared {
  readonly statement: Database.Statement;
  readonly isReader: boolean;
}

export async function createSqliteEngine(
  Libsql: DatabaseConstructor,
  { path, create, lockWaitMs }: SqliteEngineOptions,
): Promise<SqlEngine> {
  if (create) createFile(path);
  try {
    assertOwnFile(Libsql, path, { create, waitMs: openWaitMs });
  } catch (error) {
    throw unavailable(path, error);
  }
  const writer = openConnection(Libsql, path);
  const openReaders = new Set<Connection>();
  const readers = createReaders(() => {
    const reader = openConnection(Libsql, path);
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
      return await finish(writer, path, createTurns(), work);
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
      readers.use((connection, yieldTurn) => {
        connection.exec("begin");
        return finish(connection, path, yieldTurn, work);
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

/** Runs work in a transaction that has begun, then commits it, or rolls it back when anything failed. */
async function finish<T>(
  connection: Connection,
  path: string,
  yieldTurn: YieldTurn,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  try {
    const result = await work(async (statement) => {
      let done: SqlResult;
      try {
        done = connection.run(statement);
      } catch (error) {
        failure ??= unavailable(path, error);
        throw failure;
      }
      const turn = yieldTurn();
      if (turn) await turn;
      return done;
    });
    if (failure !== undefined) throw failure;
    connection.exec("commit");
    return result;
  } catch (error) {
    rollback(connection);
    throw failure ?? (isSqlite(error) ? unavailable(path, error) : error);
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

function openConnection(Libsql: DatabaseConstructor, path: string): Connection {
  const database = openDatabase(Libsql, path);
  const prepared = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const known = prepared.get(text);
    if (known) {
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    const statement = database.prepare(text);
    const fresh = { statement, isReader: statement.reader };
    prepared.set(text, fresh);
    const [oldest] = prepared.keys();
    if (prepared.size > maxPrepared && oldest !== undefined) prepared.delete(oldest);
    return fresh;
  }

  return {
    exec: (text) => void database.exec(text),
    pragma: (text) => void database.exec(`pragma ${text}`),
    run: ({ sql, parameters, isSingle }) => {
      const { statement, isReader } = prepare(sql);
      if (!isReader) return { rows: [], changed: statement.run(parameters).changes };
      if (!isSingle) return { rows: statement.all(parameters) as never, changed: 0 };
      const row = statement.get(parameters);
      return { rows: row === undefined ? [] : [row as never], changed: 0 };
    },
    close: () => {
      prepared.clear();
      database.close();
    },
  };
}

function openDatabase(Libsql: DatabaseConstructor, path: string) {
  try {
    const database = new Libsql(path);
    // Another process that creates the file locks it for a moment.
    database.exec(`pragma busy_timeout = ${openWaitMs}`);
    // Every acknowledged write is on the disk.
    database.exec("pragma synchronous = full");
    database.exec(`pragma cache_size = -${cacheKiB}`);
    database.exec("pragma busy_timeout = 0");
    return database;
  } catch (error) {
    const { message } = error as Error;
    throw new DependencyUnavailableError(`the store ${quote(path)} cannot be opened: ${message}`, {
      cause: error,
    });
  }
}

function isSqlite(error: unknown): error is Error & { code: string } {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("SQLITE_");
}

function isBusy(error: unknown): boolean {
  return isSqlite(error) && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** Errors with causes outside of the adapter: the file is missing, locked, full, or not a database. */
const externalErrors =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|CORRUPT|NOTADB|PERM|AUTH|PROTOCOL|NOMEM)/;

function unavailable(path: string, error: unknown): unknown {
  if (!isSqlite(error) || !externalErrors.test(error.code)) return error;
  const reason = isBusy(error) ? "another process locks it" : error.message;
  return new DependencyUnavailableError(`the store ${quote(path)} cannot be used: ${reason}`, {
    cause: error,
  });
}
