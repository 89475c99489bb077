/** What `match`, `variants` and `logo` print with `--json`. */
import { z } from "zod";
import { lookAlikeKinds } from "../../../testing/look-alikes.ts";

const techniques = z.enum(["exact", ...lookAlikeKinds, "other"]);

const score = z.number().min(0).max(1);

export const matchLine = z
  .strictObject({
    domain: z.string().describe("The name as it was given."),
    query_id: z.int().optional(),
    query_tag: z.string().optional(),
    pattern: z.string(),
    distance: z.int().min(0).max(3),
    technique: techniques,
    score,
    span: z
      .strictObject({ start: z.int().min(0), end: z.int().min(0) })
      .describe("Where it was found in `domain`, in UTF-16 units, half open."),
    host: z.string().describe("The name in normal form."),
    channel: z.enum(["plain", "confusables", "separators", "confusables+separators"]),
    mode: z.enum(["contains", "label"]),
  })
  .describe("One line: a pattern found in a name.");

export const variantLine = z
  .strictObject({ domain: z.string(), technique: z.enum(lookAlikeKinds) })
  .describe("One line: a look-alike and how it was made.");

export const logoOutput = z
  .array(z.strictObject({ file: z.string(), score }))
  .describe("The pictures that match, best first.");
