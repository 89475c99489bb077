/** Deliveries of the JetStream queue: who has a message, and how it is finished. */
import { randomUUID } from "node:crypto";
import type { Msg } from "@nats-io/transport-node";
import { keepSuccess } from "../../core/work/keep-success.ts";
import { checkRetry, type Delivery, type RetryOptions } from "../port.ts";
import type { Broker } from "./broker.ts";
import type { DeadLetters } from "./dead-letters.ts";
import { deleteMessage } from "./delete-message.ts";
import type { Layout } from "./layout.ts";
import { idOf, isId, keyOf } from "./messages.ts";
import type { Tries, TriesEntry } from "./tries.ts";

/** The parts of a queue that deliveries use. */
export interface QueueParts {
  readonly broker: Broker;
  readonly layout: Layout;
  readonly tries: Tries;
  readonly letters: DeadLetters;
  /** Acknowledgement time, in milliseconds. */
  readonly ackWaitMs: number;
  readonly requestTimeoutMs: number;
  /** The sequence from which the server has certainly not delivered a message before, unless it reports so. */
  certainFrom(): Promise<number>;
}

/** Token of the first delivery of a message, which has no entry. */
const first = "first";

/** Position of a message in the queue, read from the subject of its acknowledgement. */
interface Position {
  readonly id: string;
  readonly seq: number;
  /** Number of deliveries of the server, from 1. */
  readonly count: number;
}

function positionOf({ subject, reply = "" }: Msg): Position {
  const tokens = reply.split(".");
  // `$JS.ACK.<domain>.<account>.` in newer servers, `$JS.ACK.` in older ones; then stream, consumer, count, sequence.
  const [, , count, seq] = tokens.slice(tokens.length > 9 ? 4 : 2);
  const name = subject.slice(subject.lastIndexOf(".") + 1);
  // Servers accept wildcards as names of messages; a subject with one would be that of all messages.
  return { id: isId(name) ? name : idOf(name), seq: Number(seq), count: Number(count) };
}

/**
 * Makes a delivery of a message of the server.
 *
 * @param askedMs time of `performance.now()` before which the server did not deliver it
 * @returns undefined when the message is a dead letter whose taker was killed before it was deleted
 */
export async function receive(
  parts: QueueParts,
  message: Msg,
  askedMs: number,
): Promise<Delivery | undefined> {
  const position = positionOf(message);
  const delivery = createDelivery(parts, message, position, askedMs);
  const token = randomUUID();
  try {
    if (position.count === 1 && !(await isKnown(parts, position))) return delivery(first, 0);
    return await receiveAgain(parts, position, token, delivery);
  } catch (error) {
    // It was not handed out, and must not count as a try.
    putBack(parts.broker, delivery(token, 0));
    throw error;
  }
}

/** Whether a message that the server delivers as a new one was delivered before: one that is killed forgets its last seconds. */
async function isKnown({ tries, letters, certainFrom }: QueueParts, { id, seq }: Position): Promise<boolean> {
  if (seq >= (await certainFrom())) return false;
  return (await tries.read(id, seq)) !== undefined || letters.has(id, seq);
}

async function receiveAgain(
  { broker, layout, tries, letters }: QueueParts,
  { id, seq }: Position,
  token: string,
  delivery: (token: string, tries: number) => Delivery,
): Promise<Delivery | undefined> {
  const before = await tries.read(id, seq);
  if (before?.holder !== null && (await letters.has(id, seq))) {
    await deleteMessage(broker, layout.work, seq);
    return undefined;
  }
  const after = await tries.change(id, seq, (entry = { seq, tries: 0, holder: first }) => ({
    // A holder that did not finish in time may have crashed.
    tries: entry.tries + (entry.holder === null ? 0 : 1),
    holder: token,
  }));
  if (before?.holder === null) await tries.unmark(id);
  return delivery(token, after?.tries ?? 0);
}

/** Puts a message back that was not handed out, as soon as the servers can be reached. */
export function putBack({ isClosed }: Broker, delivery: Delivery): void {
  const pauseMs = 1_000;
  const attempt = (): void => {
    if (isClosed()) return;
    delivery.retry({ counts: false }).catch(() => setTimeout(attempt, pauseMs).unref());
  };
  attempt();
}

function createDelivery(parts: QueueParts, message: Msg, { id, seq }: Position, askedMs: number) {
  const { broker, layout, tries, letters, ackWaitMs, requestTimeoutMs } = parts;
  const { nc, jsm, call } = broker;
  return (token: string, earlier: number): Delivery => {
    let hasEnded = false;
    let sinceMs = askedMs;
    /** The entry says that the message was put back; the server may not have read it yet. */
    let isPutBack = false;

    const isHeld = (entry: TriesEntry | undefined) => (entry ? entry.holder : first) === token;

    /** Whether the message is still that of this delivery. Within the acknowledgement time that is known. */
    async function isMine(): Promise<boolean> {
      if (performance.now() - sinceMs < ackWaitMs) return true;
      const entry = await tries.read(id, seq);
      if (entry) return entry.holder === token;
      return (await call(() => jsm.streams.getMessage(layout.work, { seq }))) !== null;
    }

    /** The taker comes back late: its delivery was not a crash, and is forgiven once. */
    const { get: forgive } = keepSuccess(async () => {
      await tries.change(id, seq, (entry) => entry && { ...entry, tries: Math.max(0, entry.tries - 1) });
      hasEnded = true;
      return false;
    });

    /** Answers the server, and waits until it has read the answer. */
    const answer = (text: string) =>
      call(() => nc.request(message.reply ?? "", text, { timeout: requestTimeoutMs }));

    const whenMine = async (act: () => Promise<boolean>): Promise<boolean> => {
      if (hasEnded) return call(async () => false);
      return (await isMine()) ? act() : forgive();
    };

    /** Deletes the message, which ends its deliveries. */
    const remove = async (): Promise<boolean> => {
      const wasThere = await deleteMessage(broker, layout.work, seq);
      hasEnded = true;
      // An entry that stays is of no message; its stream removes it in time.
      if (token !== first) await tries.remove(id).catch(() => {});
      return wasThere;
    };

    /** May be called again after an error: the try counts once. */
    const putBackFor = async ({ delayMs = 0, counts = true }: RetryOptions): Promise<boolean> => {
      if (!isPutBack) {
        const changed = await tries.change(id, seq, (entry) =>
          isHeld(entry) ? { tries: (entry?.tries ?? 0) + (counts ? 1 : 0), holder: null } : undefined,
        );
        if (!changed) return forgive();
      }
      isPutBack = true;
      await tries.mark(id);
      await answer(`-NAK ${JSON.stringify({ delay: Math.round(delayMs * 1_000_000) })}`);
      hasEnded = true;
      return true;
    };

    return {
      id,
      body: message.data,
      key: keyOf(message.headers),
      tries: earlier,
      extend: () =>
        whenMine(async () => {
          const now = performance.now();
          await answer("+WPI");
          sinceMs = now;
          return true;
        }),
      done: () => whenMine(remove),
      retry: async (options = {}) => {
        checkRetry(options);
        return isPutBack && !hasEnded ? putBackFor(options) : whenMine(() => putBackFor(options));
      },
      bury: (reason) =>
        whenMine(async () => {
          await letters.add(message, { id, seq }, reason);
          return remove();
        }),
    };
  };
}
