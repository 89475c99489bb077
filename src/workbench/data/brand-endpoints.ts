/** The data of the screen Names and logos. */
import { domainToUnicode } from "../../core/idna/host.ts";
import type { Edge } from "../../edge.ts";
import { scoreMatch } from "../../engine/brand/matching/score.ts";
import { aBoolean, anInteger, aText, optional, withDefault } from "../../schemas/parameters.ts";
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
import { anId, type DataCall, type DataEndpoints, reads } from "./data-endpoint.ts";
import { booleanField, objectBody, stringField } from "./fields.ts";
import { markedHost } from "./marked-host.ts";
import { pictureResponse } from "./picture-response.ts";

const ofAccount = { account: anId };
const ofLogos = { ...ofAccount, query: anId, offset: withDefault(anInteger({ min: 0 }), 0) };
const ofNames = { ...ofLogos, dismissed: withDefault(aBoolean, false) };
const ofPicture = { ...ofAccount, query: anId, match: optional(aText("an id")) };

export const brandEndpoints: DataEndpoints = {
  brand: reads(ofAccount, readQueries),
  "brand/names": reads(ofNames, listNames),
  "brand/logos": reads(ofLogos, listLogos),
  "brand/picture": reads(ofPicture, readPicture),
  "brand/dismiss": { method: "POST", handle: dismiss },
};

/** Matches of a page. */
const pageSize = { names: 100, logos: 24 } as const;

async function readQueries(call: DataCall<Edge, typeof ofAccount>): Promise<BrandView> {
  const { brand } = call.edge;
  const { account } = call.query;
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

async function listNames(call: DataCall<Edge, typeof ofNames>): Promise<Page<NameMatchView>> {
  const { account, query, dismissed, offset } = call.query;
  const { brand } = call.edge;
  const { matches, total } = await brand.matches.list(account, {
    query_id: [query],
    include_dismissed: dismissed,
    offset,
    limit: pageSize.names,
    recompute: true,
  });
  const compiled = await brand.compile(account);
  return pageOf(offset, matches, total, (match) => viewOfName(match, compiled));
}

/** @param total number of matches on all pages */
function pageOf<T, V>(offset: number, found: readonly T[], total: number, view: (item: T) => V): Page<V> {
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
    .find((domainMatch) => domainMatch.query_id === query_id && domainMatch.pattern === found?.pattern);
  if (match === undefined) return { text: domainToUnicode(domain) || domain, start: 0, end: 0 };
  return markedHost(match);
}

async function listLogos(call: DataCall<Edge, typeof ofLogos>): Promise<Page<LogoMatchView>> {
  const { account, query, offset } = call.query;
  const { matches, total } = await call.edge.brand.logos.matches.list(account, {
    query_id: query,
    orderBy: "similarityScore",
    offset,
    limit: pageSize.logos,
  });
  return pageOf(offset, matches, total, ({ match }) => viewOfLogo(match));
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
async function readPicture(call: DataCall<Edge, typeof ofPicture>): Promise<Response> {
  const { logos } = call.edge.brand;
  const { account, query, match } = call.query;
  if (match !== undefined) {
    const { match: found, image } = await logos.matches.get(account, query, match);
    return pictureResponse(image, { type: found.content_type });
  }
  const [found] = await logos.queries.list(account, { id: query, download: true });
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
