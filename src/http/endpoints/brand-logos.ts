/** Endpoints of logo queries and matches. Responses have no envelope (`spec`). */

import * as z from "zod";
import {
  done,
  doneWithId,
  logoListParameters,
  logoMatches,
  logoMatchParameters,
  logoQuery,
  logoQueryCreate,
} from "../../schemas/brand.ts";
import { bare } from "../../schemas/envelope.ts";
import { messageOf } from "../../service/brand/domains/domain-queries.ts";
import type { ListedLogoMatch } from "../../service/brand/logos/logo-matches.ts";
import type { ListedLogoQuery } from "../../service/brand/logos/logo-queries.ts";
import type { Settings } from "../../service/settings.ts";
import { formatTimestamp } from "../../service/time.ts";
import type { LookbackProgress } from "../../store/records/brand.ts";
import { renameMember, type WireNames } from "../wire-names.ts";
import { type Answer, type Call, type Endpoint, endpointsOf } from "./endpoint.ts";
import { lookbackHeaders, startedLookbackHeaders } from "./lookback-headers.ts";

const { get, post, remove } = endpointsOf("brand", "brand_protection");
const base = "/accounts/{account_id}/{intel}/v2/brand-protection/logo";

/** Bytes of a JSON body in addition to its base64 string. */
const bodyMargin = 65_536;

/**
 * JSON escapes in relation to the length of a base64 string: the ends of lines of 64 or 76 digits (`\r\n`, four bytes
 * each), and slashes that some encoders escape.
 */
const escapeShare = 1 / 8;

/** A downloaded picture: type and base64, without the prefix of a data URI. */
function showImage(content_type: string, image: Uint8Array | undefined) {
  return image ? { content_type, image_data: Buffer.from(image).toString("base64") } : {};
}

function showLogo({ query, image }: ListedLogoQuery, wire: WireNames) {
  const { query_id, store_path, similarity_threshold, tag, uploaded_at, content_type } = query;
  const shown = { id: query_id, store_path, similarity_threshold, tag, uploaded_at };
  return renameMember({ ...shown, ...showImage(content_type, image) }, "store_path", wire.store_path);
}

function showMatch({ match, image }: ListedLogoMatch, { absentValues }: Settings) {
  const absent = absentValues === "null" ? null : "";
  return {
    id: match.match_id,
    domain: match.domain || absent,
    matched_at: formatTimestamp(match.matched_at),
    query_id: match.query_id,
    registrar: match.registrar || absent,
    similarity_score: match.similarity_score,
    url_scan_id: match.url_scan_id || absent,
    ...showImage(match.content_type, image),
  };
}

/** Maximum size in bytes of a body with a picture of `pictureBytes`. */
function maxBodyBytes(pictureBytes: number): number {
  const digits = Math.ceil(pictureBytes / 3) * 4;
  return Math.ceil(digits * (1 + escapeShare)) + bodyMargin;
}

async function createLogo(call: Call<"account_id">): Promise<Answer> {
  const { services, params, notes, request } = call;
  const { limits } = services;
  const maxBytes = Math.max(limits.bodyBytes, maxBodyBytes(limits.logoBytes));
  const { query_id, lookback } = await services.brand.logos.queries.create(
    params.account_id,
    await call.json(maxBytes),
    notes,
    request.signal,
  );
  return {
    bare: { message: messageOf(createdMessage(query_id, lookback), notes), success: true, query_id },
    headers: startedLookbackHeaders(lookback),
  };
}

/** Reports a created query, and how many stored pictures the prefilter left out. */
function createdMessage(id: number, lookback: LookbackProgress | undefined): string {
  const created = `Logo query ${id} was created.`;
  if (lookback?.state !== "done") return created;
  const { searched, dense = 0 } = lookback;
  if (dense >= searched) return created;
  return `${created} Stored pictures that the prefilter left out of the dense search: ${searched - dense} of ${searched}.`;
}

function dismissal(word: "dismiss" | "undismiss"): Endpoint {
  return post({
    id: `brand.logos.matches.${word}`,
    path: `${base}/queries/{query_id}/matches/{match_id}/${word}`,
    summary: word === "dismiss" ? "Dismiss a logo match" : "Undo the dismissal of a logo match",
    response: bare(done),
    handle: async ({ services, params }) => {
      const { account_id, query_id, match_id } = params;
      const { matches } = services.brand.logos;
      await matches.setDismissed(account_id, query_id, match_id, word === "dismiss");
      return { bare: { message: `The match was ${word}ed.`, success: true } };
    },
  });
}

export const brandLogoEndpoints: readonly Endpoint[] = [
  get({
    id: "brand.logos.queries.list",
    path: `${base}/queries`,
    summary: "List logo queries",
    query: logoListParameters,
    response: bare(z.array(logoQuery)),
    handle: async ({ services, params, query, wire }) => {
      const found = await services.brand.logos.queries.list(params.account_id, query);
      const [only] = query.id === undefined ? [] : found;
      return {
        bare: found.map((logo) => showLogo(logo, wire)),
        headers: lookbackHeaders(only?.query.lookback),
      };
    },
  }),
  post({
    id: "brand.logos.queries.create",
    path: `${base}/queries`,
    summary: "Create a logo query",
    request: logoQueryCreate,
    response: bare(doneWithId),
    handle: createLogo,
  }),
  remove({
    id: "brand.logos.queries.delete",
    path: `${base}/queries/{query_id}`,
    summary: "Delete a logo query and its matches",
    response: bare(done),
    handle: async ({ services, params }) => {
      const { account_id, query_id } = params;
      await services.brand.logos.queries.delete(account_id, query_id);
      return { bare: { message: "The logo query was deleted.", success: true } };
    },
  }),
  get({
    id: "brand.logos.matches.list",
    path: `${base}/matches`,
    summary: "List logo matches",
    query: logoMatchParameters,
    response: bare(logoMatches),
    handle: async ({ services, params, query }) => {
      const list = await services.brand.logos.matches.list(params.account_id, query);
      const matches = list.matches.map((match) => showMatch(match, services.settings));
      return { bare: { matches, total: list.total }, headers: lookbackHeaders(list.lookback) };
    },
  }),
  dismissal("dismiss"),
  dismissal("undismiss"),
];
