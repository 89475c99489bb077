/** `edgeproof/queues/postgres`: a work queue in a PostgreSQL database, for users who have no broker. */

import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { anyValue, eachMember, optionsOf, requireArgument } from "../../core/arguments.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { quote } from "../../errors.ts";
import { loadPeers } from "../../store/peers.ts";
import { unavailable } from "../../store/sql/engines/postgres-errors.ts";
import {
  checkMessage,
  checkMs,
  checkRetry,
  closedError,
  cutReason,
  type DeadLetter,
  type Delivery,
  limitOf,
  type QueueStatus,
  type WorkQueue,
} from "../port.ts";
import { takeWithin } from "../waiting.ts";
import { columnStatement, columns, createStatements, statementsOf } from "./table.ts";

/** Options of `openPostgresQueue`. Times in milliseconds. */
export interface PostgresQueueOptions {
  /** `postgres://user:password@host:port/database`; missing parts are read from the PG* variables. */
  readonly connectionString: string;
  /** Name of the queue: 1 to 100 characters. Queues of other names in the same schema are separate. Default `work`. */
  readonly name?: string;
  /** Schema of the table. It is created when it does not exist. Default `edgeproof_queue`. */
  readonly schema?: string;
  /** Whether the table is created when it does not exist. Default true. */
  readonly create?: boolean;
  /** Acknowledgement time: a message that is not finished or extended within it is delivered again. Default 30,000. */
  readonly ackWaitMs?: number;
  /** Pause between two looks at an empty queue. Default 500. */
  readonly pollMs?: number;
  /** Maximum size of a message, in bytes: a row is for a reference, not for its content. Default 65,536. */
  readonly maxBytes?: number;
  /** Maximum number of connections at a time, from 1. Default 2. */
  readonly maxConnections?: number;
  /** Maximum wait for a connection. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Maximum duration of one statement. Default 30,000. */
  readonly statementTimeoutMs?: number;
}

const defaults = {
  name: "work",
  schema: "edgeproof_queue",
  create: true,
  ackWaitMs: 30_000,
  pollMs: 500,
  maxBytes: 65_536,
  maxConnections: 2,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
};

const queueOptions = optionsOf<PostgresQueueOptions>("openPostgresQueue", {
  ...eachMember(defaults, anyValue),
  connectionString: anyValue,
});

type Settings = typeof defaults & PostgresQueueOptions;

/**
 * Opens a queue in a PostgreSQL database, and creates its table. Needs the package `pg`.
 *
 * @throws {RangeError} for an invalid option
 * @throws {DependencyUnavailableError} when the database cannot be reached
 * @throws {Error} when the package is missing, and when the table does not exist and `create` is false,
 * and when its columns are other ones
 * @example
 * ```ts
 * const queue = await openPostgresQueue({ connectionString: "postgres://edge@localhost/edge" });
 * await queue.put(new TextEncoder().encode("a"), { key: "a" });
 * const taken = await queue.take();
 * await taken?.done(); // => true
 * ```
 */
export async function openPostgresQueue(options: PostgresQueueOptions): Promise<WorkQueue> {
  requireArgument("options", options, queueOptions);
  const settings: Settings = { ...defaults, ...options };
  checkOptions(settings);
  const [{ default: pg }, { poolConfig }] = await loadPeers("the PostgreSQL queue", "pg", () =>
    Promise.all([import("pg"), import("../../store/sql/engines/postgres-engine.ts")]),
  );
  const pool = new pg.Pool(poolConfig({ ...settings, lockTimeoutMs: settings.statementTimeoutMs }));
  // Without a listener, the loss of an idle connection would end the process. The next query reports it.
  pool.on("error", () => {});
  const schema = `"${settings.schema.replaceAll('"', '""')}"`;
  try {
    await prepareTable(pool, schema, settings.create);
  } catch (error) {
    await pool.end();
    throw unavailable(error);
  }
  return createQueue(pool, settings, statementsOf(schema));
}

function checkOptions({ name, schema, ackWaitMs, pollMs, maxConnections }: Settings): void {
  checkMs("ackWaitMs", ackWaitMs, 1);
  checkMs("pollMs", pollMs, 1);
  for (const [option, text, max] of [
    ["name", name, 100],
    ["schema", schema, 63],
  ] as const) {
    if (text.length >= 1 && Buffer.byteLength(text) <= max && !text.includes("\0")) continue;
    throw new RangeError(`${option} must be 1 to ${max} bytes without U+0000; found ${quote(text)}`);
  }
  if (!(Number.isSafeInteger(maxConnections) && maxConnections >= 1))
    throw new RangeError(`maxConnections must be an integer from 1; found ${quote(maxConnections)}`);
}

/** Key of the advisory lock under which the table is created, so that processes may start together (`chosen`). */
const tableLock = 7_306_231_187;

async function prepareTable(pool: Pool, schema: string, create: boolean): Promise<void> {
  const found = await pool.query("select to_regclass($1) as name", [`${schema}.work_queue_dead`]);
  if (found.rows[0]?.name !== null) return checkTable(pool, schema);
  if (!create)
    throw new Error(
      `the table work_queue of the schema ${schema} does not exist; set the queue up first (\`${runCommand} queue setup\`)`,
    );
  const statements = [`select pg_advisory_xact_lock(${tableLock})`, ...createStatements(schema)];
  // Statements of one text are one transaction.
  await pool.query(statements.join("; "));
}

/** @throws {Error} that names each column which is not as this version creates it */
async function checkTable(pool: Pool, schema: string): Promise<void> {
  const { rows } = await pool.query(columnStatement, [`${schema}.work_queue`]);
  const found = new Map((rows as { name: string; type: string }[]).map(({ name, type }) => [name, type]));
  const wrong = Object.entries(columns).filter(([name, type]) => found.get(name) !== type);
  if (wrong.length === 0) return;
  const texts = wrong.map(([name, type]) => `${name} is ${found.get(name) ?? "missing"}, expected ${type}`);
  throw new Error(`the table work_queue of the schema ${schema} has other columns: ${texts.join("; ")}`);
}

function createQueue(pool: Pool, settings: Settings, sql: ReturnType<typeof statementsOf>): WorkQueue {
  const { name, ackWaitMs, pollMs, maxBytes } = settings;
  let closing: Promise<void> | undefined;

  async function run(text: string, values: readonly unknown[]) {
    if (closing) throw closedError();
    try {
      return await pool.query(text, [...values]);
    } catch (error) {
      throw closing ? closedError() : unavailable(error);
    }
  }

  const changes = async (text: string, values: readonly unknown[]) =>
    ((await run(text, values)).rowCount ?? 0) > 0;

  async function takeNow(): Promise<Delivery | undefined> {
    const token = randomUUID();
    const [row] = (await run(sql.take, [name, token, ackWaitMs])).rows;
    return row && deliver(row, token);
  }

  function deliver({ id, key, body, tries }: Row, token: string): Delivery {
    let hasEnded = false;
    /** Changes the message of the token; a late taker only shows that it did not crash. */
    const act = async (text: string, values: readonly unknown[], ends = true): Promise<boolean> => {
      if (hasEnded) return false;
      const isMine = await changes(text, [id, token, ...values]);
      hasEnded = ends || !isMine;
      if (!isMine) await run(sql.forgive, [id, token]);
      return isMine;
    };
    return {
      id,
      body,
      key: key ?? undefined,
      tries,
      extend: () => act(sql.extend, [ackWaitMs], false),
      done: () => act(sql.done, []),
      retry: async (options = {}) => {
        checkRetry(options);
        const { delayMs = 0, counts = true } = options;
        return act(sql.retry, [delayMs, counts ? 1 : 0]);
      },
      bury: (reason) => act(sql.bury, [cutReason(reason)]),
    };
  }

  const onDead = async (text: string, id: string) => isId(id) && changes(text, [name, id]);

  return {
    put: async (body, options = {}) => {
      checkMessage(body, options, maxBytes);
      return changes(sql.put, [name, options.key ?? null, Buffer.from(body)]);
    },
    take: (options = {}) => takeWithin(takeNow, options, pollMs),
    status: async () => (await run(sql.status, [name])).rows[0] as QueueStatus,
    dead: async (limit) => {
      const { rows } = await run(sql.dead, [name, limitOf(limit)]);
      return (rows as (Row & DeadLetter)[]).map(({ id, key, body, reason }) => ({
        id,
        body,
        key: key ?? undefined,
        reason,
      }));
    },
    revive: (id) => onDead(sql.revive, id),
    drop: (id) => onDead(sql.drop, id),
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}

/** A message in the table. */
interface Row {
  readonly id: string;
  readonly key: string | null;
  readonly body: Uint8Array;
  readonly tries: number;
}

function isId(id: string): boolean {
  return /^\d{1,18}$/.test(id);
}
