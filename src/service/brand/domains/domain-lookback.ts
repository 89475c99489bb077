/** Lookback of a domain query: searches the names that were observed before. */
import type { BrandDomainRecord } from "../../../store/records/brand.ts";
import type { Lookback } from "../lookback.ts";
import { type CompiledQueries, matchesAny } from "./compiled-domain-queries.ts";

/** Names of one page. */
const pageSize = 1_000;

/** Finds the names that match compiled queries. */
export function domainLookback(
  account: string,
  compiled: CompiledQueries,
): Lookback<BrandDomainRecord, string> {
  return {
    pageSize,
    readPage: (tx, page) => tx.find("brand_domains", account, page),
    search: (page) =>
      page.filter(({ id, first_seen }) => matchesAny(id, first_seen, compiled)).map(({ id }) => id),
  };
}
