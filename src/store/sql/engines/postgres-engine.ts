/** PostgreSQL through a pool of `pg`: serializable writes with retries, reads on snapshots. */
import type { Pool, PoolClient, PoolConfig } from "pg";
import { DependencyUnavailableError } from "../../../errors.ts";
import { createLock } from "../../lock.ts";
import { layoutRow } from "../migrations.ts";
import { createPostgresDialect } from "./dialects.ts";
import type { RunStatement, SqlEngine } from "./engine.ts";
import {
  isConflict,
  isConnectionLost,
  isDuplicateObject,
  isMissingObject,
  unavailable,
} from "./postgres-errors.ts";
import { createBackoff } from "./retry.ts";

export interface PostgresEngineOptions {
  readonly schema: string;
  /** Maximum time to retry a write after conflicts, in milliseconds. */
  readonly conflictMs: number;
}

const beginRead = "begin isolation level repeatable read read only";
const beginWrite = "begin isolation level serializable";
/** With this level, a migration that waited for another process sees its result. */
const beginMigration = "begin isolation level read committed";

type Work<T> = (run: RunStatement) => Promise<T>;

export function createPostgresEngine(
  pool: Pool,
  migrationPool: Pool,
  { schema, conflictMs }: PostgresEngineOptions,
): SqlEngine {
  const dialect = createPostgresDialect(schema);
  const lock = createLock();
  // Without a listener, the loss of an idle connection would end the process. The next query reports it.
  for (const each of [pool, migrationPool]) {
    each.on("error", () => {});
    each.on("connect", (client) => client.on("error", () => {}));
  }

  async function attempt<T>(work: Work<T>, release: () => void): Promise<T> {
    try {
      return await transaction(pool, beginWrite, work);
    } finally {
      release();
    }
  }

  /** After the first conflict, the next attempts run alone in this process. */
  async function write<T>(work: Work<T>): Promise<T> {
    const backoff = createBackoff(conflictMs);
    let release: (() => void) | undefined = await lock.acquire(false);
    for (;;) {
      try {
        return await attempt(work, release);
      } catch (error) {
        if (!isConflict(error)) throw unavailable(error);
        const hasTime = await backoff.wait();
        release = hasTime ? await lock.acquireWithin(true, backoff.left()) : undefined;
        if (release === undefined) throw conflictError(error, conflictMs);
      }
    }
  }

  return {
    dialect,
    write,
    read: (work) =>
      transaction(pool, beginRead, work).catch((error: unknown) => {
        throw unavailable(error);
      }),
    migrate: async (work) => {
      try {
        await prepareSchema(migrationPool, schema, layoutRow(dialect));
        return await transaction(migrationPool, beginMigration, async (run) => {
          await run(layoutRow(dialect).lock);
          return work(run);
        });
      } catch (error) {
        throw unavailable(error);
      }
    },
    close: async () => {
      await Promise.all([pool.end(), migrationPool.end()]);
    },
  };
}

function conflictError(error: unknown, conflictMs: number): DependencyUnavailableError {
  return new DependencyUnavailableError(
    `a write was abandoned after ${conflictMs} ms of conflicts with other transactions`,
    { cause: error },
  );
}

/** Runs work in a transaction; a failed statement rolls it back. */
async function transaction<T>(pool: Pool, begin: string, work: Work<T>): Promise<T> {
  const client = await beginOn(pool, begin);
  const commit = begin === beginRead ? endInBackground : endNow;
  const { run, settled } = statementsOn(client);
  try {
    const result = await work(run).finally(settled);
    await commit(client);
    return result;
  } catch (error) {
    const reason = await settled().then(
      () => error,
      (failure: unknown) => failure,
    );
    await rollBack(client, reason);
    throw reason;
  }
}

async function endNow(client: PoolClient): Promise<void> {
  await client.query("commit");
  client.release();
}

/** A snapshot has nothing to commit, so that the caller need not wait for its end. */
async function endInBackground(client: PoolClient): Promise<void> {
  client.query("commit").then(
    () => client.release(),
    () => client.release(true),
  );
}

/** Runs statements one after another; `settled` waits for all of them and rejects when one failed. */
function statementsOn(client: PoolClient): { run: RunStatement; settled: () => Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  let failed: { readonly error: unknown } | undefined;
  const run: RunStatement = ({ sql, parameters }) => {
    const next = last.then(() => client.query(sql, parameters as unknown[]));
    last = next.catch((error: unknown) => {
      failed ??= { error };
    });
    return next.then(({ rows, rowCount }) => ({ rows, changed: rowCount ?? 0 }));
  };
  const settled = async () => {
    await last;
    if (failed) throw failed.error;
  };
  return { run, settled };
}

/** Begins a transaction. A lost idle connection is replaced by another one of the pool, at last by a new one. */
async function beginOn(pool: Pool, begin: string): Promise<PoolClient> {
  for (let left = pool.totalCount; ; left--) {
    const client = await pool.connect();
    try {
      await client.query(begin);
      return client;
    } catch (error) {
      client.release(true);
      if (!isConnectionLost(error) || left <= 0) throw error;
    }
  }
}

/** Rolls back, or closes a connection in an unknown state. */
async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  if (isConnectionLost(error)) return client.release(true);
  await client.query("rollback").then(
    () => client.release(),
    () => client.release(true),
  );
}

/** Creates the schema and the row that migrations lock, also when many processes start at once. */
async function prepareSchema(pool: Pool, schema: string, row: ReturnType<typeof layoutRow>): Promise<void> {
  const backoff = createBackoff(prepareMs);
  for (;;) {
    try {
      // `create schema if not exists` needs the privilege to create a schema even when it exists.
      const found = await pool.query("select 1 from information_schema.schemata where schema_name = $1", [
        schema,
      ]);
      if (found.rows.length === 0) await pool.query(`create schema if not exists ${quoteName(schema)}`);
      await pool.query(row.createTable.sql);
      await pool.query(row.insert.sql, [...row.insert.parameters]);
      return;
    } catch (error) {
      if (
        !(isDuplicateObject(error) || isMissingObject(error) || isConflict(error)) ||
        !(await backoff.wait())
      )
        throw error;
    }
  }
}

/** Maximum time to create the schema among other processes, in milliseconds. */
const prepareMs = 10_000;

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The configuration of a pool, with limits for every wait. Times in milliseconds. */
export function poolConfig(options: {
  readonly connectionString: string;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}): PoolConfig {
  const { connectionString, maxConnections, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs } = options;
  return {
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The server's own limit is reached first; this one is for a network that loses the answer.
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    application_name: "edgeproof",
    allowExitOnIdle: true,
  };
}

/** Maximum time that a stalled process can block others by an open transaction, in milliseconds. */
const idleInTransactionMs = 60_000;
