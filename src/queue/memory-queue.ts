/** The work queue in this process. */
import { anyValue, optionsOf, requireArgument } from "../core/arguments.ts";
import {
  checkMessage,
  checkMs,
  checkRetry,
  closedError,
  cutReason,
  type Delivery,
  limitOf,
  type QueueStatus,
  type RetryOptions,
  type WorkQueue,
} from "./port.ts";
import { takeWithin } from "./waiting.ts";

/** Options of `createMemoryQueue`. */
export interface MemoryQueueOptions {
  /** Acknowledgement time: a message that is not finished or extended within it is delivered again. Default 30,000. */
  readonly ackWaitMs?: number;
  /** Maximum size of a message, in bytes. Default 10,485,760. */
  readonly maxBytes?: number;
}

const queueOptions = optionsOf<MemoryQueueOptions>("createMemoryQueue", {
  ackWaitMs: anyValue,
  maxBytes: anyValue,
});

interface Message {
  readonly id: string;
  readonly body: Uint8Array;
  readonly key: string | undefined;
  readonly putMs: number;
  visibleMs: number;
  tries: number;
  /** The delivery that has the message. */
  holder: object | undefined;
  reason: string | undefined;
}

/** Pause between two looks at an empty queue, in milliseconds. */
const pollMs = 10;

/**
 * Creates a queue in this process; its messages are lost with it.
 *
 * @throws {RangeError} for an invalid option
 * @example
 * ```ts
 * const queue = createMemoryQueue();
 * await queue.put(new TextEncoder().encode("a"), { key: "a" });
 * const taken = await queue.take();
 * await taken?.done(); // => true
 * (await queue.status()).waiting; // => 0
 * ```
 */
export function createMemoryQueue(options: MemoryQueueOptions = {}): WorkQueue {
  requireArgument("options", options, queueOptions);
  const { ackWaitMs = 30_000, maxBytes = 10_485_760 } = options;
  checkMs("ackWaitMs", ackWaitMs, 1);
  const messages = new Map<string, Message>();
  let nextId = 1;
  let isClosed = false;
  const now = () => performance.now();
  const assertOpen = () => {
    if (isClosed) throw closedError();
  };

  async function takeNow(): Promise<Delivery | undefined> {
    assertOpen();
    const time = now();
    for (const message of messages.values()) {
      if (message.reason === undefined && message.visibleMs <= time) return deliver(message);
    }
    return undefined;
  }

  function deliver(message: Message): Delivery {
    const holder = {};
    // A holder that did not finish in time may have crashed.
    if (message.holder) message.tries++;
    message.holder = holder;
    message.visibleMs = now() + ackWaitMs;
    let hasEnded = false;
    /** Changes the message for its holder; a late one only shows that it did not crash. */
    const act = async (ends: boolean, change: () => void): Promise<boolean> => {
      assertOpen();
      if (hasEnded) return false;
      hasEnded = ends;
      const isMine = messages.get(message.id) === message && message.holder === holder;
      if (isMine) change();
      else {
        hasEnded = true;
        message.tries = Math.max(0, message.tries - 1);
      }
      return isMine;
    };
    const putBack = ({ delayMs = 0, counts = true }: RetryOptions) => {
      message.holder = undefined;
      message.visibleMs = now() + delayMs;
      if (counts) message.tries++;
    };
    const { id, body, key, tries } = message;
    return {
      id,
      body,
      key,
      tries,
      extend: () =>
        act(false, () => {
          message.visibleMs = now() + ackWaitMs;
        }),
      done: () => act(true, () => messages.delete(id)),
      retry: async (given = {}) => {
        checkRetry(given);
        return act(true, () => putBack(given));
      },
      bury: (reason) =>
        act(true, () => {
          message.holder = undefined;
          message.reason = cutReason(reason);
        }),
    };
  }

  const deadOne = (id: string) => {
    const message = messages.get(id);
    return message?.reason === undefined ? undefined : message;
  };

  return {
    put: async (body, given = {}) => {
      assertOpen();
      checkMessage(body, given, maxBytes);
      const { key } = given;
      if (key !== undefined && [...messages.values()].some((each) => each.key === key)) return false;
      const id = String(nextId++);
      const time = now();
      const fresh = { tries: 0, holder: undefined, reason: undefined };
      messages.set(id, { id, body: new Uint8Array(body), key, putMs: time, visibleMs: time, ...fresh });
      return true;
    },
    take: (given = {}) => takeWithin(takeNow, given, pollMs),
    status: async () => {
      assertOpen();
      return statusOf([...messages.values()], now());
    },
    dead: async (limit) => {
      assertOpen();
      const max = limitOf(limit);
      const all = [...messages.values()].flatMap(({ id, body, key, reason }) =>
        reason === undefined ? [] : [{ id, body, key, reason }],
      );
      return all.slice(0, max);
    },
    revive: async (id) => {
      assertOpen();
      const message = deadOne(id);
      if (message) Object.assign(message, { reason: undefined, tries: 0, visibleMs: now() });
      return message !== undefined;
    },
    drop: async (id) => {
      assertOpen();
      return deadOne(id) !== undefined && messages.delete(id);
    },
    close: async () => {
      isClosed = true;
    },
  };
}

function statusOf(messages: readonly Message[], time: number): QueueStatus {
  const live = messages.filter(({ reason }) => reason === undefined);
  const taken = live.filter(({ holder, visibleMs }) => holder && visibleMs > time).length;
  const oldestMs = Math.max(0, ...live.map(({ putMs }) => time - putMs));
  return { waiting: live.length - taken, taken, dead: messages.length - live.length, oldestMs };
}
