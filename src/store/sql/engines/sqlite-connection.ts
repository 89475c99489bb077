/**
 * One connection to a SQLite file through libsql. Its statements run in the caller's thread, which is faster for short ones,
 * or in a thread of libsql, while the event loop goes on: for what scans many rows or waits for the disk.
 */
import type Database from "libsql";
import type ThreadedDatabase from "libsql/promise";
import { createLruCache } from "../../../core/lru-cache.ts";
import { quote } from "../../../errors.ts";
import { driverReason, unavailableFor } from "../../driver-reasons.ts";
import type { SqlResult, Statement } from "./engine.ts";

/** Size of a connection's page cache, in KiB: with SQLite's default of 2 MiB, large indexes are slow. */
const cacheKiB = 8192;
/** Maximum number of prepared statements of a connection, in each kind of thread. */
const maxPrepared = 200;
/** Maximum wait at opening for another process that locks the whole file, in milliseconds. */
export const openWaitMs = 5_000;

/** The class of libsql for a connection whose statements run in the caller's thread. */
export type DatabaseClass = new (path: string) => Database.Database;

/** Both classes of libsql. */
export interface SqliteDriver {
  readonly Database: DatabaseClass;
  readonly ThreadedDatabase: typeof ThreadedDatabase;
}

/** Must have at most one statement at a time. */
export interface Connection {
  /** Runs a statement without parameters or rows; faster than a prepared one for the ends of a transaction. */
  exec(sql: string): void;
  execInThread(sql: string): Promise<void>;
  pragma(setting: string): void;
  run(statement: Statement): SqlResult;
  /** Runs a statement that returns rows. */
  runInThread(statement: Statement): Promise<SqlResult>;
  close(): void;
}

interface Prepared {
  readonly statement: Database.Statement;
  readonly isReader: boolean;
}

/** A prepared statement that returns a row as an array, which libsql makes faster than an object, with its columns. */
interface PreparedSingle {
  readonly statement: Database.Statement;
  readonly columns: readonly string[];
}

/** A prepared statement whose first step, all the work of one that counts or sorts, is in a thread of libsql. */
interface ThreadedStatement {
  all(parameters: Statement["parameters"]): Promise<SqlResult["rows"]>;
}

/** @throws {DependencyUnavailableError} when the file cannot be opened */
export function openConnection(driver: SqliteDriver, path: string): Connection {
  const database = openDatabase(driver.Database, path);
  const threaded = inThreads(driver, database);
  let prepared = createLruCache<Prepared>(maxPrepared);
  let preparedSingles = createLruCache<PreparedSingle>(maxPrepared);
  let preparedInThreads = createLruCache<ThreadedStatement>(maxPrepared);

  function prepare(text: string): Prepared {
    const known = prepared.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    const fresh = { statement, isReader: statement.reader };
    prepared.set(text, fresh);
    return fresh;
  }

  function prepareSingle(text: string): PreparedSingle {
    const known = preparedSingles.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    const fresh = { statement, columns: statement.columns().map(({ name }) => name) };
    statement.raw(true);
    preparedSingles.set(text, fresh);
    return fresh;
  }

  function runAll({ sql, parameters }: Statement): SqlResult {
    const { statement, isReader } = prepare(sql);
    if (!isReader) return { rows: [], changed: statement.run(parameters).changes };
    return { rows: statement.all(parameters) as never, changed: 0 };
  }

  function runSingle({ sql, parameters }: Statement): SqlResult {
    const { statement, columns } = prepareSingle(sql);
    const values = statement.get(parameters) as readonly unknown[] | undefined;
    if (values === undefined) return { rows: [], changed: 0 };
    const row: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
    return { rows: [row], changed: 0 };
  }

  async function prepareInThread(text: string): Promise<ThreadedStatement> {
    const known = preparedInThreads.get(text);
    if (known) return known;
    const fresh: ThreadedStatement = await threaded.prepare(text);
    preparedInThreads.set(text, fresh);
    return fresh;
  }

  return {
    exec: (text) => void database.exec(text),
    execInThread: (text) => threaded.exec(text),
    pragma: (text) => void database.exec(`pragma ${text}`),
    run: (statement) => (statement.isSingle ? runSingle(statement) : runAll(statement)),
    runInThread: async ({ sql, parameters }) => {
      const statement = await prepareInThread(sql);
      return { rows: await statement.all(parameters), changed: 0 };
    },
    close: () => {
      // Statements keep the file open until they are collected.
      prepared = createLruCache(maxPrepared);
      preparedSingles = createLruCache(maxPrepared);
      preparedInThreads = createLruCache(maxPrepared);
      database.close();
    },
  };
}

function openDatabase(Libsql: DatabaseClass, path: string): Database.Database {
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
    const reason = driverReason(error);
    if (reason === undefined) throw error;
    throw unavailableFor(`the store ${quote(path)} cannot be opened`, reason, error);
  }
}

/** The same connection with the asynchronous methods: in both classes, `db` is the driver's handle of it. */
function inThreads({ ThreadedDatabase }: SqliteDriver, database: Database.Database): ThreadedDatabase {
  return Object.assign(Object.create(ThreadedDatabase.prototype), { db: Reflect.get(database, "db") });
}
