/** Searches the names that were observed before for a query that is new or changed. */
import type { ReadTransaction } from "../../../store/port.ts";
import type { BrandDomainRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import type { Watch } from "./compiled-domain-queries.ts";

/** What a search has found, and how far it came. */
export interface Lookback {
  /** Names that match. */
  readonly names: readonly string[];
  /** The last name looked at. */
  readonly last: Place;
}

type Place = Pick<BrandDomainRecord, "position" | "id">;

/** Before every name. */
const start: Place = { position: 0, id: "" };

/** Names that are looked at in one go. */
const pageSize = 1_000;

/** Searches all names of an account, page by page, each in a transaction of its own. */
export function lookBack({ store }: ServiceContext, account: string, watch: Watch): Promise<Lookback> {
  return search((last) => store.read((tx) => readPage(tx, account, last)), watch, start);
}

/** Goes on with a search inside of a transaction, where no name can come behind it. */
export async function lookBackRest(
  tx: ReadTransaction,
  account: string,
  watch: Watch,
  before: Lookback,
): Promise<readonly string[]> {
  const { names } = await search((last) => readPage(tx, account, last), watch, before.last);
  return [...before.names, ...names];
}

async function search(
  nextPage: (last: Place) => Promise<readonly BrandDomainRecord[]>,
  watch: Watch,
  from: Place,
): Promise<Lookback> {
  const names: string[] = [];
  let last = from;
  for (;;) {
    const page = await nextPage(last);
    if (page.length === 0) return { names, last };
    for (const { id, first_seen } of page) if (belongs(id, first_seen, watch)) names.push(id);
    last = page.at(-1)!;
  }
}

function readPage(tx: ReadTransaction, account: string, last: Place): Promise<BrandDomainRecord[]> {
  return tx.find("brand_domains", account, {
    where: [{ field: "position", op: "gt", value: 0 }],
    order: [{ field: "position", direction: "asc" }],
    after: [last.position, last.id],
    limit: pageSize,
  });
}

/** Whether a name belongs to any of the queries. */
export function belongs(domain: string, firstSeenMs: number, { matcher, queries }: Watch): boolean {
  return matcher.match(domain).some((match) => queries.get(match.query_id)!.accepts(firstSeenMs));
}
