/** How often messages were tried, in the state stream; a message that is delivered for the first time has no entry. */
import type { Broker } from "./broker.ts";
import type { Layout } from "./layout.ts";

/** The tries of one message. */
export interface TriesEntry {
  /** Sequence of the message in the work stream. */
  readonly seq: number;
  /** Deliveries that count, without that of the holder. */
  readonly tries: number;
  /** Token of the delivery that has the message; null when it was put back. */
  readonly holder: string | null;
}

/** The entries of a queue. All functions reject with a DependencyUnavailableError. */
export interface Tries {
  /** The entry of a message. */
  read(id: string, seq: number): Promise<TriesEntry | undefined>;
  /**
   * Changes an entry, when no other process changes it meanwhile; otherwise `next` is called again with the new one.
   *
   * @param next returns undefined to change nothing
   * @returns the entry after the change, undefined when nothing was changed
   */
  change(
    id: string,
    seq: number,
    next: (entry: TriesEntry | undefined) => Omit<TriesEntry, "seq"> | undefined,
  ): Promise<TriesEntry | undefined>;
  /** Removes the entry of a message that has left the queue. */
  remove(id: string): Promise<void>;
  /** Marks a message that was put back, for the count of those that wait. */
  mark(id: string): Promise<void>;
  /** Removes the mark of a message. */
  unmark(id: string): Promise<void>;
  /** Number of marks. */
  countMarks(): Promise<number>;
}

/** Code of the server: another process has written to the subject. */
const wrongLastSequence = new Set([10071, 10164]);

/** The entries of a queue. */
export function createTries({ jsm, js, call }: Broker, layout: Layout): Tries {
  const stream = layout.state;

  async function readStored(
    id: string,
  ): Promise<{ readonly entry: TriesEntry | undefined; readonly last: number }> {
    const stored = await call(() =>
      jsm.streams.getMessage(stream, { last_by_subj: layout.triesSubject(id) }),
    );
    return { entry: stored ? decode(stored.string()) : undefined, last: stored?.seq ?? 0 };
  }

  const purge = async (filter: string) => void (await call(() => jsm.streams.purge(stream, { filter })));

  return {
    read: async (id, seq) => {
      const { entry } = await readStored(id);
      return entry?.seq === seq ? entry : undefined;
    },
    change: async (id, seq, next) => {
      for (;;) {
        const { entry, last } = await readStored(id);
        const changed = next(entry?.seq === seq ? entry : undefined);
        if (!changed) return undefined;
        const written = { seq, ...changed };
        const expect = { lastSubjectSequence: last };
        try {
          await call(() => js.publish(layout.triesSubject(id), JSON.stringify(written), { expect }));
          return written;
        } catch (error) {
          if (!wrongLastSequence.has((error as { code: number }).code)) throw error;
        }
      }
    },
    remove: (id) => purge(layout.triesSubject(id)),
    mark: async (id) => void (await call(() => js.publish(layout.waitSubject(id)))),
    unmark: (id) => purge(layout.waitSubject(id)),
    countMarks: async () => {
      const { state } = await call(() =>
        jsm.streams.info(stream, { subjects_filter: layout.waitSubject("*") }),
      );
      return Object.keys(state.subjects ?? {}).length;
    },
  };
}

/** An entry that was stored; undefined when others wrote it. */
function decode(text: string): TriesEntry | undefined {
  try {
    const { seq, tries, holder } = JSON.parse(text) as TriesEntry;
    const isEntry = Number.isSafeInteger(seq) && Number.isSafeInteger(tries) && tries >= 0;
    return isEntry ? { seq, tries, holder: typeof holder === "string" ? holder : null } : undefined;
  } catch {
    return undefined;
  }
}
