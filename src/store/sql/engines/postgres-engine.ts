/** PostgreSQL through a pool of `pg`: serialisable writes that are tried again, reads on snapshots. */
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
  /** How long a write is tried again after conflicts with others, in milliseconds. */
  readonly conflictMs: number;
}

const beginRead = "begin isolation level repeatable read read only";
const beginWrite = "begin isolation level serializable";
/** So that the wait for another process ends in seeing what it has done. */
const beginMigration = "begin isolation level read committed";

type Work<T> = (run: RunStatement) => Promise<T>;

export function createPostgresEngine(
  pool: Pool,
  patient: Pool,
  { schema, conflictMs }: PostgresEngineOptions,
): SqlEngine {
  const dialect = createPostgresDialect(schema);
  const lock = createLock();
  // A connection that is lost while nobody waits for it has no one else to tell.
  for (const each of [pool, patient]) {
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

  /** After a first conflict the next attempts have this process to themselves. */
  async function write<T>(work: Work<T>): Promise<T> {
    const patience = createBackoff(conflictMs);
    let release: (() => void) | undefined = await lock.acquire(false);
    for (;;) {
      try {
        return await attempt(work, release);
      } catch (error) {
        if (!isConflict(error)) throw unavailable(error);
        const mayGoOn = await patience.wait();
        release = mayGoOn ? await lock.acquireWithin(true, patience.left()) : undefined;
        if (release === undefined) throw tooBusy(error, conflictMs);
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
        await prepareSchema(patient, schema, layoutRow(dialect));
        return await transaction(patient, beginMigration, async (run) => {
          await run(layoutRow(dialect).lock);
          return work(run);
        });
      } catch (error) {
        throw unavailable(error);
      }
    },
    close: async () => {
      await Promise.all([pool.end(), patient.end()]);
    },
  };
}

function tooBusy(error: unknown, conflictMs: number): DependencyUnavailableError {
  return new DependencyUnavailableError(
    `a write met others that changed the same for ${conflictMs} ms and was given up`,
    { cause: error },
  );
}

/** Runs work in a transaction that commits everything or nothing; a statement that failed fails it. */
async function transaction<T>(pool: Pool, begin: string, work: Work<T>): Promise<T> {
  const client = await beginOn(pool, begin);
  const commit = begin === beginRead ? endLater : endNow;
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
    await abandon(client, reason);
    throw reason;
  }
}

async function endNow(client: PoolClient): Promise<void> {
  await client.query("commit");
  client.release();
}

/** A snapshot has nothing to commit: who read need not wait for its end. */
async function endLater(client: PoolClient): Promise<void> {
  client.query("commit").then(
    () => client.release(),
    () => client.release(true),
  );
}

/** Runs statements one after another; `settled` waits for all and rejects when one of them has failed. */
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

/** A pooled connection may have been lost while it was idle: then another one is taken, at last a new one. */
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

/** Rolls back, or drops a connection of which nobody knows what it is at. */
async function abandon(client: PoolClient, error: unknown): Promise<void> {
  if (isConnectionLost(error)) return client.release(true);
  await client.query("rollback").then(
    () => client.release(),
    () => client.release(true),
  );
}

/** Makes the schema and the row that migrations lock; of many who try at once one does. */
async function prepareSchema(pool: Pool, schema: string, row: ReturnType<typeof layoutRow>): Promise<void> {
  const tries = createBackoff(prepareMs);
  for (;;) {
    try {
      // Asked first: `create schema if not exists` needs the right to create one even when it exists.
      const found = await pool.query("select 1 from information_schema.schemata where schema_name = $1", [
        schema,
      ]);
      if (found.rows.length === 0) await pool.query(`create schema if not exists ${quoteName(schema)}`);
      await pool.query(row.createTable.sql);
      await pool.query(row.insert.sql, [...row.insert.parameters]);
      return;
    } catch (error) {
      if (!(isDuplicateObject(error) || isMissingObject(error) || isConflict(error)) || !(await tries.wait()))
        throw error;
    }
  }
}

/** How long to try to be the one who makes the schema, in milliseconds. */
const prepareMs = 10_000;

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What a pool is told so that nothing waits for ever. Times in milliseconds. */
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
    // The server answers first when it can; this is for a network that swallows the answer.
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    application_name: "edgeproof",
    allowExitOnIdle: true,
  };
}

/** A process that stands still inside a transaction holds up others no longer than this. */
const idleInTransactionMs = 60_000;
