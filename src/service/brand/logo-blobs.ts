/** Keeps pictures and their descriptors in the blob store: written before the record that names them, deleted after it. */
import type { BlobStore } from "../../store/port.ts";
import { descriptorKey } from "../../store/records/brand.ts";
import type { Picture } from "./picture.ts";

export async function putPicture(
  blobs: BlobStore,
  key: string,
  { bytes, descriptor }: Picture,
): Promise<void> {
  await blobs.put(key, bytes);
  await blobs.put(descriptorKey(key), descriptor.bytes);
}

export async function deletePicture(blobs: BlobStore, key: string): Promise<void> {
  await blobs.delete(descriptorKey(key));
  await blobs.delete(key);
}

/** Runs work that stores a record naming the picture; when it fails, nothing is left behind. */
export async function withPicture<T>(
  blobs: BlobStore,
  key: string,
  picture: Picture,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await putPicture(blobs, key, picture);
    return await work();
  } catch (error) {
    await deletePicture(blobs, key);
    throw error;
  }
}
