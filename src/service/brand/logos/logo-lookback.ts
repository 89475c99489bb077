/** Lookback of a logo query: searches the pictures that were scanned before, by regions, and the newest densely too. */

import { decodeLogo } from "../../../engine/logo/decode/decode.ts";
import type { Detector } from "../../../engine/logo/dense/detector.ts";
import { searchSteps } from "../../../engine/logo/dense/search-picture.ts";
import { runStepsAsync } from "../../../engine/logo/dense/steps.ts";
import type { LogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { compareLogos } from "../../../engine/logo/features/compare.ts";
import { betterFinding, type LogoFinding } from "../../../engine/logo/find-logos.ts";
import type { BlobStore, ReadTransaction } from "../../../store/port.ts";
import { descriptorKey, type LogoLookback, type LogoScanRecord } from "../../../store/records/brand.ts";
import type { Lookback } from "../lookback.ts";
import { type FoundLogo, foundLogo } from "./logo-store.ts";
import { maxDenseScore } from "./picture-search.ts";
import { currentDescriptor, storedLimits } from "./stored-descriptors.ts";

/** A logo, and the minimum score of a match. */
export interface LogoTarget {
  readonly descriptor: LogoDescriptor;
  readonly detector: Detector;
  readonly threshold: number;
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
    search: (page) => searchScans(blobs, page, target, denseFrom),
  };
}

/**
 * The pictures of a page that contain a logo. Their descriptors are read together, 1 KB a view.
 *
 * @throws the abort reason of `signal`
 */
export async function searchScans(
  blobs: BlobStore,
  page: readonly LogoScanRecord[],
  target: LogoTarget,
  denseFrom: number,
  signal?: AbortSignal,
): Promise<readonly FoundScan[]> {
  const found: FoundScan[] = [];
  const stored = await blobs.getMany(page.map(({ blob }) => descriptorKey(blob)));
  for (const [i, scan] of page.entries()) {
    signal?.throwIfAborted();
    const bytes = stored[i];
    const picture = bytes && (await currentDescriptor(blobs, scan.blob, "scan", bytes));
    // A missing one was deleted after the page was read.
    if (!picture) continue;
    const finding = await searchStored(blobs, scan, picture, target, scan.position >= denseFrom, signal);
    if (finding.score >= target.threshold) found.push({ scan, ...finding });
  }
  return found;
}

/** The best place of a logo in a stored picture. */
async function searchStored(
  blobs: BlobStore,
  { blob }: LogoScanRecord,
  picture: LogoDescriptor,
  { descriptor, detector, threshold }: LogoTarget,
  densely: boolean,
  signal: AbortSignal | undefined,
): Promise<LogoFinding> {
  const region = foundLogo(compareLogos(descriptor, picture), picture);
  if (!densely || region.score >= maxDenseScore || threshold > maxDenseScore) return region;
  const bytes = await blobs.get(blob);
  const decoded = bytes && (await decodeLogo(bytes, "scan", storedLimits(bytes)));
  if (!decoded?.ok) return region;
  const { matches } = await runStepsAsync(searchSteps(decoded.value, [detector]), signal);
  return betterFinding(region, matches[0], decoded.value);
}
