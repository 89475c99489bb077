/**
 * The read connections of a SQLite store. Short reads never wait for long ones: a read that takes longer than one turn
 * of the event loop gives its place to the next read and keeps only its connection. Long reads take turns among
 * themselves, so that many of them do not slow down the short ones either.
 */
import { createSemaphore } from "../../../core/semaphore.ts";

/** Maximum number of parallel reads that are not long. */
const maxShort = 4;
/** Maximum number of long reads that run in the same turn; the others wait between two of their statements. */
const maxLongInTurn = 2;
/** Maximum number of open connections; a read waits when all are in use. */
const maxConnections = 64;
/** Maximum number of idle connections that stay open. */
const maxIdle = 8;

/** Maximum time that a transaction runs without yielding to the event loop, in milliseconds. */
const maxTurnMs = 10;

/** Called between two statements: when the transaction has run for long, it is to wait for the promise. */
export type YieldTurn = () => Promise<void> | undefined;

export interface Readers<C> {
  /** Runs a read on a connection of its own. */
  use<T>(work: (connection: C, yieldTurn: YieldTurn) => Promise<T>): Promise<T>;
  /** Closes all connections. No read may be running. */
  close(): void;
}

/** A pool of read connections; callers wait in order when none is free. */
export function createReaders<C extends { close(): void }>(open: () => C): Readers<C> {
  const idle: C[] = [];
  const waiting: (() => void)[] = [];
  const turns = createSemaphore(maxLongInTurn);
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

  function connect(): C {
    const connection = idle.pop();
    if (connection) return connection;
    const fresh = open();
    opened++;
    return fresh;
  }

  function disconnect(connection: C): void {
    if (idle.length < maxIdle) idle.push(connection);
    else {
      opened--;
      connection.close();
    }
  }

  return {
    use: async (work) => {
      if (waiting.length === 0 && hasRoom()) short++;
      else await new Promise<void>((start) => waiting.push(start));
      let isShort = true;
      const giveUpPlace = () => {
        if (isShort) short--;
        isShort = false;
      };
      let connection: C | undefined;
      try {
        connection = connect();
        return await work(
          connection,
          createTurns(async () => {
            giveUpPlace();
            admit();
            await turns.run(nextTurn);
          }),
        );
      } finally {
        if (connection) disconnect(connection);
        giveUpPlace();
        admit();
      }
    },
    close: () => {
      for (const connection of idle) connection.close();
    },
  };
}

/** Statements run synchronously; the returned function yields to the event loop when work takes long. */
export function createTurns(yieldOnce: () => Promise<void> = nextTurn): YieldTurn {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxTurnMs) return undefined;
    return yieldOnce().then(() => {
      since = performance.now();
    });
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
