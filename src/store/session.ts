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

/** A session that the running work belongs to, and the one around it, which may be of another store. */
interface Frame {
  owner: object;
  session: Session;
  outer: Frame | undefined;
}

/** One storage for the stores of a process: on Node 20 and 22 each storage costs every promise of the process. */
const frames = new AsyncLocalStorage<Frame>();

/** The innermost open frame, of one store or of any. */
function openFrame(owner?: object): Frame | undefined {
  let frame = frames.getStore();
  while (frame && !(frame.session.open && (owner === undefined || frame.owner === owner)))
    frame = frame.outer;
  return frame;
}

/** Tracks the sessions of one store. */
export function createSessions<S extends Session>(): Sessions<S> {
  const owner = {};
  const current = () => openFrame(owner)?.session as S | undefined;
  let closed = false;
  return {
    run: async (session, work, isFlat = false) => {
      try {
        return await (isFlat ? work() : frames.run({ owner, session, outer: openFrame() }, work));
      } finally {
        session.open = false;
      }
    },
    current,
    assertOutside: (operation) => {
      if (closed) throw new TypeError(`${operation} is not possible: the store is closed`);
      if (current())
        throw new TypeError(`${operation} is not possible inside a transaction of the same store: ${advice}`);
    },
    close: () => {
      closed = true;
    },
  };
}

const advice = "use the `tx` of the transaction, and put and delete blobs before or after it";

/** @throws {TypeError} when the transaction has ended */
export function assertOpen(session: Session): void {
  if (!session.open)
    throw new TypeError("this transaction has ended: finish all its operations before `work` resolves");
}
