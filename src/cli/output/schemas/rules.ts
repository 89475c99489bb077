/** The output of `diff` and `eval` with `--json`. */
import * as z from "zod";
import { combinators } from "../../../engine/tokens/expression/tree.ts";
import { reasons } from "../../../engine/tokens/model.ts";
import { challengeKinds, customActionNames } from "../../../engine/tokens/rulesets/actions.ts";
import { stepResults } from "../../../engine/tokens/rulesets/run.ts";
import { outcomeNames, verdictActions } from "../../../engine/tokens/verdict/verdict.ts";
import { customEffect, namedDecision } from "../../input/requests/name-schemas.ts";

export const jsonPointer = z.string().describe("RFC 6901 pointer into the file.");
export const zoneId = z.string().describe("The zone's id.");
export const action = z.enum(verdictActions);

const header = z.tuple([z.string(), z.string()]);

export const plainRequest = z.strictObject({
  method: z.string(),
  url: z.string(),
  headers: z.array(header),
  ip: z.string().optional().describe("The address of the client, when custom rules read it."),
  httpVersion: z.string().optional(),
  body: z.string().optional(),
  challengePassed: z.boolean().optional().describe("Whether the client has passed a challenge."),
  fields: z.record(z.string(), z.unknown()).optional().describe("Values of fields of custom rules, by name."),
});

export const placeholderToken = z
  .strictObject({
    value: z.string().describe("The string in the headers to replace."),
    kid: z.string().describe("The `kid` of the key that must sign the token."),
    alg: z.string().describe("The `alg` of that key."),
    configs: z.array(z.string()).describe("The ids of the configurations that the token is valid for."),
    claims: z.record(z.string(), z.unknown()).optional().describe("The claims that the token must have."),
  })
  .describe("A placeholder in the headers for a valid token.");

export const tokenStates = z.record(z.string(), z.enum(["missing", "invalid", "valid"]));

const side = z.strictObject({
  action,
  rule: z.string().optional().describe("The id of the rule that decided."),
  custom: customEffect.optional().describe("What custom rules do beside the action."),
  operationId: z.string().optional(),
  tokens: tokenStates,
});

const difference = z.strictObject({
  request: plainRequest,
  placeholderTokens: z.array(placeholderToken),
  timeMs: z
    .number()
    .optional()
    .describe("The time of the evaluation, in milliseconds since 1970, when it matters."),
  left: side.describe("The treatment by the old world."),
  right: side.describe("The treatment by the new world."),
});

const undecidedParts = {
  onlyIn: z.string().optional().describe("The file that has the zone, when the other one does not."),
  undecided: z
    .array(z.string())
    .optional()
    .describe("Why there is no comparison; with --partial, what could change it."),
};

export const diffOutput = z
  .array(
    z.discriminatedUnion("result", [
      z.strictObject({ zone: zoneId, ...undecidedParts, result: z.literal("equivalent") }),
      z.strictObject({
        zone: zoneId,
        ...undecidedParts,
        result: z.literal("different"),
        differences: z.array(difference).min(1),
      }),
      z.strictObject({
        zone: zoneId,
        ...undecidedParts,
        result: z.literal("undecided"),
        reason: z.string(),
      }),
    ]),
  )
  .describe("The comparison of each zone of two worlds.");

const reason = z.enum(reasons);

const tokenTrace = z.strictObject({
  configId: z.string(),
  title: z.string().optional(),
  present: z.boolean(),
  source: z.string().optional(),
  reason: reason.optional().describe("Absent when no expression tests whether the token is valid."),
  detail: z.string().optional(),
  note: z.string().optional().describe("Something that is probably a mistake in a valid token."),
  kid: z.string().optional(),
  alg: z.string().optional(),
});

const span = z
  .strictObject({ start: z.int().min(0), end: z.int().min(0) })
  .describe("Place in the expression, in UTF-16 units, half-open.");

const leafTrace = z.strictObject({
  text: z.string(),
  span,
  value: z.boolean().optional().describe("Absent when it is unknown, or the leaf was not evaluated."),
  reason: z
    .enum([...reasons, "missing_value", "unknown_value", "short_circuit"])
    .optional()
    .describe(
      "`missing_value`: nothing to compare; `unknown_value`: the test did not say it; `short_circuit`: not evaluated, an earlier operand decided.",
    ),
  config: z.string().optional(),
  found: z.string().optional().describe("The compared value, or the reasons that there is none."),
});

const traceNode = z.union([
  leafTrace,
  z.strictObject({
    operator: z.enum([...combinators, "not"]),
    span,
    value: z.boolean().optional().describe("Absent when it is unknown, or no operand was evaluated."),
    reason: z.literal("unknown_value").optional(),
    get operands() {
      return z.array(traceNode);
    },
  }),
]);

const tracedExpression = {
  decidedBy: z
    .array(leafTrace.extend({ value: z.boolean() }))
    .describe("The parts that are sufficient for the value."),
  tree: traceNode.describe("All parts of the expression."),
};

const expressionTrace = z.strictObject({
  ruleId: z.string(),
  value: z.boolean().describe("The rule acts when it is false."),
  ...tracedExpression,
});

const decidingRule = { id: z.string(), title: z.string().optional(), action: z.enum(["log", "block"]) };

const customRule = {
  ruleset: z.string(),
  rule: z.string(),
  description: z.string().optional(),
  action: z.enum(customActionNames),
  logging: z.boolean().optional().describe("Of `skip`: whether its matches are recorded."),
};

const customVerdict = z.strictObject({
  action,
  kind: z.enum(customActionNames).optional().describe("Which challenge."),
  response: z
    .strictObject({
      status_code: z.number(),
      content: z.string().optional(),
      content_type: z.string().optional(),
    })
    .optional()
    .describe("Of a rule that blocks."),
  rule: z.strictObject(customRule).optional().describe("The custom rule that decided."),
  skipped: z.strictObject({
    phases: z.array(z.string()),
    products: z.array(z.string()),
    rulesets: z.array(z.string()).optional(),
    rules: z.array(z.string()).optional(),
  }),
  rules: z.array(z.strictObject({ ...customRule, result: z.enum(stepResults) })),
  expressions: z
    .array(
      z.strictObject({
        ruleset: z.string(),
        rule: z.string(),
        value: z.boolean().optional().describe("Absent when it is unknown."),
        ...tracedExpression,
      }),
    )
    .describe("The expressions that were evaluated and are not false."),
  needs: z.array(z.string()).describe("When undecided: the fields and lists to give."),
});

const verdict = z.strictObject({
  action,
  outcome: z.enum(outcomeNames),
  operation: z
    .strictObject({ operation_id: z.string(), method: z.string(), host: z.string(), endpoint: z.string() })
    .optional(),
  rule: z.strictObject(decidingRule).optional().describe("The rule that decided."),
  rules: z
    .array(
      z.strictObject({
        ...decidingRule,
        result: z.enum(["fired", "passed", "shadowed", "disabled", "not_reached"]),
      }),
    )
    .describe("Every covering rule, in order."),
  trace: z.strictObject({ tokens: z.array(tokenTrace), expressions: z.array(expressionTrace) }),
  claims: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe("The payloads of the tokens that were checked and are valid, by configuration id."),
  custom: customVerdict.optional().describe("Absent when there are no rulesets."),
});

/** The deciding part of a request. */
export const decision = z.strictObject({
  action,
  rule: z.string().optional(),
  logged: z.array(z.string()),
  custom: customEffect.optional(),
  outcome: z.enum(outcomeNames).optional(),
});

export const evalOutput = z
  .array(
    z.strictObject({
      name: z.string().optional(),
      method: z.string(),
      url: z.string(),
      expected: z.union([action, z.enum(challengeKinds), namedDecision]).optional(),
      outcome: z.literal("not_a_zone").optional().describe("No zone has the host; there is no verdict."),
      verdict: verdict.optional().describe("Absent when something undecided could change it."),
      undecided: z
        .array(z.string())
        .optional()
        .describe("Why the verdict is absent or undecided; with --partial, what could change it."),
      help: z.string().optional().describe("When `run` is right."),
      run: z
        .string()
        .optional()
        .describe(
          "The command that writes a generated suite again, when the verdict is not the expected one.",
        ),
    }),
  )
  .describe("The verdict on each request, in order.");
