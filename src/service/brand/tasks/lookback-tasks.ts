/** The heavy computations of lookbacks: comparing stored descriptors with a logo. */

import type { LogoHit } from "../../../engine/logo/box.ts";
import {
  type LogoDescriptor,
  readLogoDescriptor,
  readPrefilterData,
} from "../../../engine/logo/descriptor.ts";
import { compareStored } from "../../../engine/logo/features/compare.ts";
import {
  emptySegmentEntry,
  type SegmentEntry,
  searchSegment,
  segmentEntry,
  writeSegment,
} from "../../../engine/logo/index/segment.ts";
import type { Task } from "../../compute.ts";
import { foundLogo } from "../logos/logo-store.ts";

/** A stored picture. */
interface StoredScan {
  readonly position: number;
  /** Undefined when the picture was deleted, or cannot be decoded any more. */
  readonly descriptor: Uint8Array | undefined;
  /** Whether it is compared whatever the prefilter says. */
  readonly always: boolean;
}

/** The result of a page of stored pictures, in their order. */
interface ComparedPage {
  /** The best region of a picture and the size of the picture; undefined when it was not compared. */
  readonly regions: readonly (ComparedScan | undefined)[];
  /** The prefilter data of the pictures, if it was asked for. */
  readonly entries: readonly SegmentEntry[];
}

/** The best region of a picture. */
interface ComparedScan {
  readonly region: LogoHit;
  readonly width: number;
  readonly height: number;
}

/** Compares a page of stored pictures with a logo, as far as the prefilter does not exclude them. */
export const comparePage = {
  name: "comparePage",
  run: async ({ target, threshold, scans, withEntries }, signal) => {
    const query = readTarget(target);
    const entries = scans.map(({ position, descriptor }) =>
      descriptor ? segmentEntry(position, readPrefilterData(descriptor)) : emptySegmentEntry(position),
    );
    const found = threshold === 0 ? undefined : searchSegment(writeSegment(entries), query);
    const candidates = new Set(found?.candidates);
    const regions: (ComparedScan | undefined)[] = [];
    for (const { position, descriptor, always } of scans) {
      signal?.throwIfAborted();
      const isCompared = always || threshold === 0 || candidates.has(position);
      regions.push(isCompared && descriptor ? compareScan(query, descriptor) : undefined);
    }
    return { regions, entries: withEntries ? entries : [] };
  },
} as const satisfies Task<
  {
    readonly target: Uint8Array;
    readonly threshold: number;
    readonly scans: readonly StoredScan[];
    readonly withEntries: boolean;
  },
  ComparedPage
>;

function compareScan(query: LogoDescriptor, descriptor: Uint8Array): ComparedScan {
  const { scan, ...comparison } = compareStored(query, descriptor);
  return { region: foundLogo(comparison, scan), width: scan.width, height: scan.height };
}

/** The pictures of a segment, and those that may match a logo, by position; undefined for a damaged segment. */
export const filterSegment = {
  name: "filterSegment",
  run: async ({ segment, target }) => searchSegment(segment, readTarget(target)),
} as const satisfies Task<
  { readonly segment: Uint8Array; readonly target: Uint8Array },
  ReturnType<typeof searchSegment>
>;

/** The logo of the last page: all pages of a lookback have the same. */
let last: LogoDescriptor | undefined;

function readTarget(bytes: Uint8Array): LogoDescriptor {
  if (!last || Buffer.compare(last.bytes, bytes) !== 0) last = readLogoDescriptor(bytes);
  return last;
}
