/** Stores observed names and their matches, inside of a transaction. */
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { BrandDomainRecord, DomainFacts, DomainMatchRecord } from "../../../store/records/brand.ts";
import type { Watch } from "./compiled-domain-queries.ts";

/** A name that was read, and the queries whose patterns are in it. */
export interface Judged {
  /** As `canonicalDomain` gives it. */
  readonly domain: string;
  readonly firstSeenMs: number;
  readonly facts: DomainFacts;
  readonly queryIds: readonly number[];
}

/** A query and a name that belong together. */
export interface Pair {
  readonly queryId: number;
  readonly domain: BrandDomainRecord;
}

/** The sequences of an account. */
const sequences = { domains: "brand_domains", matches: "brand_domain_matches" } as const;

/** How many records are asked for by id at a time. */
const idsAtOnce = 500;

/**
 * Stores a batch of different names and their matches, and gives the pairs that match. What is known of a name
 * grows: a later record adds and corrects, and `first_seen` is the earliest that anybody told. Without `retain`,
 * only names that match are kept, and lookback does not find them.
 */
export async function storeNames(
  tx: WriteTransaction,
  account: string,
  names: readonly Judged[],
  watch: Watch,
  retain: boolean,
): Promise<{ readonly matched: number; readonly added: number }> {
  const known = await findDomains(
    tx,
    account,
    names.map((name) => name.domain),
  );
  const kept = names.flatMap((name) => keep(account, name, known.get(name.domain), watch, retain) ?? []);
  const numbered = await numberDomains(tx, account, kept, retain);
  const pairs: Pair[] = [];
  const changed: BrandDomainRecord[] = [];
  const fresh: BrandDomainRecord[] = [];
  for (const { record, before, queryIds } of numbered) {
    for (const queryId of queryIds) pairs.push({ queryId, domain: record });
    if (!before) fresh.push(record);
    else if (JSON.stringify(before) !== JSON.stringify(record)) changed.push(record);
  }
  await tx.insertMissing("brand_domains", fresh);
  for (const record of changed) await tx.replace("brand_domains", record);
  await refreshMatches(tx, account, changed, watch);
  const matched = new Set(pairs.map((pair) => pair.domain.id)).size;
  return { matched, added: await storeMatches(tx, account, pairs) };
}

interface Kept {
  readonly record: BrandDomainRecord;
  readonly before: BrandDomainRecord | undefined;
  readonly queryIds: readonly number[];
}

function keep(
  account: string,
  { domain, firstSeenMs, facts, queryIds }: Judged,
  before: BrandDomainRecord | undefined,
  watch: Watch,
  retain: boolean,
): Kept | undefined {
  const first_seen = Math.min(firstSeenMs, before?.first_seen ?? firstSeenMs);
  const accepting = queryIds.filter((id) => watch.queries.get(id)!.accepts(first_seen));
  if (!before && !retain && accepting.length === 0) return undefined;
  const known = before ?? { scope: account, id: ownCopy(domain), domain_id: 0, position: 0 };
  return { record: { ...known, first_seen, ...facts }, before, queryIds: accepting };
}

/** A text cut out of a longer one keeps all of that alive; a copy does not. Canonical names are nearly always ASCII. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** Gives numbers to names that are new, and places to those that lookback is to find from now on. */
async function numberDomains(
  tx: WriteTransaction,
  account: string,
  kept: readonly Kept[],
  retain: boolean,
): Promise<readonly Kept[]> {
  const lacks = ({ record }: Kept) => record.domain_id === 0 || (retain && record.position === 0);
  const count = kept.filter(lacks).length;
  if (count === 0) return kept;
  let next = await tx.sequence(account, sequences.domains, count);
  return kept.map((one) => {
    if (!lacks(one)) return one;
    const number = next++;
    const { domain_id, position } = one.record;
    const numbers = { domain_id: domain_id || number, position: retain ? number : position };
    return { ...one, record: { ...one.record, ...numbers } };
  });
}

/** The stored records of names, by name. */
export async function findDomains(
  tx: ReadTransaction,
  account: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, BrandDomainRecord>> {
  const found = new Map<string, BrandDomainRecord>();
  for (const ids of chunksOf(names)) {
    const records = await tx.find("brand_domains", account, {
      where: [{ field: "id", op: "in", value: ids }],
    });
    for (const record of records) found.set(record.id, record);
  }
  return found;
}

/** Brings the matches of changed names up to what is known now; those whose time is out of bounds now are none. */
async function refreshMatches(
  tx: WriteTransaction,
  account: string,
  changed: readonly BrandDomainRecord[],
  watch: Watch,
): Promise<void> {
  const byId = new Map(changed.map((record) => [record.domain_id, record]));
  for (const ids of chunksOf([...byId.keys()])) {
    const where = [{ field: "domain_id", op: "in", value: ids }] as const;
    for (const match of await tx.find("brand_domain_matches", account, { where })) {
      const record = byId.get(match.domain_id)!;
      if (watch.queries.get(match.query_id)?.accepts(record.first_seen)) {
        await tx.replace("brand_domain_matches", { ...match, ...shownOf(record) });
      } else await tx.delete("brand_domain_matches", account, match.id);
    }
  }
}

/** Stores the matches that are not stored yet, and says how many those were. */
export async function storeMatches(
  tx: WriteTransaction,
  account: string,
  pairs: readonly Pair[],
): Promise<number> {
  const wanted = new Map(pairs.map((pair) => [matchId(pair), pair]));
  for (const ids of chunksOf([...wanted.keys()])) {
    const where = [{ field: "id", op: "in", value: ids }] as const;
    for (const { id } of await tx.find("brand_domain_matches", account, { where })) wanted.delete(id);
  }
  if (wanted.size === 0) return 0;
  const first = await tx.sequence(account, sequences.matches, wanted.size);
  const records = [...wanted].map(([id, pair], i) => matchRecord(account, id, first + i, pair));
  return tx.insertMissing("brand_domain_matches", records);
}

function matchId({ domain, queryId }: Pair): string {
  return `${domain.id} ${queryId}`;
}

function matchRecord(
  scope: string,
  id: string,
  match_id: number,
  { queryId, domain }: Pair,
): DomainMatchRecord {
  const { domain_id } = domain;
  return {
    scope,
    id,
    match_id,
    query_id: queryId,
    domain_id,
    domain: domain.id,
    dismissed: false,
    ...shownOf(domain),
  };
}

/** What a match repeats of its name. */
function shownOf({ scope, id, domain_id, position, ...shown }: BrandDomainRecord) {
  return { ...shown, registrar: shown.registrar ?? "" };
}

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += idsAtOnce) yield all.slice(from, from + idsAtOnce);
}
