/** The parts that a world made from incomplete input does not have. */
import * as z from "zod";

const effect = z
  .strictObject({
    hosts: z.array(z.string()).optional().describe("Hosts in lower case. Default: all hosts."),
    except_operations: z.array(z.string()).optional().describe("Ids of operations that it cannot change."),
  })
  .describe("The requests whose answers the part could change. Default: none.");

const place = z
  .strictObject({
    file: z.string(),
    line: z.int().min(1),
    column: z.int().min(1),
    pointer: z.string().optional().describe("RFC 6901 pointer into the file, or the address of a resource."),
  })
  .describe("Where the files end to decide it.");

const undecidedPart = z
  .strictObject({
    about: z
      .enum(["rule", "key", "host", "zone", "application", "images", "brand"])
      .describe("What is undecided: part of a zone, or of the images or the brand protection of an account."),
    zone: z.string().optional().describe("Id of the zone. Default: it concerns all zones."),
    message: z.string().describe("What is not known, in one sentence."),
    run: z.string().describe("What to do about it."),
    effect: effect.optional(),
    at: place.optional(),
  })
  .describe("A part that the world does not have because its input was incomplete.");

/** The member `undecided` of a world file. */
export const undecidedParts = z
  .array(undecidedPart)
  .describe(
    "What `npx edgeproof world from --partial` could not decide. Commands treat it as undecided: answers that it could change are no results.",
  );

/** A part that a world does not have because its input was incomplete. */
export type UndecidedPart = z.infer<typeof undecidedPart>;
