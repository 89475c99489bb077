/**
 * Searches stored pictures for one logo: their descriptors, as far as the prefilter does not exclude them, and the newest
 * pictures densely too.
 */

import { decodeLogo } from "../../../../engine/logo/decode/decode.ts";
import type { Detector } from "../../../../engine/logo/dense/detector.ts";
import { searchSteps } from "../../../../engine/logo/dense/search-picture.ts";
import { runStepsAsync } from "../../../../engine/logo/dense/steps.ts";
import { type LogoDescriptor, readPrefilterData } from "../../../../engine/logo/descriptor.ts";
import { compareStored } from "../../../../engine/logo/features/compare.ts";
import { betterHit, type LogoHit } from "../../../../engine/logo/find-logos.ts";
import {
  emptySegmentEntry,
  type SegmentEntry,
  searchSegment,
  segmentEntry,
  writeSegment,
} from "../../../../engine/logo/index/segment.ts";
import type { BlobStore, ReadTransaction } from "../../../../store/port.ts";
import type { LogoLookback, LogoScanRecord } from "../../../../store/records/brand.ts";
import type { Lookback } from "../../lookback.ts";
import { type FoundLogo, foundLogo } from "../logo-store.ts";
import { maxDenseScore } from "../picture-search.ts";
import { readStoredDescriptors, storedLimits } from "../stored-descriptors.ts";

/** A logo, and the minimum score of a match. */
export interface LogoTarget {
  readonly descriptor: LogoDescriptor;
  readonly threshold: number;
  /** The templates of the dense search. */
  readonly loadDetector: () => Promise<Detector>;
}

/** A picture that contains the logo. */
export interface FoundScan extends FoundLogo {
  readonly scan: LogoScanRecord;
}

/** Pictures of one page. */
const pageSize = 100;

/** Pictures that lookback searches. */
export const retained = { field: "position", op: "gt", value: 0 } as const;

/**
 * The position from which on pictures are searched densely, so that these are the newest `count`.
 *
 * @param count an integer from 0
 */
export async function densePosition(tx: ReadTransaction, account: string, count: number): Promise<number> {
  if (count === 0) return Number.MAX_SAFE_INTEGER;
  const order = [{ field: "position", direction: "desc" }] as const;
  const query = { where: [retained], order, offset: count - 1, limit: 1 };
  const [oldest] = await tx.find("brand_logo_scans", account, query);
  return oldest?.position ?? 1;
}

/** The report of a finished lookback, in the transaction that ends it. */
export async function lookbackReport(
  tx: ReadTransaction,
  account: string,
  denseFrom: number,
): Promise<LogoLookback> {
  const newest = { field: "position", op: "gte", value: denseFrom } as const;
  const total = await tx.count("brand_logo_scans", account, [retained]);
  const dense = await tx.count("brand_logo_scans", account, [newest]);
  return { state: "done", total, searched: total, dense };
}

/** Finds the pictures that contain a logo. Those of `denseFrom` and later positions are searched densely too. */
export function logoLookback(
  blobs: BlobStore,
  account: string,
  target: LogoTarget,
  denseFrom: number,
): Lookback<LogoScanRecord, FoundScan> {
  return {
    pageSize,
    readPage: (tx, page) => tx.find("brand_logo_scans", account, page),
    search: async (page) => searchScans(blobs, await readScans(blobs, page), target, denseFrom),
  };
}

/** A stored picture with what is compared. */
export interface ComparableScan {
  readonly scan: LogoScanRecord;
  /** Its descriptor; undefined when the picture was deleted, or cannot be decoded any more. */
  readonly descriptor: Uint8Array | undefined;
  /** Its prefilter data, by the position of the picture. */
  readonly entry: SegmentEntry;
}

/** Reads the descriptors of a page of pictures together: about 1 KB a view. */
export async function readScans(
  blobs: BlobStore,
  page: readonly LogoScanRecord[],
): Promise<readonly ComparableScan[]> {
  const keys = page.map(({ blob }) => blob);
  const descriptors = await readStoredDescriptors(blobs, keys, "scan");
  return page.map((scan, i) => {
    const descriptor = descriptors[i];
    const { position } = scan;
    const entry = descriptor
      ? segmentEntry(position, readPrefilterData(descriptor))
      : emptySegmentEntry(position);
    return { scan, descriptor, entry };
  });
}

/**
 * The pictures that contain a logo, in their order.
 *
 * @throws the abort reason of `signal`
 */
export async function searchScans(
  blobs: BlobStore,
  scans: readonly ComparableScan[],
  target: LogoTarget,
  denseFrom: number,
  signal?: AbortSignal,
): Promise<readonly FoundScan[]> {
  const found: FoundScan[] = [];
  const isCandidate = prefilterOf(scans, target);
  for (const { scan, descriptor } of scans) {
    signal?.throwIfAborted();
    const densely = scan.position >= denseFrom;
    if (!descriptor || !(densely || isCandidate(scan))) continue;
    const finding = await searchStored(blobs, scan, descriptor, target, densely, signal);
    if (finding.score >= target.threshold) found.push({ scan, ...finding });
  }
  return found;
}

/** Whether the score of a picture's regions may reach the threshold. */
function prefilterOf(
  scans: readonly ComparableScan[],
  { descriptor, threshold }: LogoTarget,
): (scan: LogoScanRecord) => boolean {
  if (threshold === 0) return () => true;
  const found = searchSegment(writeSegment(scans.map(({ entry }) => entry)), descriptor);
  const candidates = new Set(found?.candidates);
  return ({ position }) => candidates.has(position);
}

/** The best place of a logo in a stored picture. */
async function searchStored(
  blobs: BlobStore,
  { blob }: LogoScanRecord,
  stored: Uint8Array,
  { descriptor, loadDetector, threshold }: LogoTarget,
  densely: boolean,
  signal: AbortSignal | undefined,
): Promise<LogoHit> {
  const comparison = compareStored(descriptor, stored);
  const region = foundLogo(comparison, comparison.scan);
  if (!densely || region.score >= maxDenseScore || threshold > maxDenseScore) return region;
  const bytes = await blobs.get(blob);
  const decoded = bytes && (await decodeLogo(bytes, "scan", storedLimits(bytes)));
  if (!decoded?.ok) return region;
  const { matches } = await runStepsAsync(searchSteps(decoded.value, [await loadDetector()]), signal);
  return betterHit(region, matches[0], decoded.value);
}
