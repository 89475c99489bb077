/** Stores observed names and their matches in a transaction. */
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type {
  BrandDomainRecord,
  DomainFacts,
  DomainMatchRecord,
  FoundPattern,
} from "../../../store/records/brand.ts";
import type { CompiledQueries, FoundPatterns } from "./compiled-domain-queries.ts";

/** A valid name, and the queries whose patterns are in it. */
export interface ValidatedName {
  /** In canonical form, see `canonicalDomain`. */
  readonly domain: string;
  readonly firstSeenMs: number;
  readonly facts: DomainFacts;
  readonly patterns: FoundPatterns;
}

/** A query and a name that matches it. */
export interface DomainPair {
  readonly queryId: number;
  readonly domain: BrandDomainRecord;
  readonly found: FoundPattern | undefined;
}

/** The sequences of an account. */
const sequences = { domains: "brand_domains", matches: "brand_domain_matches" } as const;

/** Maximum number of ids in a condition. */
const maxIds = 500;

/**
 * Stores a batch of distinct names and their matches. New facts are added to a stored name or replace earlier ones;
 * `first_seen` is the earliest of all records. Without `retain`, only names with a match are stored, and lookback does
 * not find them.
 *
 * @returns the number of names with a match, of new matches, and of names that were not stored before
 */
export async function storeNames(
  tx: WriteTransaction,
  account: string,
  names: readonly ValidatedName[],
  compiled: CompiledQueries,
  retain: boolean,
): Promise<{ readonly matched: number; readonly added: number; readonly fresh: number }> {
  const known = await findDomains(
    tx,
    account,
    names.map((name) => name.domain),
  );
  const kept = names.flatMap(
    (name) => toStoredName(account, name, known.get(name.domain), compiled, retain) ?? [],
  );
  const numbered = await numberDomains(tx, account, kept, retain);
  const pairs: DomainPair[] = [];
  const changed: BrandDomainRecord[] = [];
  const fresh: BrandDomainRecord[] = [];
  for (const { record, before, patterns } of numbered) {
    for (const [queryId, found] of patterns) pairs.push({ queryId, domain: record, found });
    if (!before) fresh.push(record);
    else if (JSON.stringify(before) !== JSON.stringify(record)) changed.push(record);
  }
  await tx.insertMissing("brand_domains", fresh);
  for (const record of changed) await tx.replace("brand_domains", record);
  await refreshMatches(tx, account, changed, compiled);
  const matched = new Set(pairs.map((pair) => pair.domain.id)).size;
  return { matched, added: await storeMatches(tx, account, pairs), fresh: fresh.length };
}

interface StoredName {
  readonly record: BrandDomainRecord;
  readonly before: BrandDomainRecord | undefined;
  readonly patterns: FoundPatterns;
}

function toStoredName(
  account: string,
  { domain, firstSeenMs, facts, patterns }: ValidatedName,
  before: BrandDomainRecord | undefined,
  compiled: CompiledQueries,
  retain: boolean,
): StoredName | undefined {
  const first_seen = Math.min(firstSeenMs, before?.first_seen ?? firstSeenMs);
  const accepting = acceptedOf(patterns, first_seen, compiled);
  if (!before && !retain && accepting.size === 0) return undefined;
  const known = before ?? { scope: account, id: ownCopy(domain), domain_id: 0, position: 0 };
  return { record: { ...known, first_seen, ...facts }, before, patterns: accepting };
}

/** The patterns of the queries whose time bounds include a name. */
function acceptedOf(
  patterns: FoundPatterns,
  firstSeenMs: number,
  { queries }: CompiledQueries,
): FoundPatterns {
  if (patterns.size === 0) return patterns;
  return new Map([...patterns].filter(([id]) => queries.get(id)?.accepts(firstSeenMs)));
}

/** Copies a string: a slice keeps the whole string that it was cut from in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** Assigns ids to new names, and positions to names that lookback finds from now on. */
async function numberDomains(
  tx: WriteTransaction,
  account: string,
  kept: readonly StoredName[],
  retain: boolean,
): Promise<readonly StoredName[]> {
  const isUnnumbered = ({ record }: StoredName) =>
    record.domain_id === 0 || (retain && record.position === 0);
  const count = kept.filter(isUnnumbered).length;
  if (count === 0) return kept;
  let next = await tx.sequence(account, sequences.domains, count);
  return kept.map((name) => {
    if (!isUnnumbered(name)) return name;
    const number = next++;
    const { domain_id, position } = name.record;
    const numbers = { domain_id: domain_id || number, position: retain ? number : position };
    return { ...name, record: { ...name.record, ...numbers } };
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

/** Updates the matches of changed names, and deletes those whose time is now out of bounds. */
async function refreshMatches(
  tx: WriteTransaction,
  account: string,
  changed: readonly BrandDomainRecord[],
  compiled: CompiledQueries,
): Promise<void> {
  const byId = new Map(changed.map((record) => [record.domain_id, record]));
  for (const ids of chunksOf([...byId.keys()])) {
    const where = [{ field: "domain_id", op: "in", value: ids }] as const;
    for (const match of await tx.find("brand_domain_matches", account, { where })) {
      const record = byId.get(match.domain_id);
      if (record && compiled.queries.get(match.query_id)?.accepts(record.first_seen)) {
        await tx.replace("brand_domain_matches", { ...match, ...factsOf(record) });
      } else await tx.delete("brand_domain_matches", account, match.id);
    }
  }
}

/** Stores the matches that are new, and returns their number. */
export async function storeMatches(
  tx: WriteTransaction,
  account: string,
  pairs: readonly DomainPair[],
): Promise<number> {
  const missing = new Map(pairs.map((pair) => [matchId(pair), pair]));
  for (const ids of chunksOf([...missing.keys()])) {
    const where = [{ field: "id", op: "in", value: ids }] as const;
    for (const { id } of await tx.find("brand_domain_matches", account, { where })) missing.delete(id);
  }
  if (missing.size === 0) return 0;
  const first = await tx.sequence(account, sequences.matches, missing.size);
  const records = [...missing].map(([id, pair], i) => matchRecord(account, id, first + i, pair));
  return tx.insertMissing("brand_domain_matches", records);
}

function matchId({ domain, queryId }: DomainPair): string {
  return `${domain.id} ${queryId}`;
}

function matchRecord(
  scope: string,
  id: string,
  match_id: number,
  { queryId, domain, found }: DomainPair,
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
    ...factsOf(domain),
    ...(found && { found }),
  };
}

/** The members of a name that its matches copy. */
function factsOf({ scope, id, domain_id, position, ...facts }: BrandDomainRecord) {
  return { ...facts, registrar: facts.registrar ?? "" };
}

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += maxIds) yield all.slice(from, from + maxIds);
}
