/** Lists of domain matches, and their dismissal. */
import { domainToASCII } from "node:url";
import { normalizePattern } from "../../../engine/brand/query.ts";
import type { Condition } from "../../../store/port.ts";
import type { DomainMatchRecord, DomainQueryRecord } from "../../../store/records/brand.ts";
import { invalid, notFound, type ServiceContext } from "../../context.ts";
import { inQueue } from "../account-state.ts";
import {
  type ListRequest,
  type OrderRules,
  readId,
  readOrder,
  readSlice,
  readSwitch,
} from "../list-request.ts";
import { requireDomainQuery } from "./domain-queries.ts";
import { listMultipleQueries, type MatchDetail } from "./multi-query-list.ts";

const area = "brand";

export interface MatchRequest extends ListRequest {
  readonly query_id?: readonly string[] | undefined;
  /** A part of the name, normalized as names are; labels with letters outside ASCII are found as a whole. */
  readonly domain_search?: string | undefined;
  readonly include_dismissed?: string | undefined;
  readonly include_domain_id?: string | undefined;
}

/** A name in a list of matches. */
export interface ListedMatch {
  readonly match: DomainMatchRecord;
  /** In a list of several queries: the queries that the name matches, by id. */
  readonly details?: readonly MatchDetail[];
}

export interface MatchList {
  readonly matches: readonly ListedMatch[];
  /** Number of matches on all pages. */
  readonly total: number;
  readonly withDomainId: boolean;
}

export interface DomainMatchService {
  /** Matches of one query, or of several queries with each name once. */
  list(account: string, request: MatchRequest): Promise<MatchList>;
  /** Hides a match of one query, or lists it again. A second call changes nothing. */
  setDismissed(account: string, queryId: string, domainId: string, dismissed: boolean): Promise<void>;
}

/** Orders and their default directions (`chosen`); ties are ordered by name. */
const orders: OrderRules<"domain" | "first_seen" | "registrar"> = {
  first_seen: { field: "first_seen", direction: "desc" },
  domain: { field: "domain", direction: "asc" },
  registrar: { field: "registrar", direction: "asc" },
};

export function domainMatchService({ store }: ServiceContext): DomainMatchService {
  return {
    list: async (account, request) => {
      const ids = readIds(request.query_id);
      const slice = readSlice(request);
      const order = readOrder(request, orders, "first_seen");
      const where = conditions(request);
      const withDomainId = readSwitch("include_domain_id", request.include_domain_id);
      return store.read(async (tx) => {
        const queries: DomainQueryRecord[] = [];
        for (const id of ids) queries.push(await requireDomainQuery(tx, account, id));
        const [only, second] = queries;
        if (!only || second) {
          return {
            ...(await listMultipleQueries(tx, account, queries, { where, order, slice })),
            withDomainId,
          };
        }
        const own = [{ field: "query_id", op: "eq", value: only.query_id } as const, ...where];
        const total = await tx.count("brand_domain_matches", account, own);
        const found = await tx.find("brand_domain_matches", account, {
          where: own,
          order: [order],
          ...slice,
        });
        return { matches: found.map((match) => ({ match })), total, withDomainId };
      });
    },
    setDismissed: (account, queryId, domainId, dismissed) =>
      store.write(
        async (tx) => {
          const { query_id } = await requireDomainQuery(tx, account, queryId);
          const domain_id = Number(readId("domain_id", domainId));
          const where = [
            { field: "query_id", op: "eq", value: query_id },
            { field: "domain_id", op: "eq", value: domain_id },
          ] as const;
          const [match] = await tx.find("brand_domain_matches", account, { where });
          if (!match || String(domain_id) !== domainId)
            throw notFound(area, `match of domain query ${query_id} with the domain`, domainId);
          await tx.replace("brand_domain_matches", { ...match, dismissed });
        },
        inQueue(account, "domains"),
      ),
  };
}

/** Distinct ids, in the order of the request. */
function readIds(given: readonly string[] | undefined): readonly string[] {
  if (!given || given.length === 0)
    throw invalid(area, "`query_id` is missing; it must have the id of at least one query.");
  return [...new Set(given.map((id) => readId("query_id", id)))];
}

type Conditions = readonly Condition<"brand_domain_matches">[];

function conditions({ domain_search: search, include_dismissed }: MatchRequest): Conditions {
  return [
    ...(readSwitch("include_dismissed", include_dismissed)
      ? []
      : [{ field: "dismissed", op: "eq", value: false } as const]),
    ...(search ? [{ field: "domain", op: "contains", value: storedForm(search) } as const] : []),
  ];
}

/** A part of a name in the form in which names are stored: a label of other letters than ASCII becomes its A-label. */
function storedForm(search: string): string {
  const labels = normalizePattern(search).split(".");
  return labels.map((label) => domainToASCII(label) || label).join(".");
}
