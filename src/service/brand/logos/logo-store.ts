/** Stores scanned pictures and matches of logos in a transaction. */
import { pixelBox } from "../../../engine/logo/box.ts";
import type { LogoDescriptor } from "../../../engine/logo/descriptor.ts";
import type { LogoComparison } from "../../../engine/logo/features/compare.ts";
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

/** The facts of a comparison with a scanned picture that are stored with a match. */
export function foundLogo({ score, region }: LogoComparison, scan: LogoDescriptor): FoundLogo {
  return { score, kind: "region", box: pixelBox(region, scan) };
}

/** Stores a new picture. A stored one stays; with `retain`, lookback finds it from now on. */
export async function storeScan(
  tx: WriteTransaction,
  scan: Omit<LogoScanRecord, "position">,
  retain: boolean,
): Promise<LogoScanRecord> {
  const before = await tx.get("brand_logo_scans", scan.scope, scan.id);
  if (before && (before.position > 0 || !retain)) return before;
  const position = retain ? await tx.sequence(scan.scope, sequences.scans) : 0;
  const record = { ...(before ?? scan), position };
  if (before) await tx.replace("brand_logo_scans", record);
  else {
    await tx.insert("brand_logo_scans", record);
    await tx.claimBlobs(blobsOf(record.blob));
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
  const { position, ...facts } = pair.scan;
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
