/** The output of `world` with `--json`. */
import { z } from "zod";
import { position } from "./rules.ts";

const location = z.strictObject({
  file: z.string(),
  pointer: z.string().describe("RFC 6901 pointer into the file."),
  ...position,
  address: z.string().optional().describe("Address of the Terraform resource."),
});

const part = z.strictObject({ reason: z.string(), location });

const undecided = z.strictObject({
  subject: z.enum(["rule", "key", "host", "zone", "application"]),
  zone: z.string().optional().describe("Id of the zone; absent when it concerns all zones."),
  message: z.string(),
  run: z.string().describe("What to do about it."),
  location,
  effect: z
    .strictObject({
      hosts: z.array(z.string()).optional().describe("Absent for all hosts."),
      exceptOperations: z.array(z.string()).optional(),
    })
    .optional()
    .describe("The requests whose answers it could change; absent when it changes none."),
});

export const worldOutput = z
  .strictObject({
    world: z.looseObject({}).describe("The world file."),
    report: z.strictObject({
      formats: z.array(z.strictObject({ file: z.string(), format: z.string() })),
      accepted: z.array(
        z.strictObject({
          kind: z.string(),
          pointer: z.string().describe("RFC 6901 pointer into the world."),
          location,
        }),
      ),
      dropped: z.array(part),
      derived: z.array(part),
      undecided: z.array(undecided),
    }),
  })
  .describe("The world, and what became of each part of the files.");
