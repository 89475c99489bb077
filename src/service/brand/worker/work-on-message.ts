/** Works on one message: stores a picture for each of its accounts, or searches a part of a lookback. */
import { messageOf } from "../../../core/message-of.ts";
import { ApiError, DependencyUnavailableError, quote } from "../../../errors.ts";
import { pictureKey } from "../../../store/records/brand.ts";
import type { StorePictureOptions } from "../logos/pictures.ts";
import { AccountSettingsError } from "../settings/account-settings.ts";
import {
  decodeWorkMessage,
  type PictureMessage,
  type PictureReference,
  pictureMismatch,
} from "./work-message.ts";
import type { WorkerEdge } from "./worker-options.ts";

/** The outcome of the work on a message. */
export type WorkOutcome =
  /** Everything is committed; `blob` is the key of the picture in the store, which is not needed any more. */
  | {
      readonly type: "done";
      readonly fresh: number;
      readonly matches: number;
      readonly blob: string | undefined;
    }
  /** The message can never be stored. */
  | { readonly type: "invalid"; readonly reason: string }
  /** The store cannot be reached, or an account is one of another version: both end without the message. */
  | { readonly type: "outage"; readonly reason: string }
  /** An error that may not occur again. */
  | { readonly type: "failed"; readonly reason: string }
  /** The signal was aborted. */
  | { readonly type: "aborted" };

/** Does the work of a message; a second call stores nothing. Never rejects. */
export async function workOnMessage(
  edge: WorkerEdge,
  body: Uint8Array,
  options: StorePictureOptions & { readonly signal: AbortSignal },
): Promise<WorkOutcome> {
  try {
    const message = decodeWorkMessage(body);
    if (!message.ok) return { type: "invalid", reason: message.problems[0].message };
    if (message.value.type === "picture") return await storePicture(edge, message.value, options);
    const { added } = await edge.brand.lookbacks.searchRange(message.value.range, options);
    return { type: "done", fresh: 0, matches: added, blob: undefined };
  } catch (error) {
    if (options.signal.aborted) return { type: "aborted" };
    const reason = messageOf(error);
    const isOtherVersion = error instanceof AccountSettingsError && error.found !== undefined;
    if (error instanceof DependencyUnavailableError || isOtherVersion) return { type: "outage", reason };
    return { type: error instanceof ApiError ? "invalid" : "failed", reason };
  }
}

async function storePicture(
  edge: WorkerEdge,
  { accounts, facts, picture }: PictureMessage,
  options: StorePictureOptions,
): Promise<WorkOutcome> {
  const { brand, store } = edge;
  const isInline = picture instanceof Uint8Array;
  const image = isInline ? picture : await store.blobs.get(picture.blob);
  if (image === undefined)
    return !isInline && (await isDone(edge, accounts, facts, picture))
      ? { type: "done", fresh: 0, matches: 0, blob: undefined }
      : { type: "invalid", reason: missingPicture };
  const mismatch = isInline ? undefined : pictureMismatch(image, picture);
  if (mismatch !== undefined) return { type: "invalid", reason: mismatch };
  const stored = await brand.pictures.observe(accounts, { ...facts, image }, options);
  if (!stored.ok) return { type: "invalid", reason: stored.problems[0].message };
  for (const [i, { rejected }] of stored.value.entries())
    if (rejected !== undefined)
      return { type: "invalid", reason: `Account ${quote(accounts[i])}: ${rejected}` };
  return {
    type: "done",
    fresh: stored.value.filter(({ isNew }) => isNew).length,
    matches: stored.value.reduce((sum, { added }) => sum + added, 0),
    blob: isInline ? undefined : picture.blob,
  };
}

/**
 * Whether a message whose picture is gone was done before: it is delivered again when a worker loses its connection before
 * it could say so, and when a broker is killed before it has written that to disk.
 */
async function isDone(
  { brand, store }: WorkerEdge,
  accounts: readonly string[],
  facts: PictureMessage["facts"],
  picture: PictureReference,
): Promise<boolean> {
  const image = await store.blobs.get(pictureKey(picture.sha256));
  if (image === undefined || pictureMismatch(image, picture) !== undefined) return false;
  return brand.pictures.isStored(accounts, { ...facts, image });
}

const missingPicture =
  "The store does not have the picture of the message; publisher and worker must use the same store.";
