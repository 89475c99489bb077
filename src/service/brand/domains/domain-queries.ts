/** Domain queries: their patterns and time bounds, and the matches that a change adds and removes. */

import { counted } from "../../../errors.ts";
import { type DomainQueryPatch, queryListParameters } from "../../../schemas/brand.ts";
import type { WriteTransaction } from "../../../store/port.ts";
import type { DomainQueryRecord, FoundPattern } from "../../../store/records/brand.ts";
import {
  invalid,
  type Notes,
  rejectAny,
  requireRecord,
  requireScope,
  type ServiceContext,
} from "../../context.ts";
import { acceptQuery } from "../../query.ts";
import { formatTimestamp } from "../../time.ts";
import { bumpRevision, inQueue } from "../account-state.ts";
import { readId } from "../list-request.ts";
import type { LookbackRunner } from "../lookback/lookback-runner.ts";
import { dropLookback, hasMoreRecords, startLookback, withProgress } from "../lookback/pending-lookback.ts";
import { finishLookback, type LookbackState, lookBack } from "../lookback/search-pages.ts";
import { ensureSettings } from "../settings/account-settings.ts";
import {
  bestPatterns,
  type CompiledQueries,
  compileDraft,
  draftId,
  isCompiledWith,
} from "./compiled-domain-queries.ts";
import { domainLookback, type FoundName, storeFoundNames } from "./domain-lookback.ts";
import {
  checkBounds,
  parametersOf,
  type QueryFields,
  readDomainQuery,
  readPatch,
} from "./read-domain-query.ts";

const area = "brand";

/** The sequence of query ids. */
const sequenceName = "brand_domain_queries";

/** Matches of one page. */
const pageSize = 500;

/** Queries for names that resemble a brand. */
export interface DomainQueryService {
  /** All queries, or the one with this id, oldest first; an empty array for an unknown id. */
  list(account: string, id?: string): Promise<readonly DomainQueryRecord[]>;
  /**
   * Creates a query and its matches in one transaction. With more than `lookbackNamesAtOnce` observed names the lookback of
   * the returned query is pending, and matches are added as they are found.
   */
  create(account: string, body: unknown, notes?: Notes): Promise<DomainQueryRecord>;
  /**
   * Changes a query. Matches that the changed query does not find are removed; the others keep their ids and stay
   * dismissed. Unless `search_lookback` is false, names that were observed before are searched, as in `create`. A change of
   * patterns or times ends a pending lookback.
   */
  edit(account: string, id: string, body: unknown, notes?: Notes): Promise<DomainQueryRecord>;
  /** Removes a query and its matches, and ends its lookback. */
  delete(account: string, id: string): Promise<void>;
}

export function domainQueryService(
  context: ServiceContext,
  runner: Pick<LookbackRunner, "start">,
): DomainQueryService {
  const { store } = context;
  return {
    list: (account, id) => {
      const { id: key } = acceptQuery(queryListParameters, { id }, area);
      return store.read(async (tx) => {
        await requireScope(tx, area, "accounts", account);
        const where = key === undefined ? [] : [{ field: "id", op: "eq", value: key } as const];
        const order = [{ field: "query_id", direction: "asc" }] as const;
        const found = await tx.find("brand_domain_queries", account, { where, order });
        return Promise.all(found.map((query) => withProgress(tx, "domains", query)));
      });
    },
    create: async (account, body, notes = []) => {
      const { lookback, ...fields } = readDomainQuery(context, body, notes);
      await store.read((tx) => requireScope(tx, area, "accounts", account));
      for (;;) {
        const compiled = await compileDraft(context, account, fields);
        const search = await beginLookback(context, account, compiled, lookback);
        const created = await store.write(
          async (tx) => {
            if (!isCompiledWith(await ensureSettings(tx, context, account), compiled)) return undefined;
            const query = await createDomainQuery(context, tx, account, fields);
            return storeLookback(context, tx, query, compiled, search);
          },
          inQueue(account, "domains"),
        );
        if (!created) continue;
        startPending(runner, created);
        return created;
      }
    },
    edit: async (account, id, body, notes = []) => {
      const query = await editQuery(context, account, id, readPatch(context, body, notes));
      startPending(runner, query);
      return query;
    },
    delete: (account, id) =>
      store.write(
        async (tx) => {
          const { query_id } = await requireRecord(
            tx,
            "brand_domain_queries",
            account,
            readId("query_id", id),
          );
          await ensureSettings(tx, context, account);
          await tx.deleteWhere("brand_domain_matches", account, [
            { field: "query_id", op: "eq", value: query_id },
          ]);
          await tx.delete("brand_domain_queries", account, String(query_id));
          await dropLookback(tx, { part: "domains", scope: account, id: String(query_id) });
          await bumpRevision(tx, account, "domains");
        },
        inQueue(account, "domains"),
      ),
  };
}

/** Stores a new query, without its matches. */
export async function createDomainQuery(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { query_tag, scan, parameters }: QueryFields,
): Promise<DomainQueryRecord> {
  const { clock, limits } = context;
  await requireScope(tx, area, "accounts", account);
  await ensureSettings(tx, context, account);
  const count = await tx.count("brand_domain_queries", account);
  const max = limits.domainQueriesPerAccount;
  if (count >= max)
    throw invalid(
      area,
      `An account can have at most ${counted(max, "domain query", "domain queries")}; found ${count}.`,
    );
  const query_id = await tx.sequence(account, sequenceName);
  const now = formatTimestamp(clock());
  const times = { created: now, updated: now };
  const query = { scope: account, id: String(query_id), ...times, query_id, query_tag, scan, parameters };
  await tx.insert("brand_domain_queries", query);
  await bumpRevision(tx, account, "domains");
  return query;
}

/** The part of a lookback before the transaction that stores the query. */
type BegunLookback =
  /** The query has none. */
  | undefined
  /** The names are searched in the background. */
  | "pending"
  /** The matches so far. */
  | { readonly state: LookbackState<FoundName> };

/** Searches the observed names, unless there are so many that it is done in the background. */
async function beginLookback(
  { store, limits }: ServiceContext,
  account: string,
  compiled: CompiledQueries,
  isSearched: boolean,
): Promise<BegunLookback> {
  if (!isSearched) return undefined;
  const key = { part: "domains", scope: account } as const;
  if (await store.read((tx) => hasMoreRecords(tx, key, limits.lookbackNamesAtOnce))) return "pending";
  return { state: await lookBack(store, domainLookback(account, compiled)) };
}

/**
 * Stores the matches of a lookback with its query, after it has searched the names that were observed in the meantime; or
 * stores that it is pending. Returns the query with the state.
 */
async function storeLookback(
  { clock }: ServiceContext,
  tx: WriteTransaction,
  query: DomainQueryRecord,
  compiled: CompiledQueries,
  begun: BegunLookback,
): Promise<DomainQueryRecord> {
  if (!begun) return query;
  if (begun === "pending") return startLookback(tx, "domains", query, clock());
  const { scope: account, query_id } = query;
  const { found, searched } = await finishLookback(tx, domainLookback(account, compiled), begun.state);
  await storeFoundNames(tx, account, query_id, compiled, found);
  const finished = { ...query, lookback: { state: "done", total: searched, searched } as const };
  await tx.replace("brand_domain_queries", finished);
  return finished;
}

function startPending(
  runner: Pick<LookbackRunner, "start">,
  { scope, id, lookback }: DomainQueryRecord,
): void {
  if (lookback?.state === "pending") runner.start("domains", scope, id);
}

async function editQuery(
  context: ServiceContext,
  account: string,
  id: string,
  patch: DomainQueryPatch,
): Promise<DomainQueryRecord> {
  const { store } = context;
  for (;;) {
    const before = await store.read((tx) =>
      requireRecord(tx, "brand_domain_queries", account, readId("query_id", id)),
    );
    const after = patched(context, before, patch);
    const search = searchesOf(patch);
    const compiled = search.matches ? await compileDraft(context, account, after) : undefined;
    const begun = compiled && (await beginLookback(context, account, compiled, search.lookback));
    const done = await store.write(
      async (tx) => {
        const now = await requireRecord(tx, "brand_domain_queries", account, readId("query_id", id));
        if (JSON.stringify(now) !== JSON.stringify(before)) return undefined;
        const settings = await ensureSettings(tx, context, account);
        if (compiled && !isCompiledWith(settings, compiled)) return undefined;
        await bumpRevision(tx, account, "domains");
        if (!compiled) {
          await tx.replace("brand_domain_queries", after);
          return after;
        }
        const { lookback, ...changed } = after;
        await dropLookback(tx, { part: "domains", scope: account, id: after.id });
        await tx.replace("brand_domain_queries", changed);
        await refreshMatches(tx, account, after.query_id, compiled);
        return storeLookback(context, tx, changed, compiled, begun);
      },
      inQueue(account, "domains"),
    );
    if (done) return done;
  }
}

/** The searches that an edit needs: of the existing matches, and of the names that were observed before. */
function searchesOf({ string_matches, min_time, max_time, search_lookback }: DomainQueryPatch) {
  const changed = [string_matches, min_time, max_time].some((member) => member !== undefined);
  const lookback = search_lookback ?? changed;
  return { matches: changed || lookback, lookback };
}

function patched(
  { clock }: ServiceContext,
  before: DomainQueryRecord,
  patch: DomainQueryPatch,
): DomainQueryRecord {
  const parameters = parametersOf(before.parameters, patch);
  rejectAny(checkBounds(parameters.min_time, parameters.max_time, ""));
  return {
    ...before,
    updated: formatTimestamp(clock()),
    query_tag: patch.tag ?? before.query_tag,
    scan: patch.scan ?? before.scan,
    parameters,
  };
}

/** The pattern by which a draft finds a name. */
function patternOf(domain: string, { matcher }: CompiledQueries): FoundPattern | undefined {
  return bestPatterns(matcher.match(domain)).get(draftId);
}

/** Removes the matches that the query does not find after the change, and updates the patterns of the others. */
async function refreshMatches(
  tx: WriteTransaction,
  account: string,
  queryId: number,
  compiled: CompiledQueries,
): Promise<void> {
  const draft = compiled.queries.get(draftId);
  const where = [{ field: "query_id", op: "eq", value: queryId }] as const;
  const page = { where, order: [{ field: "domain", direction: "asc" }] as const, limit: pageSize };
  for (let after: readonly string[] | undefined; ; ) {
    const matches = await tx.find("brand_domain_matches", account, { ...page, ...(after && { after }) });
    const ids: string[] = [];
    for (const match of matches) {
      const found = draft?.accepts(match.first_seen) ? patternOf(match.domain, compiled) : undefined;
      if (!found) ids.push(match.id);
      else if (JSON.stringify(found) !== JSON.stringify(match.found))
        await tx.replace("brand_domain_matches", { ...match, found });
    }
    if (ids.length > 0)
      await tx.deleteWhere("brand_domain_matches", account, [{ field: "id", op: "in", value: ids }]);
    const last = matches.at(-1);
    if (!last || matches.length < pageSize) return;
    after = [last.domain, last.id];
  }
}

/** The message of a bare response: the change, and the notes about its input. */
export function messageOf(done: string, notes: Notes): string {
  return [done, ...notes.map((note) => note.message)].join(" ");
}
