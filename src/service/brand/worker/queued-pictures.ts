/**
 * Pictures that are too large for a message: blobs of the data store under a key of their own, claimed until the message
 * is done, since a backlog may be older than the time after which a store removes unclaimed blobs.
 */
import { randomUUID } from "node:crypto";
import { DependencyUnavailableError } from "../../../errors.ts";
import type { WorkQueue } from "../../../queue/port.ts";
import type { Store } from "../../../store/port.ts";
import { decodeWorkMessage } from "./work-message.ts";

/** Name of a queue in the keys of its pictures: 1 to 64 letters, digits, `_` and `-`. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws {RangeError} for a name that cannot be in a key */
export function checkQueueName(name: string): void {
  if (!namePattern.test(name)) throw new RangeError("queueName must be 1 to 64 letters, digits, `_` and `-`");
}

/** Stores a picture that no record names, and returns its key. */
export async function putQueuedPicture(
  { blobs, write }: Store,
  queueName: string,
  bytes: Uint8Array,
): Promise<string> {
  const key = `${folderOf(queueName)}${Date.now()}-${randomUUID()}`;
  await blobs.put(key, bytes);
  await write((tx) => tx.claimBlobs([key]));
  return key;
}

/** Removes a picture. */
export async function removeQueuedPicture({ blobs, write }: Store, key: string): Promise<void> {
  await write((tx) => tx.releaseBlobs([key]));
  await blobs.delete(key);
}

/**
 * Removes a picture whose message is gone. When the store cannot be reached, the picture stays until
 * `removeLeftPictures` finds it.
 */
export async function forgetQueuedPicture(store: Store, key: string): Promise<void> {
  try {
    await removeQueuedPicture(store, key);
  } catch (error) {
    if (!(error instanceof DependencyUnavailableError)) throw error;
  }
}

/** Minimum age of a picture that belongs to no message and is removed, in milliseconds (`chosen`). */
export const leftPictureMs = 86_400_000;

/** Maximum number of dead letters among which the messages of pictures are searched: each may have a picture of 1 MB. */
const maxDead = 100;

/**
 * Removes the pictures of messages that were dropped, or whose publisher or worker was killed before it removed them. It
 * does so only while nothing waits in the queue and at most 100 messages are set aside, and only those of an earlier day:
 * every other one may have a message.
 *
 * @returns their number
 */
export async function removeLeftPictures(
  store: Store,
  queue: WorkQueue,
  queueName: string,
  beforeMs: number = Date.now() - leftPictureMs,
): Promise<number> {
  const old: string[] = [];
  for await (const key of store.blobs.keys(folderOf(queueName)))
    if (putAtMs(key, queueName) < beforeMs) old.push(key);
  if (old.length === 0) return 0;
  const letters = await queue.dead(maxDead);
  // Afterwards: a letter that is delivered again meanwhile is among them.
  const { waiting, taken, dead } = await queue.status();
  if (waiting + taken > 0 || dead !== letters.length) return 0;
  const kept = new Set(letters.map(({ body }) => blobOf(body)));
  const left = old.filter((key) => !kept.has(key));
  for (const key of left) await removeQueuedPicture(store, key);
  return left.length;
}

function folderOf(queueName: string): string {
  return `queue/${queueName}/`;
}

function putAtMs(key: string, queueName: string): number {
  return Number.parseInt(key.slice(folderOf(queueName).length), 10);
}

/** The key of the picture that a message names. */
function blobOf(body: Uint8Array): string | undefined {
  const message = decodeWorkMessage(body);
  if (!message.ok || message.value.type !== "picture" || message.value.picture instanceof Uint8Array)
    return undefined;
  return message.value.picture.blob;
}
