/** Observes a feed of scanned pictures: decodes them, searches them for the account's logos, and stores them one by one. */
import { DependencyUnavailableError } from "../../../errors.ts";
import type { ServiceContext } from "../../context.ts";
import { writeAtRevision } from "../account-state.ts";
import { type ObserveOptions, type ObserveReport, observeFeed, type StoredBatch } from "../feed.ts";
import type { Feed } from "../feed-batches.ts";
import { findLogos, type LogoQueryCompiler } from "./compiled-logo-queries.ts";
import { deletePicture, putPicture } from "./logo-blobs.ts";
import { storeLogoMatches, storeScan } from "./logo-store.ts";
import { type DescribedScan, readScan, type ScanRecord } from "./scan-record.ts";

/**
 * Stores scanned pictures and their matches with the account's logo queries. The same picture of the same domain and
 * scan is stored once. Pictures that were stored before an abort stay.
 *
 * @throws {ApiError} when a world does not have the account
 * @throws {TypeError} for a feed that is not iterable
 * @throws the abort reason
 */
export type ObserveImages = (
  account: string,
  feed: Feed<ScanRecord>,
  options?: ObserveOptions,
) => Promise<ObserveReport>;

export function createObserveImages(context: ServiceContext, compile: LogoQueryCompiler): ObserveImages {
  return async (account, feed, options = {}) => {
    const { retain = true } = options;
    await compile(account);
    return observeFeed(feed, options, 1, async ([record], line) => {
      const scan = await readScan(context, account, record);
      if (scan.ok) return storeOne(context, compile, account, scan.value, retain);
      return { matched: 0, added: 0, invalid: [{ line, message: scan.problems[0].message }] };
    });
  };
}

/** A new key for a scanned picture. */
export function scanKey({ ids }: ServiceContext, account: string): string {
  return `brand/${account}/scans/${ids.uuid()}`;
}

/** Searches for logos before the transaction, and again when the queries have changed in the meantime. */
async function storeOne(
  context: ServiceContext,
  compile: LogoQueryCompiler,
  account: string,
  { scan, picture }: DescribedScan,
  retain: boolean,
): Promise<StoredBatch> {
  const { store } = context;
  // A key of its own: a concurrent call with the same picture stores and deletes another one.
  const blob = scanKey(context, account);
  let isClaimed = false;
  try {
    for (;;) {
      const compiled = await compile(account);
      const found = await findLogos(picture.descriptor, compiled);
      if (found.length === 0 && !retain) return { matched: 0, added: 0, invalid: [] };
      await putPicture(store.blobs, blob, picture);
      const stored = await writeAtRevision(store, account, "logos", compiled, async (tx) => {
        const record = await storeScan(tx, { ...scan, blob }, retain);
        const pairs = found.map((each) => ({ ...each, scan: record }));
        return { record, added: await storeLogoMatches(tx, account, pairs) };
      });
      if (!stored) continue;
      isClaimed = stored.record.blob === blob;
      return { matched: found.length > 0 ? 1 : 0, added: stored.added, invalid: [] };
    }
  } catch (error) {
    // It is unknown whether the picture was stored; the store removes unclaimed pictures later.
    isClaimed = error instanceof DependencyUnavailableError;
    throw error;
  } finally {
    if (!isClaimed) await deletePicture(store.blobs, blob);
  }
}
