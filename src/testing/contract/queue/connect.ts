/** How the cases of the queue contract open queues, and what they share. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Delivery, WorkQueue } from "../../../queue/port.ts";

/** Connects to one queue; each call is a client of its own, where the adapter has connections. */
export type ConnectQueue = () => Promise<WorkQueue>;

/** Creates an empty queue whose acknowledgement time is `ackWaitMs` milliseconds. */
export type OpenQueue = (ackWaitMs: number) => Promise<ConnectQueue>;

/** One requirement of the contract. */
export interface QueueContractCase {
  /** The requirement, as a statement; unique in the contract. */
  readonly name: string;
  /** Opens the queues that it needs, closes them, and rejects when the requirement is not met. */
  run(open: OpenQueue): Promise<void>;
}

/** An acknowledgement time that no case waits for, in milliseconds. */
export const longMs = 60_000;
/** An acknowledgement time that cases wait for, in milliseconds. */
export const shortMs = 500;
/** Maximum wait for a message that must come, in milliseconds: generous for a busy machine. */
const comesMs = 30_000;

/** A case on one fresh queue. */
export function onQueue(
  name: string,
  ackWaitMs: number,
  work: (queue: WorkQueue, connect: ConnectQueue) => Promise<void>,
): QueueContractCase {
  return {
    name,
    run: async (open) => {
      const connect = await open(ackWaitMs);
      const queue = await connect();
      try {
        await work(queue, connect);
      } finally {
        await queue.close();
      }
    },
  };
}

/** The bytes of a text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of a message. */
export function textOf({ body }: Pick<Delivery, "body">): string {
  return new TextDecoder().decode(body);
}

/** Takes a message that must come. */
export async function takeOne(queue: WorkQueue): Promise<Delivery> {
  const taken = await queue.take({ waitMs: comesMs });
  assert.ok(taken, "no message was delivered");
  return taken;
}

/** Waits until the acknowledgement time of `shortMs` has passed for sure. */
export async function pastAckWait(): Promise<void> {
  await sleep(shortMs * 1.5);
}

/** Asserts the numbers of messages. */
export async function expectCounts(
  queue: WorkQueue,
  expected: { readonly waiting: number; readonly taken: number; readonly dead: number },
): Promise<void> {
  const { oldestMs, ...counts } = await queue.status();
  assert.deepEqual(counts, expected);
  assert.equal(oldestMs > 0, counts.waiting + counts.taken > 0, `the age of the oldest is ${oldestMs}`);
}
