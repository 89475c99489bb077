/** Pictures and their descriptors in the blob store: written before the record that has their key, deleted after it. */
import { DependencyUnavailableError } from "../../../errors.ts";
import type { BlobStore } from "../../../store/port.ts";
import { descriptorKey } from "../../../store/records/brand.ts";
import type { Picture } from "./picture.ts";

/** What is stored of a picture. */
type StoredFiles = Pick<Picture, "bytes" | "descriptor">;

/** The keys of a picture and of its descriptor. */
export function blobsOf(key: string): readonly string[] {
  return [descriptorKey(key), key];
}

export async function putPicture(
  blobs: BlobStore,
  key: string,
  { bytes, descriptor }: StoredFiles,
): Promise<void> {
  await blobs.put(key, bytes);
  await blobs.put(descriptorKey(key), descriptor.bytes);
}

export async function deletePicture(blobs: BlobStore, key: string): Promise<void> {
  for (const each of blobsOf(key)) await blobs.delete(each);
}

/**
 * Stores a picture and calls `work`, which stores the record of the picture. If `work` fails, the picture is deleted. If
 * it is unknown whether it failed, the picture stays: the store removes unclaimed pictures later.
 */
export async function withPicture<T>(
  blobs: BlobStore,
  key: string,
  picture: StoredFiles,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await putPicture(blobs, key, picture);
    return await work();
  } catch (error) {
    if (!(error instanceof DependencyUnavailableError)) await deletePicture(blobs, key);
    throw error;
  }
}
