/**
 * The stored segments of an account: prefilter data of the pictures at so many positions, from which lookback learns which
 * descriptors it has to read. The first lookback over a whole segment of pictures stores it.
 */
import { segmentVersion } from "../../../../engine/logo/index/segment.ts";
import { DependencyUnavailableError } from "../../../../errors.ts";
import type { Store, WriteTransaction } from "../../../../store/port.ts";

/** A segment whose bytes were put. */
export interface NewSegment {
  /** The positions of its pictures, divided by the size of a segment. */
  readonly number: number;
  readonly key: string;
}

/** The bytes of a segment; undefined without one of this version. A damaged one is treated as missing. */
export async function readSegment(
  store: Store,
  account: string,
  number: number,
): Promise<Uint8Array | undefined> {
  const record = await store.read((tx) => tx.get("brand_logo_segments", account, String(number)));
  if (record?.version !== segmentVersion) return undefined;
  try {
    return await store.blobs.get(record.blob);
  } catch (error) {
    if (error instanceof DependencyUnavailableError) throw error;
    return undefined;
  }
}

/** Puts the bytes of a segment. The key is that of any process that builds the same segment. */
export async function putSegment(
  { blobs }: Store,
  account: string,
  number: number,
  bytes: Uint8Array,
): Promise<NewSegment> {
  const key = `brand/${account}/segments/${segmentVersion}/${number}`;
  await blobs.put(key, bytes);
  return { number, key };
}

/** Stores a segment. Returns the keys of blobs to delete after the transaction: those of another version. */
export async function storeSegment(
  tx: WriteTransaction,
  account: string,
  { number, key }: NewSegment,
): Promise<readonly string[]> {
  const record = { scope: account, id: String(number), version: segmentVersion, blob: key };
  const before = await tx.get("brand_logo_segments", account, record.id);
  if (!before) await tx.insert("brand_logo_segments", record);
  else if (before.blob !== key) await tx.replace("brand_logo_segments", record);
  if (before?.blob === key) return [];
  await tx.claimBlobs([key]);
  if (!before) return [];
  await tx.releaseBlobs([before.blob]);
  return [before.blob];
}
