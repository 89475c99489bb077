/** Lookback of a domain query: searches the names that were observed before. */

import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { FoundPattern } from "../../../store/records/brand.ts";
import { createPacer } from "../lookback/pacer.ts";
import {
  type Lookback,
  newestPosition,
  type ObservedPage,
  type ObservedRecord,
} from "../lookback/search-pages.ts";
import { bestPatterns, type CompiledQueries, draftId } from "./compiled-domain-queries.ts";
import { findDomains, storeMatches } from "./domain-store.ts";

/** Names of one page: with fewer, PostgreSQL spends more on transactions than on names. `chosen` */
export const pageSize = 4_096;
/** Names that are matched between two looks at the time: some milliseconds with thousands of patterns. `chosen` */
const namesAtOnce = 100;
/** Matches that are stored together. */
const matchesAtOnce = 500;

/** A name that has a pattern of the draft. Its time is checked when the match is stored, since it can change until then. */
export interface FoundName {
  /** The name in canonical form. */
  readonly domain: string;
  readonly found: FoundPattern;
}

/** Finds the names that have a pattern of a compiled draft, whenever they were seen. */
export function domainLookback(
  account: string,
  compiled: CompiledQueries,
): Lookback<ObservedRecord, FoundName> {
  return {
    pageSize,
    newest: (tx) => newestPosition(tx, "brand_domains", account),
    readPage: (tx, page) => readPositions(tx, account, page),
    search: (page) => findNames(page, compiled),
  };
}

/** The positions of names without their facts, which an index has. */
export async function readPositions(
  tx: ReadTransaction,
  account: string,
  page: ObservedPage,
): Promise<readonly ObservedRecord[]> {
  const positions = await tx.positions("brand_domains", account, page);
  return positions.map(([position, id]) => ({ position: position as number, id: id as string }));
}

/** The names of a page that have a pattern of a compiled draft. */
export async function findNames(
  page: readonly ObservedRecord[],
  { matcher }: CompiledQueries,
): Promise<readonly FoundName[]> {
  const names: FoundName[] = [];
  const pace = createPacer();
  for (const [i, { id: domain }] of page.entries()) {
    const matches = matcher.match(domain);
    const found = matches.length === 0 ? undefined : bestPatterns(matches).get(draftId);
    if (found) names.push({ domain, found });
    if (i % namesAtOnce === namesAtOnce - 1) await pace();
  }
  return names;
}

/** Stores the matches of found names whose time the draft accepts. Returns the number of new ones. */
export async function storeFoundNames(
  tx: WriteTransaction,
  account: string,
  queryId: number,
  { queries }: CompiledQueries,
  names: readonly FoundName[],
): Promise<number> {
  const draft = queries.get(draftId);
  let added = 0;
  for (let from = 0; from < names.length; from += matchesAtOnce) {
    const some = names.slice(from, from + matchesAtOnce);
    const domains = await findDomains(
      tx,
      account,
      some.map(({ domain }) => domain),
    );
    const pairs = some.flatMap(({ domain: name, found }) => {
      const domain = domains.get(name);
      return domain && draft?.accepts(domain.first_seen) ? [{ queryId, domain, found }] : [];
    });
    added += await storeMatches(tx, account, pairs);
  }
  return added;
}
