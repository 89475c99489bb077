/** The bodies of brand protection requests. What a schema cannot say, the engine's checks do. */
import { z } from "zod";

/** String matches are judged by the engine, member by member, so that each fault has its own pointer. */
const stringMatches = z.array(z.unknown());

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
