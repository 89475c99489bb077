/** The schemas of rulesets of custom rules and of the lists that their expressions name (`observed`). */

import * as z from "zod";
import { customActionNames } from "../engine/tokens/rulesets/actions.ts";
import { customPhase, rulesetKinds } from "../engine/tokens/rulesets/model.ts";
import { timestamp } from "./envelope.ts";
import { member, notGiven, resource, shapeOf, worldSchemaOf } from "./member.ts";
import { aBoolean, anInteger, aText, optional, withDefault } from "./parameters.ts";

/** Ids that a world may choose: shorter and more readable than the 32 hexadecimal digits of the service (`chosen`). */
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, `_` and `-`");

const text = z.string();
const forPeople = { ...notGiven, decisive: false } as const;

/** The engine checks actions and their parameters, with a pointer to each wrong member. */
const givenAction = z.string().meta({ enum: customActionNames });
const parameters = z.unknown().meta({
  type: "object",
  properties: {
    id: { type: "string", description: "Of `execute`: the id of the custom ruleset." },
    response: {
      type: "object",
      description: "Of `block`. Default: status 403.",
      required: ["status_code", "content", "content_type"],
      properties: {
        status_code: { type: "integer", minimum: 400, maximum: 499 },
        content: { type: "string", description: "At most 2,048 bytes." },
        content_type: { enum: ["text/html", "text/plain", "application/json", "text/xml"] },
      },
    },
    ruleset: { const: "current", description: "Of `skip`: the rest of this ruleset." },
    phase: {
      const: "current",
      description: "Of `skip` in a ruleset of a zone: the rest of the phase at this level.",
    },
    phases: { type: "array", items: { type: "string" }, description: "Of `skip`: later phases." },
    products: { type: "array", items: { type: "string" }, description: "Of `skip`: other products." },
    rulesets: { type: "array", items: { type: "string" }, description: "Of `skip`: ids of rulesets." },
    rules: { type: "object", description: "Of `skip`: ids of rules by the id of their ruleset." },
  },
});
const logging = z.unknown().meta({ type: "object", properties: { enabled: { type: "boolean" } } });
const rateLimit = z.unknown().meta({ type: "object" });

const notShown = { ...notGiven, answer: "none" } as const;

/** Custom rules. */
export const customRuleResource = resource(
  "zone",
  {
    id: member("Unique in its ruleset. Default in a world file: derived from `ref` or the position.", text, {
      ...notGiven,
      world: id.optional(),
      decisive: false,
    }),
    ref: member("A name that stays when the rule changes. Default: the id.", text, {
      ...notGiven,
      world: text.optional(),
      decisive: false,
    }),
    action: member("The action on a request for which the expression is true.", givenAction, notGiven),
    action_parameters: member("The parameters of the action.", parameters.optional(), notGiven),
    description: member("A note for people.", text, { ...forPeople, world: text.default("") }),
    enabled: member("Whether it is evaluated.", z.boolean(), {
      ...notGiven,
      world: z.boolean().default(true),
    }),
    expression: member("The condition, such as `ip.src in $office`.", text, {
      ...notGiven,
      world: text.optional(),
    }),
    logging: member("Of `skip`: whether the event is recorded.", logging.optional(), {
      ...notGiven,
      decisive: false,
    }),
    ratelimit: member("Of rate limits. Its expressions are checked.", rateLimit.optional(), {
      ...notGiven,
      decisive: false,
    }),
    exposed_credential_check: member(
      "Deprecated. The result of a rule with it is unknown.",
      z.unknown().optional(),
      notGiven,
    ),
    undecided: member("Why an import could not read the rule. Its result is unknown.", text.optional(), {
      ...notShown,
      imported: false,
    }),
  },
  { answers: ["version", "last_updated", "categories", "score_threshold"] },
);

const worldRule = worldSchemaOf(customRuleResource).describe(
  "A custom rule. The order in the list is the order of evaluation.",
);

/** Cursor and size of a page. */
function cursorQueryOf({ default: usual, max }: { readonly default: number; readonly max: number }) {
  return {
    cursor: optional(aText("a cursor of `result_info`"), {
      description: "That of `result_info.cursors.after` of the page before.",
    }),
    per_page: withDefault(anInteger({ min: 1, max }), usual),
  };
}

/** The pages of rulesets and of the items of lists (`observed`). */
export const rulesetPageQuery = cursorQueryOf({ default: 20, max: 50 });
export const itemPageQuery = cursorQueryOf({ default: 100, max: 500 });

/** A rule in responses. */
const customRule = z
  .strictObject({
    ...shapeOf(customRuleResource, "answer"),
    version: text,
    last_updated: timestamp,
  })
  .meta({ id: "CustomRule" });

/** Rulesets of custom rules. */
export const rulesetResource = resource(
  "zone",
  {
    id: member("Unique in its zone and account. Default in a world file: derived from the position.", text, {
      ...notGiven,
      world: id.optional(),
      decisive: false,
    }),
    name: member("Display name.", text, { ...forPeople, world: text.default("default") }),
    description: member("A note for people.", text, { ...forPeople, world: text.default("") }),
    kind: member(
      "`zone` is the entry point of a zone, `root` that of an account; `custom` is executed by one.",
      z.enum(rulesetKinds),
      notGiven,
    ),
    phase: member(`When its rules are evaluated; only those of \`${customPhase}\` are.`, text, notGiven),
    rules: member("In the order of evaluation.", z.array(customRule), {
      ...notGiven,
      world: z.array(worldRule).default([]),
    }),
  },
  {
    ids: "hex",
    answers: ["version", "last_updated", "shareable_entitlement_name"],
    saved: ["ruleset_id"],
    terraform: ["cloudflare_ruleset"],
  },
);

/** The kinds of lists of a world; those of redirects are not named by custom rules. */
const listKinds = ["ip", "hostname", "asn"] as const;

/** A ruleset in responses. */
export const ruleset = z
  .strictObject({ ...shapeOf(rulesetResource, "answer"), version: text, last_updated: timestamp })
  .meta({ id: "Ruleset" });

/** Members of a rule that a client sends back as it has read them: they are not stored. */
const readOnly = z.unknown().optional().describe("Not stored: the service has its own.");

/** In bodies; null is read as absent. */
const ruleDescription = text.max(500).nullish();
const rulesetName = text.min(1).max(255);
const rulesetDescription = text.max(500).nullish().describe("Null: none.");

/** A rule in the body of a change. */
const givenRule = z
  .object({
    id: text.nullish().describe("That of the rule in the ruleset. Absent for a new rule."),
    ref: text
      .min(1)
      .max(255)
      .nullish()
      .describe("Without an id, names the rule in the ruleset. Default: the id."),
    action: givenAction,
    action_parameters: parameters.optional(),
    description: ruleDescription,
    enabled: z.boolean().nullish().meta({ default: true }),
    expression: text,
    logging: logging.optional(),
    ratelimit: rateLimit.optional(),
    exposed_credential_check: z.unknown().optional(),
    version: readOnly,
    last_updated: readOnly,
    categories: readOnly,
  })
  .meta({ id: "GivenRule" });

/** A decoded rule. */
export type GivenRule = z.output<typeof givenRule>;

/** The service checks positions; this describes them. */
const position = z.unknown().meta({
  description: "The place of the rule among the others: exactly one of the three.",
  type: "object",
  oneOf: [
    { required: ["index"], properties: { index: { type: "integer", minimum: 1 } } },
    {
      required: ["before"],
      properties: { before: { type: "string", description: "The id of a rule; empty: all rules." } },
    },
    {
      required: ["after"],
      properties: { after: { type: "string", description: "The id of a rule; empty: all rules." } },
    },
  ],
});

/** The body that adds a rule. */
export const ruleAdd = givenRule.extend({ position: position.optional() }).meta({ id: "RulesetRuleAdd" });

/** The body that changes a rule: absent members stay, null removes one. */
export const ruleEdit = ruleAdd.partial().meta({ id: "RulesetRuleEdit" });

/** A decoded body. */
export type RuleEdit = z.output<typeof ruleEdit>;

const changedMembers = {
  name: rulesetName.optional(),
  description: rulesetDescription,
  id: readOnly,
  version: readOnly,
  last_updated: readOnly,
};

/** The body that changes a ruleset. */
export const rulesetPut = z
  .object({
    ...changedMembers,
    kind: text.optional().describe("Cannot be changed."),
    phase: text.optional().describe("Cannot be changed."),
    rules: z
      .array(givenRule)
      .nullish()
      .describe("All rules, in the order of evaluation. Absent: they stay as they are. Null: none."),
  })
  .meta({ id: "RulesetPut" });

/** The body that creates a ruleset. */
export const rulesetCreate = z
  .object({
    ...changedMembers,
    name: rulesetName,
    kind: text.describe("`custom`, or for an entry point `zone` of a zone and `root` of an account."),
    phase: text,
    rules: z.array(givenRule).nullish().describe("In the order of evaluation."),
  })
  .meta({ id: "RulesetCreate" });

/** A decoded body. */
export type RulesetPut = z.output<typeof rulesetPut>;

/** The query of a change. */
export const changeQuery = {
  dry_run: withDefault(aBoolean, false, {
    description: "Only check the request: nothing is stored, and a result is null.",
  }),
};

/** A ruleset of a list, without its rules. */
export const listedRuleset = ruleset.omit({ rules: true }).meta({ id: "ListedRuleset" });

/** Lists that expressions name as `$name`. */
export const listResource = resource(
  "account",
  {
    id: member("Default in a world file: derived from the name.", text, {
      ...notGiven,
      world: id.optional(),
      decisive: false,
    }),
    name: member("The name after `$`: lower-case letters, digits, `_` and `.`.", text, notGiven),
    kind: member("The type of the items.", z.enum(listKinds), notGiven),
    description: member("A note for people.", text, { ...forPeople, world: text.default("") }),
    items: member(
      "Addresses and networks; host names, which may start with `*.`; or numbers of autonomous systems.",
      z.array(z.union([z.string(), z.number()])),
      { ...notGiven, answer: "none" },
    ),
  },
  {
    ids: "hex",
    answers: ["num_items", "num_referencing_filters", "created_on", "modified_on"],
    terraform: ["cloudflare_list"],
  },
);

/** A list in responses. */
export const ruleList = z
  .strictObject({
    ...shapeOf(listResource, "answer"),
    num_items: z.int().min(0),
    created_on: timestamp,
    modified_on: timestamp,
  })
  .meta({ id: "RuleList" });

/** An item of a list in responses: one of the three members. */
export const ruleListItem = z
  .strictObject({
    id: text,
    ip: text.optional(),
    hostname: z.strictObject({ url_hostname: text }).optional(),
    asn: z.int().min(0).optional(),
    created_on: timestamp,
    modified_on: timestamp,
  })
  .meta({ id: "RuleListItem" });

/** The body that creates a list. */
export const listCreate = z
  .object({
    name: text.describe("Lower-case letters, digits, `_` and `.`."),
    kind: z.enum(listKinds),
    description: text.max(500).optional(),
  })
  .meta({ id: "RuleListCreate" });

/** The body that changes a list. */
export const listEdit = z.object({ description: text.max(500).optional() }).meta({ id: "RuleListEdit" });

/** The items of a body: each with the member of the kind of the list. */
export const listItems = z
  .array(
    z.object({
      ip: text.optional().describe("An address, or a network in CIDR notation."),
      hostname: z
        .object({
          url_hostname: text,
          exclude_exact_hostname: z
            .boolean()
            .optional()
            .describe(
              "Of a name that begins with `*.`: whether the name itself is not in the list. Default true.",
            ),
        })
        .optional(),
      asn: z.int().min(0).optional(),
      comment: text.optional().describe("Not stored."),
    }),
  )
  .min(1)
  .meta({ id: "RuleListItems" });

/** Decoded items. */
export type ListItemsBody = z.output<typeof listItems>;

/** The body that removes items. */
export const removedItems = z
  .object({ items: z.array(z.object({ id: text })).min(1) })
  .meta({ id: "RemovedRuleListItems" });

/** The result of a change of items. */
export const startedOperation = z.strictObject({ operation_id: text });

/** An operation; a change of items is complete when it is answered (`chosen`). */
export const listOperation = z.strictObject({
  id: text,
  status: z.literal("completed"),
  completed: timestamp,
});

/** The result of a deletion. */
export const deletedList = z.strictObject({ id: text });

/** The rulesets of a zone or an account in a world file. */
export const rulesetsWorld = z
  .array(worldSchemaOf(rulesetResource).describe("A ruleset."))
  .describe("Rulesets of custom rules: the entry point, and those that it executes.");

/** The lists of an account in a world file. */
export const listsWorld = z
  .array(worldSchemaOf(listResource).describe("A list."))
  .describe("The lists that custom rules name as `$name`. A list that is missing here is unknown.");

/** Rulesets of a world file, with defaults. */
export type RulesetsWorld = z.output<typeof rulesetsWorld>;

/** Lists of a world file, with defaults. */
export type ListsWorld = z.output<typeof listsWorld>;
