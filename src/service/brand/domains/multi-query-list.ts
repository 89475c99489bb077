/**
 * Lists the matches of several queries, each name once. Only the matches of the page are read: the store merges the
 * lists of the queries, and a later page begins at a bookmark.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { compareValues, inExactOrder, orderedPrefix } from "../../../store/order.ts";
import type { Condition, FieldValue, Order, ReadTransaction } from "../../../store/port.ts";
import type { DomainMatchRecord, DomainQueryRecord, FoundPattern } from "../../../store/records/brand.ts";
import type { Slice } from "../list-request.ts";
import type { Bookmark, Bookmarks, ListCache } from "./list-cache.ts";

/** A match of a name with one query. */
export interface MatchDetail {
  readonly dismissed: boolean;
  readonly match_id: number;
  readonly query_id: number;
  readonly query_tag: string;
  /** How this query found the name. */
  readonly found?: FoundPattern;
}

/** A name, and its matches with the queries, by id. */
export interface MultiQueryMatch {
  readonly match: DomainMatchRecord;
  readonly details: readonly MatchDetail[];
}

/** Conditions, order and page of the list. */
export interface MultiQueryRequest {
  /** Equal for requests with the same conditions. */
  readonly filter: string;
  readonly where: readonly Condition<"brand_domain_matches">[];
  /** The number of names, when it is known. */
  readonly known: number | undefined;
  readonly order: Order<"brand_domain_matches"> & { readonly field: "domain" | "first_seen" | "registrar" };
  readonly slice: Slice;
}

/** Names between a bookmark and a page that are read as records; more of them are skipped by their positions. */
const maxSkipped = 128;
/** Positions that are read at a time. */
const positionsAtOnce = 5_000;
/** Maximum number of records that are read at a time. */
const maxRecords = 2_000;
/** Matches that become entries of the page in a turn of the event loop: some milliseconds. `chosen` */
const matchesOfTurn = 10_000;
/** Records that are read for each name at first. */
const recordsPerName = 1.5;

/** The requested page, and the number of names on all pages. */
export async function listMultipleQueries(
  tx: ReadTransaction,
  account: string,
  queries: readonly DomainQueryRecord[],
  { filter, where, known, order, slice: { offset, limit } }: MultiQueryRequest,
  cache: ListCache,
): Promise<{ readonly matches: readonly MultiQueryMatch[]; readonly total: number }> {
  const ids = queries.map((query) => query.query_id).sort((a, b) => a - b);
  const changes = await tx.changes("brand_domain_matches", account, "query_id", ids);
  const list: MergedList = {
    tx,
    account,
    where: [{ field: "query_id", op: "in", value: ids }, ...where],
    order,
    bookmarks: cache.bookmarks(JSON.stringify([account, ids, filter, order]), changes),
  };
  const page = await readPage(list, offset, limit);
  const total =
    page.total ??
    known ??
    (await cache.total(JSON.stringify([account, ids, filter]), changes, () =>
      tx.countDistinct("brand_domain_matches", account, "domain", list.where),
    ));
  const places = new Map(
    queries.map(({ query_id, query_tag }, place) => [query_id, { place, tag: query_tag }]),
  );
  const matches: MultiQueryMatch[] = [];
  let work = 0;
  for (const entries of page.names) {
    matches.push(matchOf(entries, places));
    work += entries.length;
    if (work < matchesOfTurn) continue;
    work = 0;
    await nextTurn();
  }
  return { matches, total };
}

/** A name with its matches: the facts of the query that the request names first, and the details by id. */
function matchOf(
  entries: Name,
  places: ReadonlyMap<number, { readonly place: number; readonly tag: string }>,
): MultiQueryMatch {
  const placeOf = ({ query_id }: DomainMatchRecord) => places.get(query_id)?.place ?? places.size;
  const match = entries.reduce((first, entry) => (placeOf(entry) < placeOf(first) ? entry : first));
  const details = entries.map((entry) => detailOf(entry, places.get(entry.query_id)?.tag ?? ""));
  return { match, details: details.sort(byQuery) };
}

function detailOf(
  { dismissed, match_id, query_id, found }: DomainMatchRecord,
  query_tag: string,
): MatchDetail {
  return { dismissed, match_id, query_id, query_tag, ...(found && { found }) };
}

function byQuery(a: MatchDetail, b: MatchDetail): number {
  return a.query_id - b.query_id;
}

/** The matches of several queries in an order, in which those of a name are neighbors. */
interface MergedList {
  readonly tx: ReadTransaction;
  readonly account: string;
  readonly where: readonly Condition<"brand_domain_matches">[];
  readonly order: MultiQueryRequest["order"];
  readonly bookmarks: Bookmarks;
}

type Name = readonly [DomainMatchRecord, ...DomainMatchRecord[]];

interface NamePage {
  readonly names: readonly Name[];
  /** Number of names in the list, when the page is at its end. */
  readonly total?: number;
}

/** Reads a page from the last bookmark before it, and sets bookmarks at its start and its end. */
async function readPage(list: MergedList, offset: number, limit: number): Promise<NamePage> {
  const { bookmarks } = list;
  const start = bookmarks.nearest(offset);
  const { after, rank } = offset - start.rank <= maxSkipped ? start : await skipNames(list, start, offset);
  const records = Math.ceil((offset - rank + limit + 1) * recordsPerName);
  const names: Name[] = [];
  let at = rank;
  let last: DomainMatchRecord | undefined;
  for await (const name of namesOf(readRecords(list, after, records))) {
    if (last && (at === offset || at === offset + limit)) setBookmark(list, at, last);
    if (at === offset + limit) return { names };
    if (at >= offset) names.push(name);
    last = name.at(-1);
    at++;
  }
  return { names, total: at };
}

/** Moves a bookmark towards a rank by the positions of the matches, and sets others on the way. */
async function skipNames(list: MergedList, start: Bookmark, target: number): Promise<Bookmark> {
  const { tx, account, where, order, bookmarks } = list;
  let reached = start;
  let rank = start.rank;
  let last = start.after;
  for (;;) {
    const page = { where, order: [order], limit: positionsAtOnce, ...(last && { after: last }) };
    const positions = await tx.positions("brand_domain_matches", account, page);
    for (const position of positions) {
      const isNew = last === undefined || nameAt(position) !== nameAt(last);
      if (isNew && last !== undefined && last !== start.after) {
        rank++;
        const isTarget = rank === target;
        if ((isTarget || bookmarks.isDue(rank)) && isExact(last)) {
          reached = { rank, after: last };
          bookmarks.add(reached);
        }
        if (isTarget) return reached;
      }
      last = position;
    }
    if (positions.length < positionsAtOnce) return reached;
  }
}

/** The name of a match, whose id is the name, a space and the id of the query. */
function nameAt(position: readonly FieldValue[]): string {
  const id = String(position.at(-1));
  return id.slice(0, id.lastIndexOf(" "));
}

/** Whether every store has the same records before and after a position. */
function isExact([value]: readonly FieldValue[]): boolean {
  return typeof value !== "string" || orderedPrefix(value) === value;
}

function setBookmark({ order, bookmarks }: MergedList, rank: number, last: DomainMatchRecord): void {
  const after = [last[order.field], last.id];
  if (isExact(after)) bookmarks.add({ rank, after });
}

/** The matches after a position, in exact order. */
function readRecords(
  list: MergedList,
  start: readonly FieldValue[] | undefined,
  records: number,
): AsyncGenerator<readonly DomainMatchRecord[], void, undefined> {
  const { tx, account, where, order } = list;
  async function* pages(): AsyncGenerator<readonly DomainMatchRecord[]> {
    let after = start;
    for (let limit = records; ; limit = Math.min(2 * limit, maxRecords)) {
      const query = { where, order: [order], limit, ...(after && { after }) };
      const page = await tx.find("brand_domain_matches", account, query);
      yield page;
      const last = page.at(-1);
      if (!last || page.length < limit) return;
      after = [last[order.field], last.id];
    }
  }
  return inExactOrder(pages(), (match) => [match[order.field]], comparisonOf(order));
}

type Compare = (a: DomainMatchRecord, b: DomainMatchRecord) => number;

/** Ties are in ascending order of names in both directions. */
function comparisonOf({ field, direction }: MultiQueryRequest["order"]): Compare {
  const sign = direction === "asc" ? 1 : -1;
  return (a, b) => sign * compareValues(a[field], b[field]) || compareValues(a.id, b.id);
}

/** The matches of each name, which are neighbors. All matches of a name have the same facts. */
async function* namesOf(
  pages: AsyncIterable<readonly DomainMatchRecord[]>,
): AsyncGenerator<Name, void, undefined> {
  let name: [DomainMatchRecord, ...DomainMatchRecord[]] | undefined;
  for await (const page of pages) {
    for (const match of page) {
      if (name && name[0].domain === match.domain) name.push(match);
      else {
        if (name) yield name;
        name = [match];
      }
    }
  }
  if (name) yield name;
}
