/** The output of `match`, `variants` and `logo` with `--json`. */
import * as z from "zod";
import { levels } from "../../../core/diagnostic.ts";
import { matchModes } from "../../../engine/brand/model.ts";
import { maxEditDistance } from "../../../engine/brand/query.ts";
import { logoMatchKinds } from "../../../engine/logo/box.ts";
import { lookAlikeKinds } from "../../../testing/look-alikes.ts";

const techniques = z.enum(["exact", ...lookAlikeKinds, "other"]);

const score = z.number().min(0).max(1);

const matchLine = z
  .strictObject({
    domain: z.string().describe("The host name in what was given."),
    given: z.string().optional().describe("What was given, when `domain` is only a part of it."),
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

const tuneLine = z
  .strictObject({
    pattern: z.string(),
    names: z.int().min(0).describe("Names in the sample."),
    mode: z.enum([...matchModes, "recommended"]),
    maxEdits: z.int().min(0).max(maxEditDistance).optional(),
    confusables: z.boolean(),
    alarms: z.int().min(0).describe("Names that the setting finds."),
    alarmsPer10k: z.number().min(0),
    examples: z.array(z.string()),
  })
  .describe("One line of `--tune`: what one setting of a pattern finds in the sample.");

export const matchOutput = z.union([matchLine, tuneLine]);

export const variantLine = z
  .strictObject({
    domain: z.string().describe("With A-labels."),
    unicode: z.string().describe("The same name with decoded labels."),
    technique: z.enum(lookAlikeKinds),
    changes: z.int().min(1).describe("How often the technique was applied."),
    original: z.string().describe("The domain that it resembles, as given."),
  })
  .describe("One line: a look-alike and its technique.");

const box = z
  .strictObject({
    x: z.int().min(0),
    y: z.int().min(0),
    width: z.int().min(1),
    height: z.int().min(1),
  })
  .describe(
    "The place of the logo in pixels of the picture, from its top left corner; absent with the score 0.",
  );

export const logoOutput = z
  .array(
    z.strictObject({
      file: z.string().describe("The picture."),
      score,
      brand: z.string().describe("The file of the logo, or the folder of the brand's logos."),
      logo: z.string().describe("The file of the brand's logo that was found."),
      kind: z
        .enum(logoMatchKinds)
        .describe("`copy`: the whole picture is the logo; `dense`: a search of all places found it."),
      box: box.optional(),
      notes: z
        .array(
          z.strictObject({ rule: z.string(), level: z.enum(levels), code: z.int(), message: z.string() }),
        )
        .optional()
        .describe(
          "Remarks about the logo: that it is a plain shape, which cannot be distinguished from others.",
        ),
    }),
  )
  .describe("The pictures that match, best first: a picture for each logo or brand that it shows.");
