/** The output of `mutate` with `--json`. */
import { z } from "zod";
import { mutantKinds } from "../../../engine/tokens/suite/mutants/mutant.ts";
import { suiteTokenStates } from "../../../engine/tokens/suite/suite-token.ts";
import { action, jsonPointer, plainRequest, zoneId } from "./rules.ts";

const suiteToken = z.strictObject({
  placeholder: z.string().describe("The string in the headers to replace."),
  config: z.string().describe("The id of the token configuration."),
  kid: z.string(),
  alg: z.string(),
  state: z.enum(suiteTokenStates),
});

const suiteRequest = z.strictObject({
  name: z.string(),
  request: plainRequest,
  tokens: z.array(suiteToken),
  expected: z.strictObject({ action, rule: z.string().optional(), logged: z.array(z.string()) }),
});

const mutant = {
  kind: z.enum(mutantKinds),
  rule: z.string().describe("The id of the changed rule."),
  pointer: jsonPointer,
  description: z.string(),
};

export const mutateOutput = z
  .array(
    z.strictObject({
      zone: zoneId,
      score: z.number().describe("Share of noticed mutants among those that can be noticed, in percent."),
      mutants: z.array(
        z.discriminatedUnion("result", [
          z.strictObject({ ...mutant, result: z.literal("noticed"), request: z.int().min(0) }),
          z.strictObject({ ...mutant, result: z.literal("survived"), noticedBy: suiteRequest }),
          z.strictObject({ ...mutant, result: z.literal("equivalent") }),
          z.strictObject({ ...mutant, result: z.literal("undecided"), reason: z.string() }),
        ]),
      ),
    }),
  )
  .describe("The mutants of each zone, in the order of the rules.");
