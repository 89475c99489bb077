/** Loads the bucket of a store, with its package, when the options name one. */
import { anyValue, optionGroup } from "../../../core/arguments.ts";
import { loadPeers } from "../../peers.ts";
import type { BlobBackend } from "./backend.ts";
import type { BlobBucket } from "./bucket/location.ts";

/** A bucket among the options of a store; the values are checked when it is located. */
export const bucketOptions = optionGroup<BlobBucket>("blobBucket", {
  endpoint: anyValue,
  bucket: anyValue,
  region: anyValue,
  prefix: anyValue,
  accessKeyId: anyValue,
  secretAccessKey: anyValue,
  sessionToken: anyValue,
  timeoutMs: anyValue,
});

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
