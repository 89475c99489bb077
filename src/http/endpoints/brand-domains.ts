/** Endpoints of domain queries and matches. Responses have no envelope (`spec`). */

import * as z from "zod";
import {
  domainMatches,
  domainMatchParameters,
  domainQuery,
  domainQueryCreate,
  domainQueryPatch,
  done,
  doneWithId,
  queryListParameters,
} from "../../schemas/brand.ts";
import { bare, enveloped } from "../../schemas/envelope.ts";
import type { ListedMatch } from "../../service/brand/domains/domain-matches.ts";
import { messageOf } from "../../service/brand/domains/domain-queries.ts";
import type { MatchDetail } from "../../service/brand/domains/multi-query-list.ts";
import type { Settings } from "../../service/settings.ts";
import { formatTimestamp } from "../../service/time.ts";
import type { DomainQueryRecord } from "../../store/records/brand.ts";
import { type Answer, type Call, type Endpoint, endpointsOf } from "./endpoint.ts";
import { lookbackHeaders, startedLookbackHeaders } from "./lookback-headers.ts";

const { get, post, patch, remove } = endpointsOf("brand", "brand_protection");
const base = "/accounts/{account_id}/{intel}/v2/brand-protection";
const queries = `${base}/domain/queries`;

/** A query in a response. */
export function showQuery({ scope, id, ...query }: DomainQueryRecord) {
  const { created, updated, query_id, query_tag, scan, parameters } = query;
  return { created, updated, query_id, query_tag, scan, parameters };
}

/** A match in a response. An unknown value is empty or null, by profile. */
function showMatch({ match, details }: ListedMatch, { absentValues }: Settings, withDomainId: boolean) {
  const absent = <T>(empty: T): T | null => (absentValues === "null" ? null : empty);
  return {
    domain: match.domain,
    ...(withDomainId && { domain_id: match.domain_id }),
    first_seen: formatTimestamp(match.first_seen),
    public_scans: match.public_scans ?? absent({ submission_id: "" }),
    registrar: match.registrar || absent(""),
    scan_status: match.scan_status ?? "none",
    scan_submission_id: match.scan_submission_id ?? absent(0),
    source: match.source || absent(""),
    ...(details ? { match_details: details.map(showDetail) } : { dismissed: match.dismissed }),
  };
}

function showDetail({ dismissed, match_id, query_id, query_tag }: MatchDetail): MatchDetail {
  return { dismissed, match_id, query_id, query_tag };
}

/** A list without an envelope; later clients expect the usual one (`observed`). */
async function listQueries(call: Call<"account_id", typeof queryListParameters>): Promise<Answer> {
  const { services, params } = call;
  const { id } = call.query;
  const found = await services.brand.queries.list(params.account_id, id);
  const shown = found.map(showQuery);
  const headers = lookbackHeaders(id === undefined ? undefined : found[0]?.lookback);
  return services.settings.envelopes === "everywhere" ? { result: shown, headers } : { bare: shown, headers };
}

async function listMatches(call: Call<"account_id", typeof domainMatchParameters>): Promise<Answer> {
  const { services, params, query } = call;
  const { matches, total, lookback } = await services.brand.matches.list(params.account_id, query);
  const shown = matches.map((m) => showMatch(m, services.settings, query.include_domain_id));
  return { bare: { matches: shown, total }, headers: lookbackHeaders(lookback) };
}

function dismissal(word: "dismiss" | "undismiss"): Endpoint {
  return post({
    id: `brand.domains.matches.${word}`,
    path: `${base}/queries/{query_id}/matches/{domain_id}/${word}`,
    summary: word === "dismiss" ? "Hide a match of one query" : "Show a dismissed match again",
    response: bare(done),
    handle: async ({ services, params }) => {
      const { account_id, query_id, domain_id } = params;
      await services.brand.matches.setDismissed(account_id, query_id, domain_id, word === "dismiss");
      return { bare: { message: `The match was ${word}ed.`, success: true } };
    },
  });
}

export const brandDomainEndpoints: readonly Endpoint[] = [
  get({
    id: "brand.domains.queries.list",
    path: queries,
    summary: "List domain queries",
    query: queryListParameters,
    response: bare(z.array(domainQuery)),
    responseEverywhere: enveloped(z.array(domainQuery)),
    handle: listQueries,
  }),
  post({
    id: "brand.domains.queries.create",
    path: queries,
    summary: "Create a domain query",
    request: domainQueryCreate,
    response: bare(doneWithId),
    handle: async (call) => {
      const body = await call.json();
      const { query_id, lookback } = await call.services.brand.queries.create(
        call.params.account_id,
        body,
        call.notes,
      );
      const message = messageOf(`Domain query ${query_id} was created.`, call.notes);
      return { bare: { message, success: true, query_id }, headers: startedLookbackHeaders(lookback) };
    },
  }),
  patch({
    id: "brand.domains.queries.edit",
    path: `${queries}/{query_id}`,
    summary: "Edit a domain query",
    request: domainQueryPatch,
    response: bare(doneWithId),
    handle: async (call) => {
      const { account_id, query_id: id } = call.params;
      const { query_id, lookback } = await call.services.brand.queries.edit(
        account_id,
        id,
        await call.json(),
        call.notes,
      );
      const message = messageOf(`Domain query ${query_id} was changed.`, call.notes);
      return { bare: { message, success: true, query_id }, headers: startedLookbackHeaders(lookback) };
    },
  }),
  remove({
    id: "brand.domains.queries.delete",
    path: `${queries}/{query_id}`,
    summary: "Delete a domain query and its matches",
    response: bare(done),
    handle: async ({ services, params }) => {
      const { account_id, query_id } = params;
      await services.brand.queries.delete(account_id, query_id);
      return { bare: { message: "The domain query was deleted.", success: true } };
    },
  }),
  get({
    id: "brand.domains.matches.list",
    path: `${base}/domain/matches`,
    summary: "List domain matches",
    query: domainMatchParameters,
    response: bare(domainMatches),
    handle: listMatches,
  }),
  dismissal("dismiss"),
  dismissal("undismiss"),
];
