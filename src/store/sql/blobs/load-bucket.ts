/** Loads the bucket of a store, with its package, when the options name one. */
import { loadPeers } from "../../peers.ts";
import type { BlobBackend } from "./backend.ts";
import type { BlobBucket } from "./bucket/location.ts";

/**
 * @returns opens the bucket; undefined when the options name none
 * @throws {TypeError} when an option is invalid
 * @throws {Error} when the package is missing
 */
export async function loadBucket({
  blobFolder,
  blobBucket,
}: {
  readonly blobFolder?: string;
  readonly blobBucket?: BlobBucket;
}): Promise<(() => Promise<BlobBackend>) | undefined> {
  if (blobBucket === undefined) return undefined;
  if (blobFolder !== undefined)
    throw new TypeError("`blobFolder` and `blobBucket` exclude each other: blobs are in one of them");
  const [{ locate }, { openBucketBlobs }] = await loadPeers("a bucket for blobs", "aws4fetch", () =>
    Promise.all([import("./bucket/location.ts"), import("./bucket/bucket.ts")]),
  );
  const location = locate(blobBucket);
  return () => openBucketBlobs(location);
}
