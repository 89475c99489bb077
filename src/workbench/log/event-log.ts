/** The last entries of a running server's log, and the streams that follow it. */

/** Number of entries that are kept (`chosen`). */
const maxKept = 500;

/** Entries that a stream may be behind before it is ended; the page then connects again. */
const maxBehind = 1_000;

/** Interval of the comments that keep a stream open, in milliseconds (`chosen`). */
const keepAliveMs = 15_000;

/** A log of entries with ascending ids. */
export interface EventLog<T> {
  /** Appends an entry; the oldest one is dropped when there are too many. */
  append(entry: T): void;
  /** The kept entries with an id above `after`, oldest first. */
  entries(after?: number): readonly Logged<T>[];
  /** A stream of server-sent events: the kept entries after an id, then each new one. */
  stream(after: number): ReadableStream<Uint8Array>;
  /** Ends all streams. */
  close(): void;
}

/** An entry with its id. */
export type Logged<T> = T & {
  /** Ascending from 1. */
  readonly id: number;
};

/** Creates an empty log. */
export function createEventLog<T extends object>(): EventLog<T> {
  let nextId = 1;
  let kept: Logged<T>[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();

  const end = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (!streams.delete(controller)) return;
    try {
      controller.close();
    } catch {
      // The client left first.
    }
  };
  const entries = (after = 0) => kept.filter(({ id }) => id > after);

  return {
    append(entry) {
      const logged = { ...entry, id: nextId++ };
      kept = [...kept.slice(1 - maxKept), logged];
      for (const controller of [...streams]) {
        if ((controller.desiredSize ?? 0) < -maxBehind) end(controller);
        else controller.enqueue(encodeEvent(logged));
      }
    },
    entries,
    stream(after) {
      let own: ReadableStreamDefaultController<Uint8Array> | undefined;
      let timer: ReturnType<typeof setInterval> | undefined;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          streams.add(controller);
          controller.enqueue(encoder.encode(": open\n\n"));
          for (const logged of entries(after)) controller.enqueue(encodeEvent(logged));
          timer = setInterval(() => {
            if (streams.has(controller)) controller.enqueue(encoder.encode(": keep\n\n"));
            else clearInterval(timer);
          }, keepAliveMs);
          timer.unref();
        },
        cancel() {
          clearInterval(timer);
          if (own) streams.delete(own);
        },
      });
    },
    close() {
      for (const controller of [...streams]) end(controller);
    },
  };
}

const encoder = new TextEncoder();

/** One event; JSON has no line ends. */
function encodeEvent({ id, ...entry }: { readonly id: number }): Uint8Array {
  return encoder.encode(`id: ${id}\ndata: ${JSON.stringify({ id, ...entry })}\n\n`);
}
