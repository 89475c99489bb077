/**
 * The matches of several queries as one list, each name once. The queries' own lists are merged page by page, so that
 * lists of any length take no more memory than short ones.
 */
import { compareValues, inExactOrder } from "../../../store/order.ts";
import type { Condition, Order, Query, ReadTransaction } from "../../../store/port.ts";
import type { DomainMatchRecord, DomainQueryRecord } from "../../../store/records/brand.ts";
import type { Slice } from "../list-request.ts";

/** One query's entry of a name. */
export interface MatchDetail {
  readonly dismissed: boolean;
  readonly match_id: number;
  readonly query_id: number;
  readonly query_tag: string;
}

/** A name, and those of the queries that it belongs to, by id. */
export interface SharedMatch {
  readonly match: DomainMatchRecord;
  readonly details: readonly MatchDetail[];
}

/** Which matches, in which order, and which part of the list. */
export interface SeveralRequest {
  readonly where: readonly Condition<"brand_domain_matches">[];
  readonly order: Order<"brand_domain_matches"> & { readonly field: "domain" | "first_seen" | "registrar" };
  readonly slice: Slice;
}

/** Records of all lists that are in memory at a time, and the fewest of one list. */
const recordsAtOnce = 5_000;
const fewestOfOne = 10;
const mostOfOne = 500;

/** The part that is asked for, and how many names there are. */
export async function listSeveral(
  tx: ReadTransaction,
  account: string,
  queries: readonly DomainQueryRecord[],
  { where, order, slice: { offset, limit } }: SeveralRequest,
): Promise<{ readonly matches: readonly SharedMatch[]; readonly total: number }> {
  const tags = new Map(queries.map((query) => [query.query_id, query.query_tag]));
  const pageSize = Math.max(fewestOfOne, Math.min(mostOfOne, Math.floor(recordsAtOnce / queries.length)));
  const compare = comparisonOf(order);
  const lists = queries.map(({ query_id }) => {
    const own = [{ field: "query_id", op: "eq", value: query_id } as const, ...where];
    const listed = readPages(tx, account, { where: own, order: [order], limit: pageSize });
    return openList(inExactOrder(listed, (match) => [match[order.field]], compare));
  });
  const matches: SharedMatch[] = [];
  let total = 0;
  for await (const entries of merged(lists, compare)) {
    const at = total++;
    if (at < offset || matches.length >= limit) continue;
    matches.push({
      match: entries[0]!,
      details: entries.map((match) => detailOf(match, tags)).sort(byQuery),
    });
  }
  return { matches, total };
}

function detailOf(
  { dismissed, match_id, query_id }: DomainMatchRecord,
  tags: ReadonlyMap<number, string>,
): MatchDetail {
  return { dismissed, match_id, query_id, query_tag: tags.get(query_id)! };
}

function byQuery(a: MatchDetail, b: MatchDetail): number {
  return a.query_id - b.query_id;
}

/** The matches of a query, read page by page in the order of the store. */
async function* readPages(
  tx: ReadTransaction,
  account: string,
  query: Query<"brand_domain_matches"> & {
    readonly order: readonly [SeveralRequest["order"]];
    readonly limit: number;
  },
): AsyncGenerator<DomainMatchRecord> {
  const [{ field }] = query.order;
  let page = await tx.find("brand_domain_matches", account, query);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield* page;
    if (page.length < query.limit) return;
    page = await tx.find("brand_domain_matches", account, { ...query, after: [last[field], last.id] });
  }
}

/** A list that is read from its start. */
interface List {
  head(): DomainMatchRecord | undefined;
  /** Goes on to the next record, or for the first time to the first. */
  advance(): Promise<void>;
}

function openList(matches: AsyncGenerator<DomainMatchRecord, void>): List {
  let current: DomainMatchRecord | undefined;
  return {
    head: () => current,
    advance: async () => {
      const next = await matches.next();
      current = next.done ? undefined : next.value;
    },
  };
}

type Compare = (a: DomainMatchRecord, b: DomainMatchRecord) => number;

/** Ties go by name in either direction. */
function comparisonOf({ field, direction }: SeveralRequest["order"]): Compare {
  const sign = direction === "asc" ? 1 : -1;
  return (a, b) => sign * compareValues(a[field], b[field]) || compareValues(a.domain, b.domain);
}

/** The entries of each name, in the order of the lists. What is told of a name is the same in all of its matches. */
async function* merged(
  lists: readonly List[],
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
