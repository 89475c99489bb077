/**
 * Stored descriptors. One of another version is described again from its picture when it is first read, or by
 * `reindexLogos`; descriptors of different versions are never compared.
 */
import type { DecodeLimits } from "../../../engine/logo/decode/decode.ts";
import { maxMaxPixels } from "../../../engine/logo/decode/limits.ts";
import {
  isCurrentLogoDescriptor,
  type LogoDescriptor,
  type LogoRole,
  readLogoDescriptor,
} from "../../../engine/logo/descriptor.ts";
import type { ReadTransaction, Store } from "../../../store/port.ts";
import { descriptorKey } from "../../../store/records/brand.ts";
import { type Compute, inProcess } from "../../compute.ts";
import { describePicture } from "../tasks/logo-tasks.ts";

/** Where the pictures are, and what describes them. */
interface DescriptorContext {
  readonly store: Pick<Store, "blobs">;
  readonly compute: Compute;
}

/** The limits for decoding a stored picture: it was accepted under the limits of its time. */
export function storedLimits({ length }: Uint8Array): Required<DecodeLimits> {
  return { maxBytes: length, maxPixels: maxMaxPixels };
}

/**
 * The descriptor of a stored picture, described again and stored when it has another version. Undefined when the
 * picture or its descriptor was deleted, or the picture cannot be decoded any more.
 */
export async function readStoredDescriptor(
  context: DescriptorContext,
  key: string,
  role: LogoRole,
): Promise<LogoDescriptor | undefined> {
  const [bytes] = await readStoredDescriptors(context, [key], role);
  return bytes && readLogoDescriptor(bytes);
}

/** The bytes of the descriptors of many stored pictures, in the order of their keys, as `readStoredDescriptor`. */
export async function readStoredDescriptors(
  context: DescriptorContext,
  keys: readonly string[],
  role: LogoRole,
): Promise<readonly (Uint8Array | undefined)[]> {
  const stored = await context.store.blobs.getMany(keys.map((key) => descriptorKey(key, role)));
  for (const [i, key] of keys.entries()) {
    const bytes = stored[i];
    if (bytes && !isCurrentLogoDescriptor(bytes)) stored[i] = await describeStored(context, key, role);
  }
  return stored;
}

/** The bytes of the new descriptor. */
async function describeStored(
  { store: { blobs }, compute }: DescriptorContext,
  key: string,
  role: LogoRole,
): Promise<Uint8Array | undefined> {
  const bytes = await blobs.get(key);
  if (!bytes) return undefined;
  const described = await compute.run(describePicture, { bytes, limits: storedLimits(bytes), role });
  if (!described.ok) return undefined;
  const { descriptor } = described.value;
  await blobs.put(descriptorKey(key, role), descriptor);
  return descriptor;
}

/** The number of stored pictures by what was done with them. */
export interface ReindexCounts {
  /** Described again. */
  readonly described: number;
  /** Of this version already. */
  readonly current: number;
  /** Without a descriptor: the picture was deleted meanwhile, or cannot be decoded. */
  readonly skipped: number;
}

/** Options of `reindexLogos`. */
export interface ReindexOptions {
  /** Called after each picture with the counts so far. */
  readonly onProgress?: (report: ReindexCounts) => void;
  /** Stops between two pictures. Descriptors made so far stay; a later call continues. */
  readonly signal?: AbortSignal;
}

/** A stored picture. */
interface DescribedBlob {
  readonly key: string;
  readonly role: LogoRole;
}

/**
 * Describes the stored logos and scanned pictures of all accounts again whose descriptors have another version.
 *
 * @throws the abort reason of `signal`
 * @throws {DependencyUnavailableError} when the store cannot be reached
 */
export async function reindexLogos(
  store: Store,
  { onProgress = () => {}, signal }: ReindexOptions = {},
): Promise<ReindexCounts> {
  const report = { described: 0, current: 0, skipped: 0 };
  for await (const { key, role } of storedPictures(store)) {
    signal?.throwIfAborted();
    const bytes = await store.blobs.get(descriptorKey(key, role));
    if (bytes && isCurrentLogoDescriptor(bytes)) report.current++;
    else if (bytes && (await describeStored({ store, compute: inProcess }, key, role))) report.described++;
    else report.skipped++;
    onProgress(report);
  }
  await removeSegments(store);
  return report;
}

/** Removes the prefilter data of earlier versions, which descriptors have now. */
async function removeSegments(store: Store): Promise<void> {
  for (const scope of await store.read((tx) => tx.scopes("brand_logo_segments"))) {
    const keys = await store.write(async (tx) => {
      const segments = await tx.find("brand_logo_segments", scope);
      const blobs = segments.map(({ blob }) => blob);
      for (const { id } of segments) await tx.delete("brand_logo_segments", scope, id);
      await tx.releaseBlobs(blobs);
      return blobs;
    });
    for (const key of keys) await store.blobs.delete(key);
  }
}

const pageSize = 500;

/** All stored pictures: the logos first, because a picture is compared with all of them. */
async function* storedPictures(store: Store): AsyncGenerator<DescribedBlob> {
  for await (const { store_path } of records(store, "brand_logo_queries"))
    yield { key: store_path, role: "query" };
  for await (const { blob } of records(store, "brand_logo_scans")) yield { key: blob, role: "scan" };
}

/** The records of a collection in all scopes, each page in a transaction of its own. */
async function* records<C extends "brand_logo_queries" | "brand_logo_scans">(store: Store, collection: C) {
  for (const scope of await store.read((tx) => tx.scopes(collection))) {
    let after: string | undefined;
    do {
      const page = await store.read((tx) => pageOf(tx, collection, scope, after));
      yield* page;
      after = page.at(-1)?.id;
    } while (after !== undefined);
  }
}

function pageOf<C extends "brand_logo_queries" | "brand_logo_scans">(
  tx: ReadTransaction,
  collection: C,
  scope: string,
  after: string | undefined,
) {
  return tx.find(collection, scope, { limit: pageSize, ...(after !== undefined && { after: [after] }) });
}
