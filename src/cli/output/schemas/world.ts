/** The output of `world` with `--json`. */
import * as z from "zod";
import { levels } from "../../../core/diagnostic.ts";
import { importRules } from "../../../import/import-rules.ts";
import { undecidedParts } from "../../../service/world/undecided.ts";
import { location } from "./report.ts";

const found = z.strictObject({
  rule: z.enum(Object.keys(importRules) as [keyof typeof importRules]),
  level: z.enum(levels),
  message: z.string(),
  pointer: z.string().optional().describe("RFC 6901 pointer into the value of the file."),
  at: location.describe(
    "Where it is. The pointer is that into the file, or the address of a Terraform resource.",
  ),
});

const undecided = found.extend({
  about: undecidedParts.element.shape.about,
  subject: z.strictObject({ zone: z.string() }).optional().describe("Absent when it concerns all zones."),
  run: z.string().describe("What to do about it."),
  effect: z
    .strictObject({
      hosts: z.array(z.string()).optional().describe("Absent for all hosts."),
      exceptOperations: z.array(z.string()).optional(),
    })
    .optional()
    .describe("The requests whose answers it could change; absent when it changes none."),
});

/** The outcome of each part of the input. */
export const importReport = z.strictObject({
  formats: z.array(z.strictObject({ file: z.string(), format: z.string() })),
  accepted: z.array(
    z.strictObject({
      kind: z.string(),
      pointer: z.string().describe("RFC 6901 pointer into the world."),
      at: location,
    }),
  ),
  dropped: z.array(found),
  derived: z.array(found),
  undecided: z.array(undecided),
  invalid: z.array(found),
});

/** The world file; absent when none was written. */
export const madeWorld = z
  .looseObject({})
  .optional()
  .describe("The world file; absent when it would be incomplete, without --partial.");

export const worldOutput = z
  .strictObject({ world: madeWorld, report: importReport })
  .describe("The world, and what became of each part of the files.");
