/**
 * Searches pieces of a lookback: a piece is ranked as a whole by the sketches of its pictures, and the first of them are
 * searched densely.
 */
import { bestHit } from "../../../../engine/logo/find-logos.ts";
import { firstRound, isAlike, searchRounds } from "../../../../engine/logo/rank-pictures.ts";
import type { ReadTransaction } from "../../../../store/port.ts";
import type { LogoScanRecord, LookbackRecord, PositionRange } from "../../../../store/records/brand.ts";
import type { ServiceContext } from "../../../context.ts";
import type { SearchedPiece } from "../../lookback/lookback-kind.ts";
import { pendingPieces, pieceAt, pieceSizes } from "../../lookback/ranges.ts";
import { positionsIn } from "../../lookback/search-pages.ts";
import { searchFile } from "../../tasks/logo-tasks.ts";
import { type ComparedScan, compareScans } from "../../tasks/lookback-tasks.ts";
import type { PackedDetector } from "../../tasks/packed-detector.ts";
import { type FoundLogo, storeLogoMatches } from "../logo-store.ts";
import { maxDenseScore } from "../picture-search.ts";
import { readStoredDescriptors, storedLimits } from "../stored-descriptors.ts";

/** A logo, and the minimum score of a match. */
export interface LogoTarget {
  /** The bytes of its descriptor. */
  readonly descriptor: Uint8Array;
  readonly detector: PackedDetector;
  readonly threshold: number;
}

/** A picture that contains the logo. */
export interface FoundScan extends FoundLogo {
  readonly scan: LogoScanRecord;
}

/** Where the pictures are that a logo is searched in. */
export interface PieceSearch extends Pick<ServiceContext, "store" | "compute"> {
  readonly account: string;
  readonly target: LogoTarget;
  readonly signal?: AbortSignal | undefined;
  /** Reads the records, by default in a transaction of its own. */
  readonly read?: <T>(work: (tx: ReadTransaction) => Promise<T>) => Promise<T>;
}

/** The searched pictures of a range. */
export interface FoundPiece extends Pick<SearchedPiece, "range" | "searched"> {
  readonly found: readonly FoundScan[];
  /** Number of pictures that were searched densely. */
  readonly dense: number;
}

/** The piece as it is stored for a query. */
export function storedPiece(
  { found, ...piece }: FoundPiece,
  account: string,
  queryId: number,
): SearchedPiece {
  const pairs = found.map((each) => ({ queryId, ...each }));
  return { ...piece, matches: found.length, store: (tx) => storeLogoMatches(tx, account, pairs) };
}

/** Pictures whose descriptors are read in one call. */
const pageSize = 100;

/**
 * Searches a range of positions within a piece. The whole piece decides which pictures are searched densely.
 *
 * @throws the abort reason
 */
export async function searchPiece(
  search: PieceSearch,
  lookback: Pick<LookbackRecord, "before" | "piece">,
  range: PositionRange,
): Promise<FoundPiece> {
  const { store, compute, account, target, signal } = search;
  const { read = (work) => store.read(work) } = search;
  const [from, to] = pieceAt(lookback, range[0]);
  const order = [{ field: "position", direction: "asc" }] as const;
  const scans = await read((tx) =>
    tx.find("brand_logo_scans", account, { where: positionsIn(from, to), order }),
  );
  const descriptors: (Uint8Array | undefined)[] = [];
  for (let first = 0; first < scans.length; first += pageSize) {
    signal?.throwIfAborted();
    const keys = scans.slice(first, first + pageSize).map(({ blob }) => blob);
    descriptors.push(...(await readStoredDescriptors({ store, compute }, keys, "scan")));
  }
  const input = { target: target.descriptor, detector: target.detector, descriptors };
  const { compared, ranked } = await compute.run(compareScans, input, signal);
  const found = new Map<number, FoundLogo>();
  for (const [i, scan] of compared.entries())
    if (scan && scan.whole >= target.threshold) found.set(i, bestHit(scan.whole, undefined, scan));
  const isOpen = (i: number) =>
    (compared[i]?.whole ?? 1) < maxDenseScore && target.threshold <= maxDenseScore;
  const open = ranked.filter(isOpen);
  const hashOf = (i: number) => compared[i]?.blockHash ?? "";
  const rounds = isRanked(lookback)
    ? searchRounds(open, (a, b) => isAlike(hashOf(a), hashOf(b)))
    : [open].values();
  const dense = await searchRanked(search, scans, compared, rounds, found);
  const isInRange = (i: number) => {
    const position = scans[i]?.position ?? 0;
    return position >= range[0] && position < range[1];
  };
  return {
    range,
    searched: [...scans.keys()].filter(isInRange).length,
    dense: dense.filter(isInRange).length,
    found: scans.flatMap((scan, i) => {
      const hit = found.get(i);
      return hit && isInRange(i) ? [{ scan, ...hit }] : [];
    }),
  };
}

/** Whether a tenth of the pictures is chosen: of fewer than fill a piece each is searched densely. */
function isRanked({
  before,
  piece = pieceSizes.pictures,
}: Pick<LookbackRecord, "before" | "piece">): boolean {
  return before > piece;
}

/** Dense searches of a lookback, unless many pictures have the logo. */
export function plannedSearches(lookback: Pick<LookbackRecord, "before" | "piece">): number {
  if (!isRanked(lookback)) return lookback.before - 1;
  let planned = 0;
  for (const [from, to] of pendingPieces(lookback)) planned += firstRound(to - from);
  return planned;
}

/** Searches ranked pictures densely in rounds, and adds what is found. Returns the numbers of those that were searched. */
async function searchRanked(
  search: PieceSearch,
  scans: readonly LogoScanRecord[],
  compared: readonly (ComparedScan | undefined)[],
  rounds: Iterator<readonly number[], unknown, readonly number[]>,
  found: Map<number, FoundLogo>,
): Promise<number[]> {
  const searched: number[] = [];
  for (let next = rounds.next([]); !next.done; ) {
    const hits: number[] = [];
    for (const i of next.value) {
      searched.push(i);
      const hit = await searchDensely(search, scans[i], compared[i]);
      if (!hit) continue;
      found.set(i, hit);
      hits.push(i);
    }
    next = rounds.next(hits);
  }
  return searched;
}

/** The better of the whole picture and its best place, if it reaches the threshold. */
async function searchDensely(
  { store, compute, target, signal }: PieceSearch,
  scan: LogoScanRecord | undefined,
  compared: ComparedScan | undefined,
): Promise<FoundLogo | undefined> {
  signal?.throwIfAborted();
  const bytes = scan && (await store.blobs.get(scan.blob));
  if (!bytes || !compared) return undefined;
  const input = { bytes, limits: storedLimits(bytes), detector: target.detector };
  const hit = bestHit(compared.whole, await compute.run(searchFile, input, signal), compared);
  return hit.score >= target.threshold ? hit : undefined;
}
