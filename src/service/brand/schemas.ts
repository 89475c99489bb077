/** The bodies of brand protection requests. What a schema cannot say, the engine's checks do. */
import { z } from "zod";
import { maxEditDistance, maxPatternLength, maxPatternsPerQuery } from "../../engine/brand/query.ts";

/** String matches are judged by the engine, member by member, so that each fault has its own pointer; this describes them. */
const stringMatch = z.unknown().meta({
  description: "A pattern, and the edits that a name may be away from it.",
  type: "object",
  required: ["pattern", "max_edit_distance"],
  properties: {
    pattern: { type: "string", description: `1 to ${maxPatternLength} code points.` },
    max_edit_distance: { type: "integer", minimum: 0, maximum: maxEditDistance },
  },
});

const stringMatches = z.array(stringMatch).meta({ description: `1 to ${maxPatternsPerQuery} patterns.` });

/** RFC 3339; null stands for no bound. */
const time = z.string().nullable().optional();

export const domainQueryCreate = z.object({
  tag: z.string().min(1),
  string_matches: stringMatches,
  min_time: time,
  max_time: time,
  scan: z.boolean().default(false),
  search_lookback: z.boolean().default(true),
});

export const domainQueryPatch = z.object({
  tag: z.string().min(1).optional(),
  string_matches: stringMatches.optional(),
  min_time: time,
  max_time: time,
  scan: z.boolean().optional(),
  search_lookback: z.boolean().optional(),
});

export type DomainQueryPatch = z.output<typeof domainQueryPatch>;

export const logoQueryCreate = z.object({
  tag: z.string().min(1),
  image_data: z.string(),
  similarity_threshold: z.number().min(0).max(1),
  search_lookback: z.boolean().default(true),
});
