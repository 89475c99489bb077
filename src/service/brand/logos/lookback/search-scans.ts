/**
 * Searches stored pictures for one logo: their descriptors, as far as the prefilter does not exclude them, and the newest
 * pictures densely too.
 */

import type { LogoHit } from "../../../../engine/logo/box.ts";
import type { LogoDescriptor } from "../../../../engine/logo/descriptor.ts";
import { betterHit } from "../../../../engine/logo/find-logos.ts";
import type { SegmentEntry } from "../../../../engine/logo/index/segment.ts";
import type { ReadTransaction } from "../../../../store/port.ts";
import type { LogoScanRecord } from "../../../../store/records/brand.ts";
import type { ServiceContext } from "../../../context.ts";
import { type Lookback, newestPosition, nthNewestPosition } from "../../lookback/search-pages.ts";
import { searchFile } from "../../tasks/logo-tasks.ts";
import { comparePage } from "../../tasks/lookback-tasks.ts";
import type { PackedDetector } from "../../tasks/packed-detector.ts";
import type { FoundLogo } from "../logo-store.ts";
import { maxDenseScore } from "../picture-search.ts";
import { readStoredDescriptors, storedLimits } from "../stored-descriptors.ts";

/** A logo, and the minimum score of a match. */
export interface LogoTarget {
  readonly descriptor: LogoDescriptor;
  readonly threshold: number;
  /** The templates of the dense search. */
  readonly loadDetector: () => Promise<PackedDetector>;
}

/** A picture that contains the logo. */
export interface FoundScan extends FoundLogo {
  readonly scan: LogoScanRecord;
}

/** Pictures of one page. */
const pageSize = 100;

/**
 * The position from which on pictures are searched densely, so that these are the newest `count`.
 *
 * @param count an integer from 0
 */
export async function densePosition(tx: ReadTransaction, account: string, count: number): Promise<number> {
  if (count === 0) return Number.MAX_SAFE_INTEGER;
  return (await nthNewestPosition(tx, "brand_logo_scans", account, count)) ?? 1;
}

/** The store and the engine of a search of stored pictures. */
export type ScanSearch = Pick<ServiceContext, "store" | "compute">;

/**
 * Finds the pictures that contain a logo. Those of `denseFrom` and later positions are searched densely too.
 *
 * @throws the abort reason of `signal`, in `search`
 */
export function logoLookback(
  context: ScanSearch,
  account: string,
  target: LogoTarget,
  denseFrom: number,
  signal?: AbortSignal,
): Lookback<LogoScanRecord, FoundScan> {
  return {
    pageSize,
    newest: (tx) => newestPosition(tx, "brand_logo_scans", account),
    readPage: (tx, page) => tx.find("brand_logo_scans", account, page),
    search: async (page) => (await searchScans(context, page, target, { denseFrom, signal })).found,
  };
}

/** How pictures are searched. */
export interface SearchScansOptions {
  readonly denseFrom: number;
  /** Whether the prefilter data of the pictures is returned. */
  readonly withEntries?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The pictures that contain a logo, in their order, and the prefilter data of all of them. */
export interface SearchedScans {
  readonly found: readonly FoundScan[];
  readonly entries: readonly SegmentEntry[];
}

/**
 * Searches a page of pictures, whose descriptors are read together: about 1 KB a view.
 *
 * @throws the abort reason of `signal`
 */
export async function searchScans(
  { store, compute }: ScanSearch,
  page: readonly LogoScanRecord[],
  target: LogoTarget,
  { denseFrom, withEntries = false, signal }: SearchScansOptions,
): Promise<SearchedScans> {
  const keys = page.map(({ blob }) => blob);
  const descriptors = await readStoredDescriptors({ store, compute }, keys, "scan");
  const scans = page.map(({ position }, i) => {
    return { position, descriptor: descriptors[i], always: position >= denseFrom };
  });
  const { threshold, descriptor } = target;
  const input = { target: descriptor.bytes, threshold, scans, withEntries };
  const { regions, entries } = await compute.run(comparePage, input, signal);
  const found: FoundScan[] = [];
  for (const [i, scan] of page.entries()) {
    signal?.throwIfAborted();
    const compared = regions[i];
    if (!compared) continue;
    const { region, ...size } = compared;
    const isFinal = scan.position < denseFrom || region.score >= maxDenseScore || threshold > maxDenseScore;
    const finding = isFinal
      ? region
      : await searchDensely({ store, compute }, scan, target, region, size, signal);
    if (finding.score >= threshold) found.push({ scan, ...finding });
  }
  return { found, entries };
}

/** The better one of a region and the best place of the dense search. */
async function searchDensely(
  { store, compute }: ScanSearch,
  { blob }: LogoScanRecord,
  { loadDetector }: LogoTarget,
  region: LogoHit,
  size: { readonly width: number; readonly height: number },
  signal: AbortSignal | undefined,
): Promise<LogoHit> {
  const bytes = await store.blobs.get(blob);
  if (!bytes) return region;
  const input = { bytes, limits: storedLimits(bytes), detector: await loadDetector() };
  return betterHit(region, await compute.run(searchFile, input, signal), size);
}
