/** Searches pieces of a lookback: with a stored segment, or all of their descriptors. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type SegmentEntry, writeSegment } from "../../../../engine/logo/index/segment.ts";
import type { Condition } from "../../../../store/port.ts";
import type { LogoScanRecord, PositionRange } from "../../../../store/records/brand.ts";
import type { SearchedPiece } from "../../lookback/lookback-kind.ts";
import { segmentOf } from "../../lookback/ranges.ts";
import { filterSegment } from "../../tasks/lookback-tasks.ts";
import { storeLogoMatches } from "../logo-store.ts";
import {
  type FoundScan,
  type LogoTarget,
  type ScanSearch,
  type SearchedScans,
  searchScans,
} from "./search-scans.ts";
import { type NewSegment, putSegment, readSegment, storeSegment } from "./segments.ts";

/** The lookback that pieces belong to. */
export interface PieceSearch extends ScanSearch {
  readonly account: string;
  readonly queryId: number;
  readonly target: LogoTarget;
  /** Pictures at this position and later ones are searched densely. */
  readonly denseFrom: number;
  readonly signal: AbortSignal;
}

/** A piece with the pictures that contain the logo, and its prefilter data if they were not stored before. */
interface FoundPiece extends Pick<SearchedPiece, "range" | "searched"> {
  readonly found: readonly FoundScan[];
  readonly segment?: NewSegment;
}

/** Pictures whose descriptors are in memory together. */
const pageSize = 200;

/**
 * Searches pieces one after another.
 *
 * @throws the abort reason
 */
export async function* searchPieces(
  search: PieceSearch,
  pieces: Iterable<PositionRange>,
): AsyncGenerator<SearchedPiece, void, undefined> {
  for (const piece of pieces) yield toStore(search, await searchPiece(search, piece));
}

function toStore(
  { account, queryId, denseFrom }: PieceSearch,
  { range, searched, found, segment }: FoundPiece,
): SearchedPiece {
  return {
    range,
    searched,
    matches: found.length,
    isLong: range[0] >= denseFrom,
    store: async (tx) => {
      const pairs = found.map((each) => ({ queryId, ...each }));
      const added = await storeLogoMatches(tx, account, pairs);
      return { added, ...(segment && { outdated: await storeSegment(tx, account, segment) }) };
    },
  };
}

async function searchPiece(search: PieceSearch, range: PositionRange): Promise<FoundPiece> {
  const { store, compute, account, target, denseFrom, signal } = search;
  if (range[0] >= denseFrom || target.threshold === 0) return searchAll(search, range, false);
  const { number, isWhole } = segmentOf(range);
  const segment = await readSegment(store, account, number);
  const input = segment && { segment, target: target.descriptor.bytes };
  const pictures = input && (await compute.run(filterSegment, input, signal));
  if (!pictures) return searchAll(search, range, isWhole);
  const isInRange = (position: number) => position >= range[0] && position < range[1];
  const candidates = pictures.candidates.filter(isInRange);
  const found: FoundScan[] = [];
  for (let from = 0; from < candidates.length; from += pageSize) {
    const value = candidates.slice(from, from + pageSize);
    const scans = await findScans(search, { field: "position", op: "in", value });
    found.push(...(await searchPage(search, scans, false)).found);
  }
  return { range, searched: pictures.ids.filter(isInRange).length, found };
}

/** Reads the descriptors of all pictures of a range, and makes a segment of them if asked to. */
async function searchAll(
  search: PieceSearch,
  range: PositionRange,
  buildsSegment: boolean,
): Promise<FoundPiece> {
  const [start, to] = range;
  const entries: SegmentEntry[] = [];
  const found: FoundScan[] = [];
  let searched = 0;
  for (let from = start; ; ) {
    const scans = await findScans(search, { field: "position", op: "gte", value: from }, to);
    const last = scans.at(-1);
    if (!last) break;
    const page = await searchPage(search, scans, buildsSegment);
    found.push(...page.found);
    entries.push(...page.entries);
    searched += scans.length;
    from = last.position + 1;
  }
  if (!buildsSegment) return { range, searched, found };
  const { number } = segmentOf(range);
  const segment = await putSegment(search.store, search.account, number, writeSegment(entries));
  return { range, searched, found, segment };
}

/** The first pictures of a condition, before a position if one is given, in ascending order. */
function findScans(
  { store, account }: PieceSearch,
  condition: Condition<"brand_logo_scans">,
  to?: number,
): Promise<readonly LogoScanRecord[]> {
  const where =
    to === undefined ? [condition] : [condition, { field: "position", op: "lt", value: to } as const];
  const order = [{ field: "position", direction: "asc" }] as const;
  return store.read((tx) => tx.find("brand_logo_scans", account, { where, order, limit: pageSize }));
}

async function searchPage(
  search: PieceSearch,
  scans: readonly LogoScanRecord[],
  withEntries: boolean,
): Promise<SearchedScans> {
  const { target, denseFrom, signal } = search;
  signal.throwIfAborted();
  // A store in memory does not return to the event loop by itself.
  await nextTurn();
  return searchScans(search, scans, target, { denseFrom, withEntries, signal });
}
