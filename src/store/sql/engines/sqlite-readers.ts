/**
 * The read connections of a SQLite store. Short reads never wait for long ones: when its statements have taken a while, a read
 * gives its place to the next one and runs the others in a thread, so that it does not hold up the event loop either.
 */
import { availableParallelism } from "node:os";
import { createSemaphore } from "../../../core/semaphore.ts";
import type { SqlResult, Statement } from "./engine.ts";
import type { Connection } from "./sqlite-connection.ts";

/** Maximum number of parallel reads that are not long. */
const maxShort = 4;
/** Maximum number of statements in threads: libsql has one for each processor core, and commits of writers need one. */
const defaultInThreads = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Maximum number of open connections; a read waits when all are in use. */
const maxConnections = 64;
/** Maximum number of idle connections that stay open. */
const maxIdle = 8;

/** Maximum time that the statements of a transaction take before others have a turn, in milliseconds. */
const maxTurnMs = 10;

/** Runs the statements of one transaction. */
export interface Statements {
  run(statement: Statement): SqlResult | Promise<SqlResult>;
  /** Waits for those that run; undefined when there are none. */
  settled(): Promise<unknown> | undefined;
}

export interface Readers {
  /** Runs a read on a connection of its own. */
  use<T>(work: (connection: Connection, statements: Statements) => Promise<T>): Promise<T>;
  /** Closes all connections. No read may be running. */
  close(): void;
}

/**
 * A pool of read connections; callers wait in order when none is free.
 *
 * @param maxInThreads maximum number of statements of long reads at a time; others wait
 */
export function createReaders(open: () => Connection, maxInThreads = defaultInThreads): Readers {
  const idle: Connection[] = [];
  const waiting: (() => void)[] = [];
  const threads = createSemaphore(maxInThreads);
  let opened = 0;
  let short = 0;

  const hasRoom = () => short < maxShort && (idle.length > 0 || opened < maxConnections);

  function admit(): void {
    while (hasRoom()) {
      const next = waiting.shift();
      if (!next) return;
      short++;
      next();
    }
  }

  function connect(): Connection {
    const connection = idle.pop();
    if (connection) return connection;
    const fresh = open();
    opened++;
    return fresh;
  }

  function disconnect(connection: Connection): void {
    if (idle.length < maxIdle) idle.push(connection);
    else {
      opened--;
      connection.close();
    }
  }

  /** @param onLong called once, when the statements have taken long; the next ones run in threads, one after another */
  function statementsOn(connection: Connection, onLong: () => void): Statements {
    let last: Promise<unknown> | undefined;
    let leftMs = maxTurnMs;
    return {
      run: (statement) => {
        if (leftMs > 0) {
          const startMs = performance.now();
          const done = connection.run(statement);
          leftMs -= performance.now() - startMs;
          if (leftMs <= 0) onLong();
          return done;
        }
        const start = () => threads.run(() => connection.runInThread(statement));
        const next = last ? last.then(start) : start();
        last = next.catch(() => {});
        return next;
      },
      settled: () => last,
    };
  }

  return {
    use: async (work) => {
      if (waiting.length === 0 && hasRoom()) short++;
      else await new Promise<void>((start) => waiting.push(start));
      let isShort = true;
      const giveUpPlace = () => {
        if (isShort) short--;
        isShort = false;
        admit();
      };
      let connection: Connection | undefined;
      try {
        connection = connect();
        return await work(connection, statementsOn(connection, giveUpPlace));
      } finally {
        if (connection) disconnect(connection);
        giveUpPlace();
      }
    },
    close: () => {
      for (const connection of idle) connection.close();
    },
  };
}

/** Runs the statements of a write in this thread, which others use in between. */
export function inTurns(connection: Connection): Statements {
  let sinceMs = performance.now();
  return {
    run: (statement) => {
      const done = connection.run(statement);
      if (performance.now() - sinceMs < maxTurnMs) return done;
      return nextTurn().then(() => {
        sinceMs = performance.now();
        return done;
      });
    },
    settled: () => undefined,
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
