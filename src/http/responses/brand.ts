/** What brand protection shows, without an envelope (`spec`). Nulls: what nobody said, in profile `provider` (`observed`). */
import { z } from "zod";
import { timestamp } from "../../schemas/envelope.ts";

const count = z.int().min(0);
const order = z.enum(["asc", "desc"]).optional();
const text = z.string().optional();

/** Said of every write; of one that makes or changes a query, with its id. */
export const done = z.strictObject({ message: z.string(), success: z.literal(true) });
export const doneWithId = done.extend({ query_id: count });

export const domainQuery = z
  .strictObject({
    created: timestamp,
    updated: timestamp,
    query_id: count,
    query_tag: z.string(),
    scan: z.boolean(),
    parameters: z.strictObject({
      string_matches: z.array(
        z.strictObject({ pattern: z.string(), max_edit_distance: z.int().min(0).max(3) }),
      ),
      max_time: text,
      min_time: text,
    }),
  })
  .meta({ id: "DomainQuery" });

const detail = z.strictObject({
  dismissed: z.boolean(),
  match_id: count,
  query_id: count,
  query_tag: z.string(),
});

const domainMatch = z
  .strictObject({
    domain: z.string(),
    domain_id: count.optional(),
    first_seen: timestamp,
    public_scans: z.strictObject({ submission_id: z.string() }).nullable(),
    registrar: z.string().nullable(),
    scan_status: z.enum(["none", "pending", "finished"]),
    scan_submission_id: count.nullable(),
    source: z.string().nullable(),
    dismissed: z.boolean().optional().meta({ description: "When one query was asked for." }),
    match_details: z.array(detail).optional().meta({ description: "When several were." }),
  })
  .meta({ id: "DomainMatch" });

export const domainMatches = z.strictObject({ matches: z.array(domainMatch), total: count });

const picture = { content_type: z.string().optional(), image_data: z.base64().optional() };

export const logoQuery = z
  .strictObject({
    id: count,
    store_path: z.string(),
    similarity_threshold: z.number().min(0).max(1),
    tag: z.string(),
    uploaded_at: timestamp,
    ...picture,
  })
  .meta({ id: "LogoQuery" });

const logoMatch = z
  .strictObject({
    id: count,
    domain: z.string().nullable(),
    matched_at: timestamp,
    query_id: count,
    registrar: z.string().nullable(),
    similarity_score: z.number().min(0).max(1),
    url_scan_id: z.string().nullable(),
    ...picture,
  })
  .meta({ id: "LogoMatch" });

export const logoMatches = z.strictObject({ matches: z.array(logoMatch), total: count });

export const oneQuery = z.object({ id: text });
export const logoListQuery = z.object({ id: text, download: z.boolean().optional() });

const slice = { limit: z.int().min(1).optional(), offset: z.int().min(0).optional(), order };

export const domainMatchQuery = z.object({
  query_id: z.array(count).min(1),
  domain_search: text,
  include_dismissed: z.boolean().optional(),
  include_domain_id: z.boolean().optional(),
  ...slice,
  orderBy: z.enum(["domain", "first_seen", "registrar"]).optional(),
});

export const logoMatchQuery = z.object({
  query_id: count,
  download: z.boolean().optional(),
  ...slice,
  orderBy: z.enum(["matchedAt", "domain", "similarityScore", "registrar"]).optional(),
});
