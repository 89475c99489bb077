/** The schemas of zones: responses, and the filters of their lists (`observed`). */
import { z } from "zod";
import { pageQuery } from "./envelope.ts";

/** A zone in responses. */
export const zone = z
  .strictObject({
    id: z.string(),
    name: z.string().describe("The zone's domain."),
    status: z.literal("active"),
    paused: z.literal(false),
    type: z.literal("full"),
    account: z.strictObject({ id: z.string(), name: z.string() }),
  })
  .meta({ id: "Zone" });

/** Filters of the list of zones. */
export const zoneQuery = pageQuery.extend({
  name: z.string().optional().describe("Exactly this domain, in any letter case."),
});
