/** The `--json` output of `render` and `sign`. */
import * as z from "zod";
import { renditionTypes } from "../../../engine/images/sniff.ts";

const writtenFile = z.strictObject({
  file: z.string(),
  contentType: z.enum([...renditionTypes, "application/json"] as [string]),
  width: z.int().min(1).describe("Pixels."),
  height: z.int().min(1).describe("Pixels."),
  frames: z.int().min(1),
  bytes: z.int().min(1),
  warnings: z.array(z.string()).describe("Options without an effect, or with another one."),
});

const renderedPicture = writtenFile.partial().extend({
  source: z.string(),
  variant: z.string().nullable().describe("Null for the variant of the options."),
  check: z.enum(["same", "different", "missing", "updated"]).optional(),
  reason: z.string().optional().describe("Why the check has this result."),
  problem: z.string().optional().describe("Why the file was rejected."),
});

const unused = z
  .array(z.string())
  .optional()
  .describe("With `--check`: names of the approved pictures that were not rendered.");

const pruned = z
  .array(z.string())
  .optional()
  .describe("With `--prune`: names of the approved pictures that were removed.");

export const renderOutput = z
  .union([writtenFile, z.strictObject({ pictures: z.array(renderedPicture), unused, pruned })])
  .describe("The file that was written; of a folder or several variants, every picture.");

export const signOutput = z
  .strictObject({
    address: z.string(),
    expires_at: z.int().min(0).nullable().describe("Seconds since 1970; null when it never expires."),
  })
  .describe("The signed address.");
