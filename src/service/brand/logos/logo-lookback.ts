/** Lookback of a logo query: searches the pictures that were scanned before. */

import type { LogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { compareLogos } from "../../../engine/logo/features/compare.ts";
import type { BlobStore } from "../../../store/port.ts";
import type { LogoScanRecord } from "../../../store/records/brand.ts";
import type { Lookback } from "../lookback.ts";
import { type FoundLogo, foundLogo } from "./logo-store.ts";
import { readStoredDescriptor } from "./stored-descriptors.ts";

/** A logo, and the minimum score of a match. */
export interface LogoTarget {
  readonly descriptor: LogoDescriptor;
  readonly threshold: number;
}

/** A picture that contains the logo. */
export interface FoundScan extends FoundLogo {
  readonly scan: LogoScanRecord;
}

/** Pictures of one page. */
const pageSize = 100;

/** Finds the pictures that contain a logo. */
export function logoLookback(
  blobs: BlobStore,
  account: string,
  { descriptor, threshold }: LogoTarget,
): Lookback<LogoScanRecord, FoundScan> {
  return {
    pageSize,
    readPage: (tx, page) => tx.find("brand_logo_scans", account, page),
    search: async (page) => {
      const found: FoundScan[] = [];
      for (const scan of page) {
        const picture = await readStoredDescriptor(blobs, scan.blob, "scan");
        if (!picture) continue;
        const comparison = compareLogos(descriptor, picture);
        if (comparison.score >= threshold) found.push({ scan, ...foundLogo(comparison, picture) });
      }
      return found;
    },
  };
}
