/**
 * Pictures and their descriptors in the blob store, by the hash of the picture: equal pictures of all accounts are stored
 * once. A picture is put before the record that claims it, always as if it were new, so that neither answers nor times
 * tell whether another account has it. It is never deleted by its key: the store removes pictures without a claim.
 */
import { createHash } from "node:crypto";
import type { LogoRole } from "../../../engine/logo/descriptor.ts";
import { DependencyUnavailableError } from "../../../errors.ts";
import { type BlobStore, MissingBlobError } from "../../../store/port.ts";
import { descriptorKey, isSharedBlob, pictureKey } from "../../../store/records/brand.ts";
import type { Picture } from "./picture.ts";

/** The stored parts of a picture. */
type StoredFiles = Pick<Picture, "bytes" | "descriptor">;

/** The keys of a picture and of its descriptor: a record that names the picture claims both. */
export function blobsOf(key: string, role: LogoRole): readonly string[] {
  return [descriptorKey(key, role), key];
}

/** Puts a picture and its descriptor, and returns the key of the picture. */
export async function putPicture(blobs: BlobStore, { bytes, descriptor }: StoredFiles): Promise<string> {
  const key = pictureKey(createHash("sha256").update(bytes).digest("hex"));
  await blobs.put(key, bytes);
  await blobs.put(descriptorKey(key, descriptor.role), descriptor.bytes);
  return key;
}

/** How often a picture is put that was removed before it was claimed. */
const maxPuts = 5;

/**
 * Puts a picture and calls `work`, which claims it in a transaction; both again when the picture was removed in between.
 *
 * @param work receives the key; may be called again after a MissingBlobError
 */
export async function withPicture<T>(
  blobs: BlobStore,
  picture: StoredFiles,
  work: (key: string) => Promise<T>,
): Promise<T> {
  for (let puts = 1; ; puts++) {
    try {
      return await work(await putPicture(blobs, picture));
    } catch (error) {
      if (!(error instanceof MissingBlobError) || puts === maxPuts) throw error;
    }
  }
}

/** Deletes released blobs that belong to one record; shared ones stay until the store finds them without a claim. */
export async function deleteOwnBlobs(blobs: BlobStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) if (!isSharedBlob(key)) await blobs.delete(key);
}

/** Time between two removals of unclaimed blobs by one process, in milliseconds (`chosen`). */
const removalMs = 3_600_000;

/**
 * Makes a function that removes unclaimed blobs from time to time: called after writes, since a store removes them by
 * itself only when it is opened.
 */
export function createBlobRemoval(blobs: BlobStore): () => Promise<void> {
  let lastMs = performance.now();
  return async () => {
    const nowMs = performance.now();
    if (nowMs - lastMs < removalMs) return;
    lastMs = nowMs;
    try {
      await blobs.removeUnclaimed();
    } catch (error) {
      // A later removal finds them.
      if (!(error instanceof DependencyUnavailableError)) throw error;
    }
  };
}
