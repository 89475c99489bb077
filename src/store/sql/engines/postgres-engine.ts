/** PostgreSQL through a pool of `pg`: serializable writes with retries, reads on snapshots. */

import { createHash } from "node:crypto";
import type { Pool, PoolClient, PoolConfig } from "pg";
import { createSemaphore } from "../../../core/semaphore.ts";
import { runCommand } from "../../../core/text/run-command.ts";
import { DependencyUnavailableError, quote } from "../../../errors.ts";
import { createLock } from "../../lock.ts";
import { metaTable } from "../layout.ts";
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
  /** Called when a conflict has rolled back a write. */
  readonly onRollback?: () => void;
}

const beginRead = "begin isolation level repeatable read read only";
const beginWrite = "begin isolation level serializable";
/** With this level, a migration that waited for another process sees its result. */
const beginMigration = "begin isolation level read committed";

/** Share of the connections that long reads have at a time, at least one: the others are for what is done sooner (`chosen`). */
const longShare = 0.25;

type Work<T> = (run: RunStatement) => Promise<T>;

export function createPostgresEngine(
  pool: Pool,
  migrationPool: Pool,
  { schema, conflictMs, onRollback = () => {} }: PostgresEngineOptions,
): SqlEngine {
  const dialect = createPostgresDialect(schema);
  const lock = createLock();
  // Without a listener, the loss of an idle connection would end the process. The next query reports it.
  for (const each of [pool, migrationPool]) {
    each.on("error", () => {});
    each.on("connect", (client) => client.on("error", () => {}));
  }

  const queues = createQueues();
  const longReads = createSemaphore(Math.floor(pool.options.max * longShare));

  async function attempt<T>(work: Work<T>, queue: QueueLock | undefined, release: () => void): Promise<T> {
    try {
      return await transaction(pool, beginWrite, work, queue);
    } finally {
      release();
    }
  }

  /** One connection of this process at most waits for the writers of a queue in others. */
  async function write<T>(work: Work<T>, queue?: string): Promise<T> {
    if (queue === undefined) return writeNow(work);
    const key = queueKey(schema, queue);
    return queues.run(key, () => writeNow(work, { key, waitMs: conflictMs }));
  }

  /** After the first conflict, the next attempts run alone in this process. */
  async function writeNow<T>(work: Work<T>, queue?: QueueLock): Promise<T> {
    const backoff = createBackoff(conflictMs);
    let release: (() => void) | undefined = await lock.acquire(false);
    for (;;) {
      try {
        return await attempt(work, queue, release);
      } catch (error) {
        if (!isConflict(error)) throw unavailable(error);
        onRollback();
        const hasTime = await backoff.wait();
        release = hasTime ? await lock.acquireWithin(true, backoff.left()) : undefined;
        if (release === undefined) throw conflictError(error, conflictMs);
      }
    }
  }

  return {
    dialect,
    write,
    read: (work, isLong) => {
      const read = () => transaction(pool, beginRead, work);
      return (isLong ? longReads.run(read) : read()).catch((error: unknown) => {
        throw unavailable(error);
      });
    },
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

/** The lock of a queue in the database, which a connection holds while it writes. */
interface QueueLock {
  readonly key: bigint;
  /** Maximum wait for the writers before, in milliseconds. */
  readonly waitMs: number;
}

/** The key of a queue's advisory lock. Queues whose hashes are equal share a lock, which only makes them slower. */
function queueKey(schema: string, queue: string): bigint {
  return createHash("sha256")
    .update(JSON.stringify([schema, queue]))
    .digest()
    .readBigInt64BE();
}

/** Runs the work of each key one after another. */
function createQueues() {
  const locks = new Map<bigint, { readonly lock: ReturnType<typeof createLock>; users: number }>();
  return {
    run: async <T>(key: bigint, work: () => Promise<T>): Promise<T> => {
      const entry = locks.get(key) ?? { lock: createLock(), users: 0 };
      locks.set(key, entry);
      entry.users++;
      const release = await entry.lock.acquire(true);
      try {
        return await work();
      } finally {
        release();
        if (--entry.users === 0) locks.delete(key);
      }
    },
  };
}

/**
 * Waits for the queue before the transaction begins, so that its snapshot has the writes of those before: a transaction
 * that waits for a row begins too early, and must run again. The server grants advisory locks in order of arrival.
 */
function beginInQueue(begin: string, { key, waitMs }: QueueLock): string {
  const wait = `begin; set local lock_timeout = ${Math.ceil(waitMs)}; set local statement_timeout = ${Math.ceil(waitMs) + 1000}`;
  return `${wait}; select pg_advisory_lock(${key}); commit; ${begin}`;
}

/** Runs work in a transaction; a failed statement rolls it back. */
async function transaction<T>(pool: Pool, begin: string, work: Work<T>, queue?: QueueLock): Promise<T> {
  const client = await beginOn(pool, queue ? beginInQueue(begin, queue) : begin);
  const leave = queue ? `; select pg_advisory_unlock(${queue.key})` : "";
  const commit = begin === beginRead ? endInBackground : () => endNow(client, `commit${leave}`);
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
    await rollBack(client, reason, `rollback${leave}`);
    throw reason;
  }
}

async function endNow(client: PoolClient, commit: string): Promise<void> {
  await client.query(commit);
  client.release();
}

/** A snapshot has nothing to commit, so that the caller need not wait for its end. */
async function endInBackground(client: PoolClient): Promise<void> {
  client.query("commit").then(
    () => client.release(),
    () => client.release(true),
  );
}

/** Names of prepared statements: the server parses a statement that has one only once for each connection. */
const preparedNames = new Map<string, string>();

function preparedName(sql: string): string {
  const name = preparedNames.get(sql) ?? `edgeproof_${preparedNames.size}`;
  preparedNames.set(sql, name);
  return name;
}

/** Runs statements one after another; `settled` waits for all of them and rejects when one failed. */
function statementsOn(client: PoolClient): { run: RunStatement; settled: () => Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  let failed: { readonly error: unknown } | undefined;
  const run: RunStatement = ({ sql, parameters, isSingle }) => {
    const query = {
      text: sql,
      values: parameters as unknown[],
      ...(isSingle && { name: preparedName(sql) }),
    };
    const next = last.then(() => client.query(query));
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
async function rollBack(client: PoolClient, error: unknown, rollback: string): Promise<void> {
  if (isConnectionLost(error)) return client.release(true);
  await client.query(rollback).then(
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

/** Closes the pool and rejects when the schema has no store. */
export async function assertPrepared(pool: Pool, schema: string): Promise<void> {
  const table = `${quoteName(schema)}.${quoteName(metaTable)}`;
  try {
    const { rows } = await pool.query("select to_regclass($1) as name", [table]);
    if (rows[0]?.name === null)
      throw new Error(
        `the schema ${quote(schema)} of the database has no store; \`${runCommand} serve --data\` creates one`,
      );
  } catch (error) {
    await pool.end();
    throw unavailable(error);
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
