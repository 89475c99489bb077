/** The output of `pull` with `--json`. */
import * as z from "zod";
import { importReport, madeWorld } from "./world.ts";

export const pullOutput = z
  .strictObject({
    zone: z.strictObject({ id: z.string(), name: z.string() }),
    world: madeWorld,
    report: importReport,
  })
  .describe("A zone as a world, and what became of each part of the responses.");
