/** The schemas of names of rules, rulesets and configurations in files of requests, and of decisions with them. */

import * as z from "zod";
import { customActionNames } from "../../../engine/tokens/rulesets/actions.ts";
import { contentTypes } from "../../../engine/tokens/rulesets/input/parameters.ts";
import { rulesetKinds } from "../../../engine/tokens/rulesets/model.ts";
import { outcomeNames } from "../../../engine/tokens/verdict/verdict.ts";

const string = z.string().optional();
const position = z.int().min(1).optional().describe("Position, from 1.");

/** An id, or an object with at least one of the members of a name. */
function idOr<S extends z.ZodRawShape>(shape: S, what: string) {
  const name = z.strictObject(shape).refine((given) => Object.keys(given).length > 0, {
    message: `at least one of ${Object.keys(shape)
      .map((member) => `\`${member}\``)
      .join(", ")}`,
  });
  return z.union([z.string(), name]).describe(what);
}

const rulesetName = idOr(
  { kind: z.enum(rulesetKinds).optional(), name: string },
  "A ruleset: its id, or the members that no other one has.",
);

/** A rule: its id, or a name. */
export const ruleName = idOr(
  {
    title: string,
    hosts: z.array(z.string()).min(1).optional(),
    ref: string,
    description: string,
    ruleset: rulesetName.optional(),
    position,
  },
  "A rule: its id, or the members that no other one has. Of token rules `title`, `hosts` (all that it includes) and `position`; of custom rules `ref`, `description`, and `position` with `ruleset`.",
);

/** A token configuration: its id, or a name. */
export const configName = idOr(
  { title: string, kid: string, position },
  "A token configuration: its id, or the members that no other one has.",
);

const names = z.array(z.string()).optional();
const rules = z.array(ruleName).optional();

/** The effect of custom rules beside the action, with ids. */
export const customEffect = effectOf(z.array(z.string()).optional(), z.array(z.string()).optional());

/** The schema of an effect of custom rules. */
function effectOf<R extends z.ZodType, S extends z.ZodType>(ofRules: R, ofRulesets: S) {
  return z
    .strictObject({
      kind: z.enum(customActionNames).optional().describe("Which challenge."),
      response: z
        .strictObject({ status_code: z.number(), content: z.string(), content_type: z.enum(contentTypes) })
        .optional()
        .describe("The response that a rule which blocks states."),
      skipped: z
        .strictObject({ phases: names, products: names, rulesets: ofRulesets, rules: ofRules })
        .optional()
        .describe(
          "What `skip` leaves out of later phases; the id of a rule is that of its ruleset, a slash and its own.",
        ),
      logged: ofRules.describe("The rules that are recorded."),
      undecided: ofRules.describe("The rules that may act or not."),
    })
    .describe("What custom rules do beside the action; without it, any effect is expected.");
}

/** The actions that a request can expect. */
export const actions = ["allow", "log", "block", "challenge"] as const;

/** An expected decision. */
export const namedDecision = z
  .strictObject({
    action: z.enum(actions),
    rule: ruleName.optional().describe("The rule that decided; without it none may have."),
    logged: z.array(ruleName).default([]).describe("The token rules with `log` that fired, in order."),
    custom: effectOf(rules, z.array(rulesetName).optional()).optional(),
    outcome: z
      .enum(outcomeNames)
      .optional()
      .describe("Reason for the action. It must be stated when no rule is evaluated."),
  })
  .describe("The whole decision.");
