/** The life of one transaction, and the rule that none is opened inside another. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Session {
  open: boolean;
}

export interface Sessions<S extends Session> {
  /** Runs work as the inside of a session, which ends with it. */
  run<T>(session: S, work: () => Promise<T>): Promise<T>;
  /** The session that the caller is inside of, while it lasts. */
  current(): S | undefined;
  /** @throws {TypeError} inside of a session that has not ended, and after `close` */
  assertOutside(what: string): void;
  close(): void;
}

/** Keeps apart the sessions of one store. */
export function createSessions<S extends Session>(): Sessions<S> {
  const current = new AsyncLocalStorage<S>();
  let closed = false;
  return {
    run: async (session, work) => {
      try {
        return await current.run(session, work);
      } finally {
        session.open = false;
      }
    },
    current: () => openOne(current.getStore()),
    assertOutside: (what) => {
      if (closed) throw new TypeError(`${what} was asked of a store that is closed`);
      if (openOne(current.getStore()))
        throw new TypeError(`${what} was asked for inside a transaction of the same store: ${advice}`);
    },
    close: () => {
      closed = true;
    },
  };
}

function openOne<S extends Session>(session: S | undefined): S | undefined {
  return session?.open ? session : undefined;
}

const advice = "use the `tx` that `work` is given, and write and delete blobs before or after it";

/** @throws {TypeError} when the transaction has ended */
export function assertOpen(session: Session): void {
  if (!session.open)
    throw new TypeError("this transaction has ended: do all its work before `work` resolves");
}
