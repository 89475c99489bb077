/** The lifetime of transactions, and the rule that none is opened inside another. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Session {
  open: boolean;
}

export interface Sessions<S extends Session> {
  /**
   * Runs work inside a session, which ends with the work.
   *
   * @param isFlat whether the work never asks for the session it runs in: then the session is not tracked. The first one
   * that is tracked turns on the hooks of promises in the whole process, on Node 20 and 22.
   */
  run<T>(session: S, work: () => Promise<T>, isFlat?: boolean): Promise<T>;
  /** The open session that the caller runs in; undefined outside of sessions, and in those that are not tracked. */
  current(): S | undefined;
  /**
   * @param operation the start of the error's message
   * @throws {TypeError} inside an open session, and after `close`
   */
  assertOutside(operation: string): void;
  close(): void;
}

/** Tracks the sessions of one store. */
export function createSessions<S extends Session>(): Sessions<S> {
  const current = new AsyncLocalStorage<S>();
  let closed = false;
  return {
    run: async (session, work, isFlat = false) => {
      try {
        return await (isFlat ? work() : current.run(session, work));
      } finally {
        session.open = false;
      }
    },
    current: () => openOne(current.getStore()),
    assertOutside: (operation) => {
      if (closed) throw new TypeError(`${operation} is not possible: the store is closed`);
      if (openOne(current.getStore()))
        throw new TypeError(`${operation} is not possible inside a transaction of the same store: ${advice}`);
    },
    close: () => {
      closed = true;
    },
  };
}

function openOne<S extends Session>(session: S | undefined): S | undefined {
  return session?.open ? session : undefined;
}

const advice = "use the `tx` of the transaction, and put and delete blobs before or after it";

/** @throws {TypeError} when the transaction has ended */
export function assertOpen(session: Session): void {
  if (!session.open)
    throw new TypeError("this transaction has ended: finish all its operations before `work` resolves");
}
