/**
 * The port of work queues: messages that are delivered until a worker has finished them. The docstrings are the contract;
 * the published suite (`edgeproof/testing/queues`, `queueContract`) checks every adapter against them.
 */
import {
  anyValue,
  aString,
  aUint8Array,
  integerFrom,
  optional,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../core/arguments.ts";
import { quote } from "../errors.ts";

/** How a message is put. */
export interface PutOptions {
  /** While the queue has a message with the same key, dead letters included, the new one is not added. 1 to 400 characters. */
  readonly key?: string;
}

/** How a message is taken. */
export interface TakeOptions {
  /** Maximum wait for a message, in milliseconds. Default 0. */
  readonly waitMs?: number;
  /** Ends the wait; the call then rejects with the abort reason, and takes nothing. */
  readonly signal?: AbortSignal;
}

/** How a message is put back. */
export interface RetryOptions {
  /** Time until it can be taken again, in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Whether this delivery counts as a try. Default true; false when something else than the message failed. */
  readonly counts?: boolean;
}

/**
 * A message that was taken. It belongs to the taker until one of the last three functions is called, or until the
 * acknowledgement time of the queue has passed since `take` or the last `extend`: then it is delivered again.
 *
 * Each function resolves to false, and changes nothing but the number of tries, when the message has been delivered again
 * or is gone. A taker that calls one of them late shows that it did not crash: its delivery then does not count as a try.
 */
export interface Delivery {
  /** Identifies the message in the queue. */
  readonly id: string;
  /** The bytes that were put. */
  readonly body: Uint8Array;
  /** The key that it was put with. */
  readonly key: string | undefined;
  /** Number of earlier deliveries that count: put back as a try, or not finished in time. */
  readonly tries: number;
  /** Starts the acknowledgement time again. */
  extend(): Promise<boolean>;
  /** Removes the message: its work is done. */
  done(): Promise<boolean>;
  /** Puts the message back. */
  retry(options?: RetryOptions): Promise<boolean>;
  /** Sets the message aside with a reason, of which at most 2,000 characters are kept; it is not delivered any more. */
  bury(reason: string): Promise<boolean>;
}

/** A message that was set aside. */
export interface DeadLetter {
  /** Identifies the message in the queue. */
  readonly id: string;
  /** The bytes that were put. */
  readonly body: Uint8Array;
  /** The key that it was put with. */
  readonly key: string | undefined;
  /** Why it was set aside. */
  readonly reason: string;
}

/** The numbers of messages of a queue. */
export interface QueueStatus {
  /** Waiting, those with a delay included. */
  readonly waiting: number;
  /** Taken and not finished. */
  readonly taken: number;
  /** Set aside. */
  readonly dead: number;
  /** Age of the oldest message that is waiting or taken, in milliseconds; 0 when there is none. */
  readonly oldestMs: number;
}

/**
 * A queue of work. A message that `put` has accepted is delivered until it is done or set aside, at least once; a message
 * that is done or set aside is not delivered again. Messages are delivered about in the order in which they were put.
 *
 * All functions reject with a DependencyUnavailableError when the queue cannot be reached; whether the operation was
 * performed is then unknown. After `close` they reject with a TypeError.
 */
export interface WorkQueue {
  /**
   * Adds a message.
   *
   * @returns false when it was not added, since the queue has one with the same key
   * @throws {RangeError} for a body that is larger than the queue allows, or an invalid key
   */
  put(body: Uint8Array, options?: PutOptions): Promise<boolean>;
  /** Takes the next message; undefined when there is none within the wait. */
  take(options?: TakeOptions): Promise<Delivery | undefined>;
  /** The numbers of messages. */
  status(): Promise<QueueStatus>;
  /**
   * The oldest messages that were set aside.
   *
   * @param limit maximum number, from 1; default 100
   * @throws {RangeError} for another number
   */
  dead(limit?: number): Promise<readonly DeadLetter[]>;
  /** Delivers a message that was set aside again, without tries. False when there is none with this id. */
  revive(id: string): Promise<boolean>;
  /** Removes a message that was set aside. False when there is none with this id. */
  drop(id: string): Promise<boolean>;
  /** Releases connections; messages stay. Deliveries that are not finished are delivered again in time. */
  close(): Promise<void>;
}

/** Maximum length of a key, in characters. */
const maxKeyLength = 400;

const putOptions = optionsOf<PutOptions>("put", { key: optional(aString) });
const takeOptions = optionsOf<TakeOptions>("take", { waitMs: anyValue, signal: anyValue });
const retryOptions = optionsOf<RetryOptions>("retry", { delayMs: anyValue, counts: anyValue });

/** @throws {TypeError} for an unknown option @throws {RangeError} for an invalid wait */
export function checkTake(options: TakeOptions): void {
  requireArgument("options", options, takeOptions);
  checkMs("waitMs", options.waitMs ?? 0);
}

/** @throws {TypeError} for an unknown option @throws {RangeError} for an invalid delay */
export function checkRetry(options: RetryOptions): void {
  requireArgument("options", options, retryOptions);
  checkMs("delayMs", options.delayMs ?? 0);
}

/** The maximum number of dead letters of a call. @throws {TypeError} @throws {RangeError} */
export function limitOf(limit = 100): number {
  requireArgument("limit", limit, integerFrom(1));
  return limit;
}

/** @throws {RangeError} for a body or key that a queue does not accept */
export function checkMessage(body: Uint8Array, options: PutOptions, maxBytes: number): void {
  requireArguments({ body: [body, aUint8Array], options: [options, putOptions] });
  const { key } = options;
  if (body.length > maxBytes)
    throw new RangeError(
      `a message of this queue must be at most ${maxBytes} bytes; found ${body.length}. Put a reference to the content`,
    );
  if (key !== undefined && (key.length < 1 || key.length > maxKeyLength || key.includes("\0")))
    throw new RangeError(
      `the key of a message must be 1 to ${maxKeyLength} characters without U+0000; found ${quote(key)}`,
    );
}

/** @throws {RangeError} for a time that is not a number of milliseconds from the minimum */
export function checkMs(name: string, ms: number, min = 0): void {
  if (Number.isFinite(ms) && ms >= min && ms <= maxMs) return;
  throw new RangeError(
    `${name} must be a number of milliseconds from ${min} to ${maxMs}; found ${quote(ms)}`,
  );
}

/** Maximum length of a reason, in characters. */
const maxReasonLength = 2_000;

/** A reason as queues keep it: cut to its maximum length, without U+0000. */
export function cutReason(reason: string): string {
  return reason.slice(0, maxReasonLength).replaceAll("\0", "\ufffd");
}

/** Maximum of every time: the longest delay of a timer. */
const maxMs = 2 ** 31 - 1;

/** The error of a queue that is used after `close`. */
export function closedError(): TypeError {
  return new TypeError("the queue is closed");
}
