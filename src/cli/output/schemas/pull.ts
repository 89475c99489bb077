/** The output of `pull` with `--json`. */
import { z } from "zod";

export const pullOutput = z
  .strictObject({
    zone: z.strictObject({ id: z.string(), name: z.string() }),
    world: z.looseObject({}).describe("The world file."),
    report: z
      .looseObject({})
      .describe("What became of each part of the responses, as `world --json` has it."),
    skipped: z.array(
      z.strictObject({
        part: z.string(),
        reason: z.string(),
        isDecisive: z.boolean().describe("Whether answers about requests depend on it."),
      }),
    ),
  })
  .describe("A zone as a world, and what was not read.");
