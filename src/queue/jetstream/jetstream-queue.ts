/** `edgeproof/queues/jetstream`: a work queue in NATS JetStream. */
import type { ConsumerInfo } from "@nats-io/jetstream";
import type { Msg } from "@nats-io/transport-node";
import { keepSuccess } from "../../core/work/keep-success.ts";
import { DependencyUnavailableError } from "../../errors.ts";
import {
  checkMessage,
  checkTake,
  type Delivery,
  limitOf,
  type QueueStatus,
  type TakeOptions,
  type WorkQueue,
} from "../port.ts";
import { type Broker, connectBroker, fullError, isLimitReached } from "./broker.ts";
import { createDeadLetters } from "./dead-letters.ts";
import { putBack, type QueueParts, receive } from "./deliveries.ts";
import { isMissing, layoutOf, prepareLayout } from "./layout.ts";
import { headerBytes, headerNames, idOf, setHeader } from "./messages.ts";
import { type JetStreamQueueOptions, type JetStreamSettings, settingsOf } from "./options.ts";
import { pullMessage } from "./pull.ts";
import { createTries } from "./tries.ts";

export type { JetStreamQueueOptions } from "./options.ts";

/**
 * Opens a queue in NATS JetStream, and creates its streams. Needs the packages `@nats-io/transport-node` and
 * `@nats-io/jetstream`, and nats-server 2.9 or later.
 *
 * @throws {RangeError} for an invalid option
 * @throws {DependencyUnavailableError} when no server can be reached
 * @throws {Error} when a package is missing, when the queue has other settings than asked for, naming each, and when it
 * does not exist and `create` is false
 * @example
 * ```ts
 * const queue = await openJetStreamQueue({ servers: "nats://localhost:4222" });
 * await queue.put(new TextEncoder().encode("a"), { key: "a" });
 * const taken = await queue.take();
 * await taken?.done(); // => true
 * ```
 */
export async function openJetStreamQueue(options: JetStreamQueueOptions): Promise<WorkQueue> {
  const settings = settingsOf(options);
  const broker = await connectBroker(settings);
  try {
    const maxBytes = maxBytesOf(broker, settings);
    const consumer = await broker.call(() => prepareLayout(broker.jsm, settings));
    const ackWaitMs = broker.nats.millis(consumer.ack_wait ?? 0);
    return createQueue(broker, settings, { consumer, ackWaitMs, maxBytes });
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/** The maximum size of a message. @throws {RangeError} when the server does not accept as much */
function maxBytesOf({ nc }: Broker, { maxBytes }: JetStreamSettings): number {
  const max = (nc.info?.max_payload ?? 2 ** 20) - headerBytes;
  if (maxBytes === undefined) return max;
  if (maxBytes <= max) return maxBytes;
  throw new RangeError(
    `maxBytes must be at most ${max}, which is ${headerBytes} less than max_payload of the server; found ${maxBytes}`,
  );
}

/** Maximum number of deliveries that a server forgets when it is killed: more than it makes in the seconds between writes. */
const maxForgotten = 10_000;

/** Facts of a queue from the servers. */
interface QueueFacts {
  readonly consumer: ConsumerInfo["config"];
  readonly ackWaitMs: number;
  readonly maxBytes: number;
}

function createQueue(
  broker: Broker,
  settings: JetStreamSettings,
  { consumer, ackWaitMs, maxBytes }: QueueFacts,
): WorkQueue {
  const { nats, js, jsm, call } = broker;
  const { pullMs, requestTimeoutMs } = settings;
  const layout = layoutOf(settings.name);
  const letters = createDeadLetters(broker, layout, requestTimeoutMs);
  const tries = createTries(broker, layout);
  /** Read again after each loss of the connection, since the server may have been killed. */
  const { get: certainFrom, forget } = keepSuccess(readCertainFrom);
  broker.onLost(forget);
  const parts: QueueParts = { broker, layout, tries, letters, ackWaitMs, requestTimeoutMs, certainFrom };

  /** The consumer, added again when it is missing: a process may end between deleting and adding it. */
  async function readConsumer(): Promise<ConsumerInfo> {
    try {
      return await call(() => jsm.consumers.info(layout.work, layout.consumer));
    } catch (error) {
      if (!isMissing(error)) throw error;
      return call(() => jsm.consumers.add(layout.work, consumer)).catch((cause) => {
        if (!isMissing(cause)) throw cause;
        throw new DependencyUnavailableError(`the stream ${layout.work} does not exist any more`, { cause });
      });
    }
  }

  async function readCertainFrom(): Promise<number> {
    const [{ delivered }, { state }] = await Promise.all([
      readConsumer(),
      call(() => jsm.streams.info(layout.work)),
    ]);
    return Math.min(delivered.stream_seq + maxForgotten, state.last_seq) + 1;
  }

  let checkedMs = Number.NEGATIVE_INFINITY;

  /**
   * Every message waits or is taken. A server that was killed may have forgotten some (seen in 2.9.10) and does not deliver
   * them; a new consumer delivers all that are in the stream.
   */
  async function deliverForgotten(): Promise<void> {
    if (performance.now() - checkedMs < pullMs) return;
    checkedMs = performance.now();
    const messages = async () => (await call(() => jsm.streams.info(layout.work))).state.messages;
    // Before and after, since messages may be added or deleted meanwhile.
    const before = await messages();
    const { num_pending, num_ack_pending } = await readConsumer();
    if (Math.min(before, await messages()) <= num_pending + num_ack_pending) return;
    forget();
    await call(() => jsm.consumers.delete(layout.work, layout.consumer)).catch(() => {});
    await readConsumer();
  }

  /** Publishes a message. @returns false when the queue has one with this id, which is that of its key */
  async function put(id: string, body: Uint8Array, key: string | undefined): Promise<boolean> {
    const headers = nats.headers();
    setHeader(headers, headerNames.key, key);
    try {
      await call(() => js.publish(layout.workSubject(id), body, { headers }));
      return true;
    } catch (error) {
      if (!isLimitReached(error)) throw error;
      if (/per subject/.test(error.message)) return false;
      throw fullError(layout.work, error);
    }
  }

  async function takeNow(
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Delivery | undefined | "lost" | "silent"> {
    const askedMs = performance.now();
    const message = await pullMessage(broker, layout, {
      waitMs,
      graceMs: requestTimeoutMs,
      signal,
      putBack: (late) => void receiveLate(late, askedMs),
    });
    return typeof message === "object" ? receive(parts, message, askedMs) : message;
  }

  /** A message for a taker that does not wait any more. */
  async function receiveLate(message: Msg, askedMs: number): Promise<void> {
    const delivery = await receive(parts, message, askedMs).catch(() => undefined);
    if (delivery) putBack(broker, delivery);
  }

  async function take(options: TakeOptions): Promise<Delivery | undefined> {
    checkTake(options);
    const { waitMs = 0, signal } = options;
    const end = performance.now() + waitMs;
    let wasSilent = false;
    for (;;) {
      signal?.throwIfAborted();
      const left = Math.max(0, end - performance.now());
      const taken = await takeNow(Math.min(left, pullMs), signal);
      if (taken === "silent") {
        await readConsumer();
        if (wasSilent)
          throw new DependencyUnavailableError("the servers did not answer requests for a message in time");
        wasSilent = true;
        continue;
      }
      const isOver = performance.now() >= end;
      if (!taken) await deliverForgotten();
      if (taken !== "lost" && (taken || isOver)) return taken;
      if (isOver) throw new DependencyUnavailableError("the connection to the servers was lost");
    }
  }

  async function status(): Promise<QueueStatus> {
    const [work, dead, marks, { num_ack_pending }] = await Promise.all([
      call(() => jsm.streams.info(layout.work)),
      call(() => jsm.streams.info(layout.dead)),
      tries.countMarks(),
      readConsumer(),
    ]);
    const { messages, first_ts } = work.state;
    const taken = Math.min(messages, Math.max(0, num_ack_pending - marks));
    // The clock of the server may be ahead.
    const oldestMs = messages === 0 ? 0 : Math.max(1, Date.now() - Date.parse(first_ts));
    return { waiting: messages - taken, taken, dead: dead.state.messages, oldestMs };
  }

  async function revive(id: string): Promise<boolean> {
    const letter = await letters.find(id);
    return letter !== undefined && (await put(id, letter.body, letter.key)) && letters.remove(id);
  }

  return {
    put: async (body, options = {}) => {
      checkMessage(body, options, maxBytes);
      const id = idOf(options.key);
      if (options.key !== undefined && (await letters.exists(id))) return false;
      return put(id, body, options.key);
    },
    take: (options = {}) => take(options),
    status,
    dead: async (limit) => letters.list(limitOf(limit)),
    revive,
    drop: (id) => letters.remove(id),
    close: () => broker.close(),
  };
}
