/** The feed of scanned pictures: decoded, searched for the account's logos, and stored one by one. */
import { DependencyUnavailableError } from "../../../errors.ts";
import type { ServiceContext } from "../../context.ts";
import { readState } from "../account-state.ts";
import { batchesOf, type Feed } from "../domains/batches.ts";
import type { InvalidRecord } from "../domains/validate-batch.ts";
import { logosIn, type OpenLogoWatch } from "./compiled-logo-queries.ts";
import { deletePicture, putPicture } from "./logo-blobs.ts";
import { storeLogoMatches, storeScan } from "./logo-store.ts";
import { type DescribedScan, readScan, type ScanRecord } from "./scan-record.ts";

/** How far a feed is. */
export interface ObserveImagesProgress {
  /** Pictures read, those that are none included. */
  readonly scans: number;
  /** Of these, pictures in which a logo was found. */
  readonly matched: number;
  /** Of these, what could not be read. */
  readonly invalid: number;
}

export interface ObserveImagesReport extends ObserveImagesProgress {
  /** Matches that were not known before. */
  readonly matches: number;
  /** The first of the bad records, at most 100. */
  readonly invalidRecords: readonly InvalidRecord[];
}

export interface ObserveImagesOptions {
  /** Default true. False: pictures without a logo are forgotten at once, and lookback finds none of them. */
  readonly retain?: boolean;
  readonly signal?: AbortSignal;
  /** Called after each picture. */
  readonly onProgress?: (progress: ObserveImagesProgress) => void;
  /** Called for each bad record. */
  readonly onInvalidRecord?: (bad: InvalidRecord) => void;
}

/**
 * Takes scanned pictures in, and seeks the account's logos in them. The same picture of the same domain and scan
 * is taken once. What was taken in before an abort stays.
 *
 * @throws {ApiError} when a world has no such account
 * @throws {TypeError} for a feed that is none
 * @throws the abort reason
 */
export type ObserveImages = (
  account: string,
  feed: Feed<ScanRecord>,
  options?: ObserveImagesOptions,
) => Promise<ObserveImagesReport>;

/** Bad records that a report tells of. */
const maxFaults = 100;

export function createObserveImages(context: ServiceContext, openWatch: OpenLogoWatch): ObserveImages {
  return async (account, feed, options = {}) => {
    const { retain = true, signal, onProgress, onInvalidRecord } = options;
    const report = { scans: 0, matched: 0, invalid: 0, matches: 0, invalidRecords: [] as InvalidRecord[] };
    await openWatch(account);
    for await (const [item] of batchesOf<unknown>(feed, 1, signal)) {
      report.scans += 1;
      const read = await readScan(context, account, item);
      if ("fault" in read) {
        const invalid = { line: report.scans, message: read.fault };
        report.invalid += 1;
        if (report.invalidRecords.length < maxFaults) report.invalidRecords.push(invalid);
        onInvalidRecord?.(invalid);
      } else {
        const stored = await storeOne(context, openWatch, account, read.value, retain);
        report.matched += stored.matched ? 1 : 0;
        report.matches += stored.added;
      }
      const { scans, matched, invalid } = report;
      onProgress?.({ scans, matched, invalid });
      signal?.throwIfAborted();
    }
    return report;
  };
}

/** A fresh place for a scanned picture. */
export function scanKey({ ids }: ServiceContext, account: string): string {
  return `brand/${account}/scans/${ids.uuid()}`;
}

/** Seeks the logos outside of the transaction, and again when they have changed meanwhile. */
async function storeOne(
  context: ServiceContext,
  openWatch: OpenLogoWatch,
  account: string,
  { scan, picture }: DescribedScan,
  retain: boolean,
): Promise<{ readonly matched: boolean; readonly added: number }> {
  const { store } = context;
  // A key of its own: who else observes the same picture at this moment keeps and removes another one.
  const blob = scanKey(context, account);
  let isWanted = false;
  try {
    for (;;) {
      const watch = await openWatch(account);
      const found = await logosIn(picture.descriptor, watch);
      if (found.length === 0 && !retain) return { matched: false, added: 0 };
      await putPicture(store.blobs, blob, picture);
      const stored = await store.write(async (tx) => {
        if ((await readState(tx, account, "logos")).revision !== watch.revision) return undefined;
        const record = await storeScan(tx, { ...scan, blob }, retain);
        const pairs = found.map(({ queryId, score }) => ({ queryId, score, scan: record }));
        return { record, added: await storeLogoMatches(tx, account, pairs) };
      });
      if (!stored) continue;
      isWanted = stored.record.blob === blob;
      return { matched: found.length > 0, added: stored.added };
    }
  } catch (error) {
    // Nobody knows whether the picture was stored; the store removes it in time if it was not.
    isWanted = error instanceof DependencyUnavailableError;
    throw error;
  } finally {
    if (!isWanted) await deletePicture(store.blobs, blob);
  }
}
