/** The data of the screen Names and logos. */
import { domainToUnicode } from "node:url";
import type { Edge } from "../../edge.ts";
import { scoreMatch } from "../../engine/brand/matching/score.ts";
import type { CompiledQueries } from "../../service/brand/domains/compiled-domain-queries.ts";
import type { ListedMatch } from "../../service/brand/domains/domain-matches.ts";
import type { DomainQueryRecord, LogoMatchRecord } from "../../store/records/brand.ts";
import type {
  BrandView,
  LogoMatchView,
  MarkedName,
  NameMatchView,
  NameQueryView,
  Page,
} from "../brand-messages.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { DataCall, DataEndpoints } from "./data-endpoint.ts";
import { booleanField, objectBody, stringField } from "./fields.ts";
import { markedHost } from "./marked-host.ts";
import { pictureResponse } from "./picture-response.ts";

export const brandEndpoints: DataEndpoints = {
  brand: { method: "GET", handle: readQueries },
  "brand/names": { method: "GET", handle: listNames },
  "brand/logos": { method: "GET", handle: listLogos },
  "brand/picture": { method: "GET", handle: readPicture },
  "brand/dismiss": { method: "POST", handle: dismiss },
};

/** Matches of a page. */
const pageSize = { names: "100", logos: "24" } as const;

function parameter({ query }: DataCall, name: string): string {
  return query.get(name) ?? "";
}

async function readQueries(call: DataCall): Promise<BrandView> {
  const { brand } = call.edge;
  const account = parameter(call, "account");
  const [names, logos] = [await brand.queries.list(account), await brand.logos.queries.list(account)];
  return {
    names: names.map(viewOfQuery),
    logos: logos.map(({ query: { id, tag, similarity_threshold: threshold } }) => ({ id, tag, threshold })),
  };
}

function viewOfQuery({ id, query_tag: tag, parameters }: DomainQueryRecord): NameQueryView {
  const patterns = parameters.string_matches.map(({ pattern, max_edit_distance: maxEdits }) => ({
    pattern,
    maxEdits,
  }));
  const lowest = patterns.map(({ pattern, maxEdits }) => scoreMatch([...pattern].length, maxEdits));
  return { id, tag, patterns, threshold: Math.min(...lowest) };
}

async function listNames(call: DataCall): Promise<Page<NameMatchView>> {
  const account = parameter(call, "account");
  const query = parameter(call, "query");
  const { brand } = call.edge;
  const { matches, total } = await brand.matches.list(account, {
    query_id: [query],
    include_dismissed: call.query.get("dismissed") ?? undefined,
    offset: call.query.get("offset") ?? undefined,
    limit: pageSize.names,
    recompute: true,
  });
  const compiled = await brand.compile(account);
  return pageOf(call, matches, total, (match) => viewOfName(match, compiled));
}

/** @param total number of matches on all pages */
function pageOf<T, V>({ query }: DataCall, found: readonly T[], total: number, view: (one: T) => V): Page<V> {
  const offset = Number(query.get("offset") ?? 0);
  return { matches: found.map(view), total, hasMore: offset + found.length < total };
}

function viewOfName({ match, recomputed }: ListedMatch, compiled: CompiledQueries): NameMatchView {
  const { domain: text, found, registrar, dismissed } = match;
  return {
    id: String(match.domain_id),
    ascii: { text, start: found?.span.start ?? 0, end: found?.span.end ?? 0 },
    ...(text.includes("xn--") && { unicode: unicodeForm(match, compiled) }),
    ...(found && {
      found: {
        pattern: found.pattern,
        technique: found.technique,
        edits: found.distance,
        score: found.score,
      },
    }),
    isRecomputed: recomputed === true,
    registrar,
    firstSeenMs: match.first_seen,
    isDismissed: dismissed,
  };
}

/** The matcher knows the place in the decoded name; the stored span contains the whole of an A-label. */
function unicodeForm(
  { domain, query_id, found }: ListedMatch["match"],
  { matcher }: CompiledQueries,
): MarkedName {
  const match = matcher
    .match(domain)
    .find((one) => one.query_id === query_id && one.pattern === found?.pattern);
  if (match === undefined) return { text: domainToUnicode(domain) || domain, start: 0, end: 0 };
  return markedHost(match);
}

async function listLogos(call: DataCall): Promise<Page<LogoMatchView>> {
  const { matches, total } = await call.edge.brand.logos.matches.list(parameter(call, "account"), {
    query_id: parameter(call, "query"),
    orderBy: "similarityScore",
    offset: call.query.get("offset") ?? undefined,
    limit: pageSize.logos,
  });
  return pageOf(call, matches, total, ({ match }) => viewOfLogo(match));
}

function viewOfLogo(match: LogoMatchRecord): LogoMatchView {
  const { match_id, similarity_score: score, domain, registrar, url_scan_id: scan, kind, box } = match;
  return {
    id: String(match_id),
    score,
    domain,
    registrar,
    scan,
    matchedAtMs: match.matched_at,
    isDismissed: match.dismissed === true,
    ...(kind && { kind }),
    ...(box && { box }),
  };
}

/** The picture of a match, or without one that of the query. */
async function readPicture(call: DataCall): Promise<Response> {
  const { logos } = call.edge.brand;
  const account = parameter(call, "account");
  const query = parameter(call, "query");
  const match = call.query.get("match");
  if (match !== null) {
    const { match: found, image } = await logos.matches.get(account, query, match);
    return pictureResponse(image, { type: found.content_type });
  }
  const [found] = await logos.queries.list(account, { id: query, download: "true" });
  if (!found?.image) throw new RequestFault(404, `There is no logo query ${query}.`);
  return pictureResponse(found.image, { type: found.query.content_type });
}

async function dismiss({ edge, body }: DataCall): Promise<Record<string, never>> {
  const given = objectBody(body);
  await matchesOf(edge, stringField(given, "kind")).setDismissed(
    stringField(given, "account"),
    stringField(given, "query"),
    stringField(given, "match"),
    booleanField(given, "dismissed"),
  );
  return {};
}

function matchesOf({ brand }: Edge, kind: string): Pick<Edge["brand"]["matches"], "setDismissed"> {
  if (kind === "names") return brand.matches;
  if (kind === "logos") return brand.logos.matches;
  throw new RequestFault(400, "`kind` must be `names` or `logos`.");
}
