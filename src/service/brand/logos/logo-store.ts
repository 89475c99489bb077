/** Stores scanned pictures and matches of logos in a transaction. */
import type { WriteTransaction } from "../../../store/port.ts";
import type { LogoMatchRecord, LogoScanRecord } from "../../../store/records/brand.ts";
import { blobsOf } from "./logo-blobs.ts";

/** The sequences of an account. */
const sequences = { scans: "brand_logo_scans", matches: "brand_logo_matches" } as const;

/** The score and the place of a logo in a picture. */
export interface FoundLogo extends Pick<LogoMatchRecord, "kind" | "box"> {
  readonly score: number;
}

/** A logo in a picture. */
export interface LogoPair extends FoundLogo {
  readonly queryId: number;
  readonly scan: LogoScanRecord;
}

/** A picture that is new to the account, with the key of its stored bytes; no key when it was stored before. */
export type NewScan = Omit<LogoScanRecord, "position" | "blob"> & { readonly blob?: string };

/**
 * Stores a new picture. A stored one stays; with `retain`, lookback finds it from now on.
 *
 * @returns undefined for a new picture without a key
 */
export async function storeScan(
  tx: WriteTransaction,
  { blob, ...scan }: NewScan,
  retain: boolean,
): Promise<LogoScanRecord | undefined> {
  const before = await tx.get("brand_logo_scans", scan.scope, scan.id);
  const key = before?.blob ?? blob;
  if (key === undefined) return undefined;
  const { position = 0, searched_query } = before ?? {};
  const record = {
    ...(before ?? scan),
    blob: key,
    position: position === 0 && retain ? await tx.sequence(scan.scope, sequences.scans) : position,
    searched_query: Math.max(searched_query ?? 0, scan.searched_query ?? 0),
  };
  if (!before) {
    await tx.insert("brand_logo_scans", record);
    await tx.claimBlobs(blobsOf(key, "scan"));
  } else if (record.position !== position || record.searched_query !== searched_query) {
    await tx.replace("brand_logo_scans", record);
  }
  return record;
}

/** Stores the matches that are new, and returns their number. */
export async function storeLogoMatches(
  tx: WriteTransaction,
  account: string,
  pairs: readonly LogoPair[],
): Promise<number> {
  const missing: LogoPair[] = [];
  for (const pair of pairs) {
    if (!(await tx.get("brand_logo_matches", account, matchId(pair)))) missing.push(pair);
  }
  if (missing.length === 0) return 0;
  const first = await tx.sequence(account, sequences.matches, missing.length);
  return tx.insertMissing(
    "brand_logo_matches",
    missing.map((pair, i) => matchRecord(account, first + i, pair)),
  );
}

function matchId({ queryId, scan }: LogoPair): string {
  return `${queryId} ${scan.id}`;
}

function matchRecord(scope: string, match_id: number, pair: LogoPair): LogoMatchRecord {
  const { position, searched_query, ...facts } = pair.scan;
  const { kind, box } = pair;
  return {
    ...facts,
    scope,
    id: matchId(pair),
    match_id,
    query_id: pair.queryId,
    similarity_score: pair.score,
    ...(kind && { kind }),
    ...(box && { box }),
  };
}
