/** The output of `mutate` with `--json`, and of `eval --coverage json`. */
import * as z from "zod";
import { reasons } from "../../../engine/tokens/model.ts";
import { stepResults } from "../../../engine/tokens/rulesets/run.ts";
import { mutantKinds } from "../../../engine/tokens/suite/mutants/catalogue.ts";
import { suiteTokenStates } from "../../../engine/tokens/suite/suite-token.ts";
import { decision, jsonPointer, plainRequest, zoneId } from "./rules.ts";

const suiteToken = z.strictObject({
  placeholder: z.string().describe("The string in the headers to replace."),
  config: z.string().describe("The id of the token configuration."),
  kid: z.string(),
  alg: z.string(),
  state: z.enum(suiteTokenStates),
  claims: z.record(z.string(), z.unknown()).optional().describe("The claims of the token."),
});

const suiteRequest = z.strictObject({
  name: z.string(),
  request: plainRequest,
  tokens: z.array(suiteToken),
  expected: decision,
});

const mutant = {
  kind: z.enum(mutantKinds),
  rule: z.string().optional().describe("The id of the changed rule."),
  ruleset: z.string().optional().describe("The id of the ruleset of a changed custom rule."),
  operation: z.string().optional().describe("The id of the changed operation."),
  config: z.string().optional().describe("The id of the changed configuration."),
  pointer: jsonPointer,
  description: z.string(),
};

const results = z.strictObject({
  noticed: z.int().min(0),
  survived: z.int().min(0),
  equivalent: z.int().min(0),
  undecided: z.int().min(0),
});

export const mutateOutput = z
  .array(
    z.strictObject({
      zone: zoneId,
      score: z
        .number()
        .optional()
        .describe(
          "Share of noticed mutants among those that are not equivalent, undecided ones included, in percent; missing when no mutant was tested.",
        ),
      kinds: z.partialRecord(z.enum(mutantKinds), results).describe("Numbers of mutants by kind."),
      operations: z
        .strictObject({ all: z.int().min(0), missing: z.array(z.string()) })
        .describe("The number of operations, and the ids of those without a request."),
      notMutated: z
        .array(z.string())
        .describe("What no mutant changes; `npx edgeproof diff` compares two worlds."),
      undecided: z
        .array(z.string())
        .optional()
        .describe("Why the zone has no mutants; with --partial, what could change them."),
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
  .describe("The mutants of each zone, in the order of its rules, operations and configurations.");

const count = z.int().min(0);
const countsByReason = Object.fromEntries(reasons.map((reason) => [reason, count]));
const ratio = z.strictObject({ covered: count, total: count });

const atoms = z
  .array(z.strictObject({ text: z.string(), true: count, false: count }))
  .describe("The conditions of the expression, and how often each decided as true and as false.");

export const coverageOutput = z
  .array(
    z.strictObject({
      zone: zoneId,
      totals: z
        .strictObject({ rules: ratio, conditions: ratio, custom: ratio, reasons: ratio, operations: ratio })
        .describe(
          "Outcomes of rules, conditions and custom rules (two each), reasons (four a configuration), operations.",
        ),
      verdicts: count.describe("Number of verdicts."),
      rules: z.array(
        z.strictObject({
          id: z.string(),
          title: z.string().optional(),
          enabled: z.boolean(),
          fired: count,
          passed: count,
          shadowed: count,
          disabled: count,
          not_reached: count,
          atoms,
        }),
      ),
      custom: z
        .array(
          z.strictObject({
            ruleset: z.string(),
            id: z.string(),
            description: z.string().optional(),
            enabled: z.boolean(),
            atoms,
            ...Object.fromEntries(stepResults.map((result) => [result, count])),
          }),
        )
        .describe("The custom rules, and the number of verdicts with each result."),
      configs: z.array(
        z.strictObject({
          id: z.string(),
          title: z.string().optional().describe("For people."),
          isChecked: z.boolean().describe("Whether an enabled rule tests that its tokens are valid."),
          reasons: z.strictObject(countsByReason),
        }),
      ),
      operations: z.array(z.strictObject({ id: z.string(), verdicts: count })),
      missing: z.array(z.string()).describe("Everything that no request exercised, a sentence each."),
    }),
  )
  .describe("The coverage of each zone with token validation or custom rules.");
