/**
 * Lists the matches of several queries, each name once. The lists of the queries are merged page by page, so that
 * memory does not grow with their length.
 */
import { compareValues, inExactOrder } from "../../../store/order.ts";
import type { Condition, Order, Query, ReadTransaction } from "../../../store/port.ts";
import type { DomainMatchRecord, DomainQueryRecord } from "../../../store/records/brand.ts";
import type { Slice } from "../list-request.ts";

/** A match of a name with one query. */
export interface MatchDetail {
  readonly dismissed: boolean;
  readonly match_id: number;
  readonly query_id: number;
  readonly query_tag: string;
}

/** A name, and its matches with the queries, by id. */
export interface MultiQueryMatch {
  readonly match: DomainMatchRecord;
  readonly details: readonly MatchDetail[];
}

/** Conditions, order and page of the list. */
export interface MultiQueryRequest {
  readonly where: readonly Condition<"brand_domain_matches">[];
  readonly order: Order<"brand_domain_matches"> & { readonly field: "domain" | "first_seen" | "registrar" };
  readonly slice: Slice;
}

/** Records of all lists that are in memory at a time, and the minimum and maximum of one list. */
const maxRecords = 5_000;
const minPageSize = 10;
const maxPageSize = 500;

/** The requested page, and the number of names on all pages. */
export async function listMultipleQueries(
  tx: ReadTransaction,
  account: string,
  queries: readonly DomainQueryRecord[],
  { where, order, slice: { offset, limit } }: MultiQueryRequest,
): Promise<{ readonly matches: readonly MultiQueryMatch[]; readonly total: number }> {
  const tags = new Map(queries.map((query) => [query.query_id, query.query_tag]));
  const pageSize = Math.max(minPageSize, Math.min(maxPageSize, Math.floor(maxRecords / queries.length)));
  const compare = comparisonOf(order);
  const lists = queries.map(({ query_id }) => {
    const own = [{ field: "query_id", op: "eq", value: query_id } as const, ...where];
    const listed = readPages(tx, account, { where: own, order: [order], limit: pageSize });
    return openList(inExactOrder(listed, (match) => [match[order.field]], compare));
  });
  const matches: MultiQueryMatch[] = [];
  let total = 0;
  for await (const entries of merged(lists, compare)) {
    const at = total++;
    if (at < offset || matches.length >= limit) continue;
    const [match] = entries;
    const details = entries.map((entry) => detailOf(entry, tags)).sort(byQuery);
    if (match) matches.push({ match, details });
  }
  return { matches, total };
}

function detailOf(
  { dismissed, match_id, query_id }: DomainMatchRecord,
  tags: ReadonlyMap<number, string>,
): MatchDetail {
  return { dismissed, match_id, query_id, query_tag: tags.get(query_id) ?? "" };
}

function byQuery(a: MatchDetail, b: MatchDetail): number {
  return a.query_id - b.query_id;
}

/** The matches of a query, read page by page in the order of the store. */
async function* readPages(
  tx: ReadTransaction,
  account: string,
  query: Query<"brand_domain_matches"> & {
    readonly order: readonly [MultiQueryRequest["order"]];
    readonly limit: number;
  },
): AsyncGenerator<readonly DomainMatchRecord[]> {
  const [{ field }] = query.order;
  let page = await tx.find("brand_domain_matches", account, query);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    if (page.length < query.limit) return;
    page = await tx.find("brand_domain_matches", account, { ...query, after: [last[field], last.id] });
  }
}

/** A list that is read from its start. */
interface MatchCursor {
  head(): DomainMatchRecord | undefined;
  /** Moves to the next record; the first call moves to the first one. */
  advance(): Promise<void>;
}

function openList(pages: AsyncGenerator<readonly DomainMatchRecord[], void>): MatchCursor {
  let page: readonly DomainMatchRecord[] = [];
  let at = 0;
  return {
    head: () => page[at],
    advance: async () => {
      if (++at < page.length) return;
      at = 0;
      for (;;) {
        const next = await pages.next();
        page = next.done ? [] : next.value;
        if (next.done || page.length > 0) return;
      }
    },
  };
}

type Compare = (a: DomainMatchRecord, b: DomainMatchRecord) => number;

/** Ties are in ascending order of names in both directions. */
function comparisonOf({ field, direction }: MultiQueryRequest["order"]): Compare {
  const sign = direction === "asc" ? 1 : -1;
  return (a, b) => sign * compareValues(a[field], b[field]) || compareValues(a.domain, b.domain);
}

/** The matches of each name, in the order of the lists. All matches of a name have the same facts. */
async function* merged(
  lists: readonly MatchCursor[],
  compare: Compare,
): AsyncGenerator<readonly DomainMatchRecord[]> {
  for (const list of lists) await list.advance();
  for (;;) {
    let first: DomainMatchRecord | undefined;
    for (const list of lists) {
      const head = list.head();
      if (head && (!first || compare(head, first) < 0)) first = head;
    }
    if (!first) return;
    const entries: DomainMatchRecord[] = [];
    for (const list of lists) {
      const head = list.head();
      if (head?.domain !== first.domain) continue;
      entries.push(head);
      await list.advance();
    }
    yield entries;
  }
}
