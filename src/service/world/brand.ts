/** An account's brand protection in a world file: how it compares names, its queries, and what was observed. */
import { z } from "zod";

const query = z
  .strictObject({
    tag: z.string().min(1).describe("What the query is called."),
    string_matches: z
      .array(
        z.strictObject({
          pattern: z.string().describe("1 to 200 characters."),
          max_edit_distance: z.number().describe("0 to 3."),
        }),
      )
      .describe("1 to 100 patterns; any of them will do."),
    min_time: z.string().optional().describe("RFC 3339. Names first seen before are no matches."),
    max_time: z.string().optional().describe("RFC 3339. Names first seen later are no matches."),
    scan: z.boolean().optional(),
  })
  .describe("A domain query. They are numbered from 1 in this order.");

const observedRecord = z.strictObject({
  domain: z.string(),
  first_seen: z.string().optional().describe("RFC 3339; by default now."),
  registrar: z.string().optional(),
  source: z.string().optional().describe("Free text: which feed it came from."),
  public_scans: z.strictObject({ submission_id: z.string() }).optional(),
  scan_status: z.enum(["none", "pending", "finished"]).optional(),
  scan_submission_id: z.number().int().optional(),
});

const picture = {
  image: z.string().optional().describe("The picture in base64, with or without a data URI."),
  image_path: z
    .string()
    .optional()
    .describe("In place of `image`: a file beside the world file. Only the command line reads it."),
};

const logoQuery = z
  .strictObject({
    tag: z.string().min(1).describe("Unique in the account."),
    similarity_threshold: z.number().min(0).max(1).describe("Least score of a match."),
    ...picture,
  })
  .describe("A logo query. They are numbered from 1 in this order. PNG or JPEG.");

const scan = z
  .strictObject({
    domain: z.string().optional(),
    registrar: z.string().optional(),
    url_scan_id: z.string().optional(),
    matched_at: z.string().optional().describe("RFC 3339; by default now."),
    ...picture,
  })
  .describe("A scanned picture. PNG, JPEG, WebP, GIF or AVIF.");

export const accountBrandWorld = z
  .strictObject({
    mode: z
      .enum(["contains", "label"])
      .optional()
      .describe("Patterns are sought inside of names (`contains`, the default) or are a whole label."),
    transpositions: z.boolean().optional().describe("A swap of neighbours counts as one edit."),
    confusables: z.boolean().optional().describe("Also compares what names look like."),
    separators: z.boolean().optional().describe("Also compares without `-` and `.`."),
    queries: z.array(query).optional(),
    observed: z
      .array(z.union([z.string(), observedRecord]))
      .optional()
      .describe("Names that were observed, alone or with what is known of them."),
    logo_queries: z.array(logoQuery).optional(),
    scans: z.array(scan).optional().describe("Pictures that were scanned."),
  })
  .describe("Brand protection of an account.");

export type AccountBrandWorld = z.output<typeof accountBrandWorld>;
