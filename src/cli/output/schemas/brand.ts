/** The output of `match`, `variants` and `logo` with `--json`. */
import { z } from "zod";
import { matchModes } from "../../../engine/brand/model.ts";
import { maxEditDistance } from "../../../engine/brand/query.ts";
import { lookAlikeKinds } from "../../../testing/look-alikes.ts";

const techniques = z.enum(["exact", ...lookAlikeKinds, "other"]);

const score = z.number().min(0).max(1);

export const matchLine = z
  .strictObject({
    domain: z.string().describe("The name as given."),
    query_id: z.int().optional(),
    query_tag: z.string().optional(),
    pattern: z.string(),
    distance: z.int().min(0).max(maxEditDistance),
    technique: techniques,
    score,
    span: z
      .strictObject({ start: z.int().min(0), end: z.int().min(0) })
      .describe("Position in `domain`, in UTF-16 units, half-open."),
    host: z.string().describe("The normalized name."),
    channel: z.enum(["plain", "confusables", "separators", "confusables+separators"]),
    mode: z.enum(matchModes),
  })
  .describe("One line: a pattern found in a name.");

export const variantLine = z
  .strictObject({ domain: z.string(), technique: z.enum(lookAlikeKinds) })
  .describe("One line: a look-alike and its technique.");

export const logoOutput = z
  .array(z.strictObject({ file: z.string(), score }))
  .describe("The pictures that match, best first.");
