/** SQLite through libsql: one connection that writes, a few that read snapshots beside it. */
import type Database from "libsql";
import { DependencyUnavailableError, quote } from "../../../errors.ts";
import { createLock } from "../../lock.ts";
import { layoutRow } from "../migrations.ts";
import { createSqliteDialect } from "./dialects.ts";
import type { RunStatement, SqlEngine, Statement } from "./engine.ts";
import { createBackoff } from "./retry.ts";

/** Read transactions that run side by side. */
const maxReaders = 4;
/** Pages that a connection keeps in memory, in KiB: SQLite's own 2 MiB make large indexes slow. */
const cacheKiB = 8192;
/** Statements that a connection keeps prepared. */
const maxPrepared = 200;

/** How long opening waits for another process that holds the whole file, in milliseconds. */
const openWaitMs = 5_000;

/** Readers wait only for a process that opens or closes the file, which is soon done. Milliseconds. */
const readerWaitMs = 1000;

/** How long a transaction may keep the process to itself, in milliseconds. */
const longestTurnMs = 10;

export interface SqliteEngineOptions {
  readonly path: string;
  /** How long to wait for another process that writes, in milliseconds. */
  readonly lockWaitMs: number;
}

interface Connection {
  /** Runs a statement without parameters or rows, again and again. */
  exec(sql: string): void;
  pragma(setting: string): void;
  readonly run: RunStatement;
  close(): void;
}

type DatabaseConstructor = typeof Database;

export async function createSqliteEngine(
  Libsql: DatabaseConstructor,
  { path, lockWaitMs }: SqliteEngineOptions,
): Promise<SqlEngine> {
  const writer = openConnection(Libsql, path);
  const readers = createReaders(() => {
    const reader = openConnection(Libsql, path);
    reader.pragma(`busy_timeout = ${readerWaitMs}`);
    return reader;
  });
  const lock = createLock();
  const dialect = createSqliteDialect();

  async function begin(connection: Connection): Promise<void> {
    const patience = createBackoff(lockWaitMs);
    for (;;) {
      try {
        return connection.exec("begin immediate");
      } catch (error) {
        if (!isBusy(error)) throw unavailable(path, error);
        if (!(await patience.wait())) throw unavailable(path, error);
      }
    }
  }

  async function write<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
    const release = await lock.acquire(true);
    try {
      await begin(writer);
      return await finish(writer, path, work);
    } finally {
      release();
    }
  }

  await prepareFile(writer, path, lockWaitMs);
  return {
    dialect,
    write,
    read: (work) =>
      readers.use(async (connection) => {
        connection.exec("begin");
        return finish(connection, path, work);
      }),
    migrate: (work) =>
      write(async (run) => {
        await run(layoutRow(dialect).createTable);
        return work(run);
      }),
    close: async () => {
      readers.close();
      writer.close();
    },
  };
}

/** Runs work in the transaction that has begun and ends it: with all, or with nothing when anything failed. */
async function finish<T>(
  connection: Connection,
  path: string,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  const turns = createTurns();
  try {
    const result = await work(async (statement) => {
      const done = await connection.run(statement).catch((error: unknown) => {
        failure ??= unavailable(path, error);
        throw failure;
      });
      await turns.give();
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

/** Statements run at once and keep the process to themselves; work that takes long lets others have their turns. */
function createTurns() {
  let since = performance.now();
  return {
    give: async (): Promise<void> => {
      if (performance.now() - since < longestTurnMs) return;
      await new Promise((resume) => setImmediate(resume));
      since = performance.now();
    },
  };
}

function rollback(connection: Connection): void {
  try {
    connection.exec("rollback");
  } catch {
    // SQLite has ended the transaction itself, as it does when the disk is full.
  }
}

/** Every acknowledged write is on the disk (`full`), and readers are not held up by writers (`wal`). */
async function prepareFile(connection: Connection, path: string, lockWaitMs: number): Promise<void> {
  const patience = createBackoff(lockWaitMs);
  for (;;) {
    try {
      connection.pragma("journal_mode = wal");
      return;
    } catch (error) {
      if (!isBusy(error) || !(await patience.wait())) {
        connection.close();
        throw unavailable(path, error);
      }
    }
  }
}

function openConnection(Libsql: DatabaseConstructor, path: string): Connection {
  const database = openDatabase(Libsql, path);
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();

  function prepare(text: string) {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.delete(text);
    prepared.set(text, statement);
    if (prepared.size > maxPrepared) prepared.delete(prepared.keys().next().value!);
    return statement;
  }

  return {
    exec: (text) => void prepare(text).run([]),
    pragma: (text) => void database.exec(`pragma ${text}`),
    run: async ({ sql, parameters }: Statement) => {
      const statement = prepare(sql);
      if (statement.reader) return { rows: statement.all([...parameters]) as never, changed: 0 };
      return { rows: [], changed: statement.run([...parameters]).changes };
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
    // Another process may be setting the file up at this moment, and holds it for an instant.
    database.exec(`pragma busy_timeout = ${openWaitMs}`);
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

/** Hands out connections, and lets who comes later wait. */
function createReaders(open: () => Connection) {
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  let opened = 0;

  function take(): Connection | Promise<Connection> {
    const connection = idle.pop();
    if (connection) return connection;
    if (opened === maxReaders) return new Promise((resolve) => waiting.push(resolve));
    const fresh = open();
    opened++;
    return fresh;
  }

  function give(connection: Connection): void {
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  }

  return {
    use: async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
      const connection = await take();
      try {
        return await work(connection);
      } finally {
        give(connection);
      }
    },
    close: () => {
      for (const connection of idle) connection.close();
    },
  };
}

function isSqlite(error: unknown): error is Error & { code: string } {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("SQLITE_");
}

function isBusy(error: unknown): boolean {
  return isSqlite(error) && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** What a statement of ours cannot be blamed for: the file is away, locked, full, or no database. */
const outside = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|CORRUPT|NOTADB|PERM|AUTH|PROTOCOL|NOMEM)/;

function unavailable(path: string, error: unknown): unknown {
  if (!isSqlite(error) || !outside.test(error.code)) return error;
  const reason = isBusy(error) ? "another process keeps it locked" : error.message;
  return new DependencyUnavailableError(`the store ${quote(path)} cannot be used: ${reason}`, {
    cause: error,
  });
}
