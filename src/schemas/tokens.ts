/**
 * The schemas of token validation: one for each record, from which requests, responses and the world file derive.
 * The compiler keeps their types equal to the engine's model.
 */

import { z } from "zod";
import type { JwtKey, Operation, Selector } from "../engine/tokens/model.ts";
import type { TokenConfigRecord, TokenRuleRecord } from "../store/records/tokens.ts";
import { envelopeMembers, pageQuery, timestamp } from "./envelope.ts";

const uuid = z.guid("a UUID").describe("A UUID.");

/** Members that the store assigns to every record. */
const recorded = { id: uuid, created_at: timestamp, last_updated: timestamp };

const title = z.string();
const description = z.string();

const tokenSources = z
  .array(z.string())
  .describe(
    'Locations of the token, such as `http.request.headers["authorization"][0]`; the first that has one counts.',
  );

// Keys

const rsaKey = z.strictObject({
  alg: z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]),
  kty: z.literal("RSA"),
  kid: z.string(),
  e: z.string(),
  n: z.string(),
});

function ecKey<A extends string, C extends string>(alg: A, crv: C) {
  const members = { kid: z.string(), x: z.string(), y: z.string() };
  return z.strictObject({ alg: z.literal(alg), crv: z.literal(crv), kty: z.literal("EC"), ...members });
}

/** A key as it is stored: exactly one of the three formats. */
export const jwtKey = z
  .discriminatedUnion("alg", [rsaKey, ecKey("ES256", "P-256"), ecKey("ES384", "P-384")])
  .meta({
    id: "JwtKey",
    description: "A public key. Numbers are base64url without padding.",
  }) satisfies z.ZodType<JwtKey>;

const storedKeys = z.array(jwtKey);

/** The JSON Schema of a key in a request: other members of the JWK are dropped. */
function givenKeyFormat(shape: Readonly<Record<string, z.ZodType>>): Record<string, unknown> {
  const { $schema, ...format } = z.toJSONSchema(z.looseObject(shape), { io: "input" });
  return format;
}

/** A key as it is given: the engine imports it, with a pointer for each problem of a member. */
const givenKey = z.unknown().meta({
  id: "GivenJwtKey",
  description:
    "A public key as a JWK (RFC 7517). Numbers are base64url without padding; other members are dropped.",
  oneOf: jwtKey.options.map(({ shape }) => givenKeyFormat(shape)),
});

const givenKeys = z.array(givenKey);

// Token configurations

/** A configuration in responses. */
export const tokenConfig = z
  .strictObject({
    ...recorded,
    credentials: z.strictObject({ keys: storedKeys }),
    title,
    description,
    token_sources: tokenSources,
    token_type: z.enum(["JWT"]),
  })
  .meta({ id: "TokenConfig" }) satisfies z.ZodType<Omit<TokenConfigRecord, "scope" | "sequence">>;

/** The type of tokens in a request. The service checks it, with its own message. */
const givenTokenType = z.string().meta({ enum: ["JWT"] });

/** Members that a request can set. */
const configFields = tokenConfig
  .pick({ title: true, description: true })
  .extend({ token_type: givenTokenType, token_sources: tokenSources });

/** Body of a request that creates a configuration. */
export const configCreate = configFields.extend({ credentials: z.object({ keys: givenKeys }) }).strip();

/** Body of a request that edits a configuration. */
export const configPatch = configFields.omit({ token_type: true }).partial().strip();

/** Body of a request that replaces the keys. */
export const credentialsPut = z.object({ keys: givenKeys });

/** The result of an edit. */
export const editedTokenConfig = tokenConfig.pick({
  id: true,
  title: true,
  description: true,
  token_sources: true,
});

/** The result of replacing the keys. */
export const replacedKeysResult = z.strictObject({ keys: storedKeys });

/** The response to replacing the keys, without an envelope around the result. */
export const replacedKeys = replacedKeysResult.extend(envelopeMembers);

// Token validation rules

const include = z.strictObject({ host: z.array(z.string()).optional() });
const exclude = z.strictObject({ operation_ids: z.array(z.string()).optional() });

const selector = z.strictObject({
  include: z.array(include).optional(),
  exclude: z.array(exclude).optional(),
}) satisfies z.ZodType<Selector>;

/** The selector of a request: unknown members are ignored, with a note. */
const givenSelector = z.object({
  include: z.array(include.strip()).optional(),
  exclude: z.array(exclude.strip()).optional(),
}) satisfies z.ZodType<Selector>;

/** A rule in responses. */
export const tokenRule = z
  .strictObject({
    ...recorded,
    action: z.enum(["log", "block"]),
    title,
    description,
    enabled: z.boolean(),
    expression: z
      .string()
      .describe('Such as `is_jwt_valid("<config id>")`. A request that fails it gets the action.'),
    selector,
  })
  .meta({ id: "TokenValidationRule" }) satisfies z.ZodType<Omit<TokenRuleRecord, "scope" | "position">>;

/** Members that a request can set. */
const ruleFields = tokenRule.pick({
  title: true,
  description: true,
  action: true,
  enabled: true,
  expression: true,
  selector: true,
});

/** Body of a request that creates a rule. */
export const ruleCreate = ruleFields.extend({ selector: givenSelector }).strip();

/** The engine checks positions; this describes them. */
const position = z.unknown().meta({
  description: "The new position: exactly one of the three.",
  type: "object",
  oneOf: [
    {
      required: ["index"],
      properties: { index: { type: "integer", description: "1 is the first position." } },
    },
    { required: ["before"], properties: { before: { type: "string", description: "The id of a rule." } } },
    { required: ["after"], properties: { after: { type: "string", description: "The id of a rule." } } },
  ],
});

/** Body of a request that edits a rule. */
export const rulePatch = ruleCreate.partial().extend({ position: position.optional() });

/** An element of a request that edits several rules. */
export const ruleBulkPatch = rulePatch.extend({ id: z.string() });

/** Filters of a list of rules. */
export const ruleQuery = pageQuery.extend({
  id: z.guid().optional(),
  rule_id: z.guid().optional(),
  action: tokenRule.shape.action.optional(),
  enabled: z.boolean().optional(),
  host: z.string().optional(),
  hostname: z.string().optional(),
  token_configuration: z.array(z.guid()).optional(),
});

/** The result of a deletion. */
export const deletedById = z.strictObject({ id: z.string() });

// Operations

/** An operation in responses and in a world file. */
export const operation = z
  .strictObject({
    operation_id: z.string().min(1).max(64),
    method: z.string().describe("Such as `GET`."),
    host: z.string().describe("Such as `api.example.com`."),
    endpoint: z.string().describe("Path template such as `/api/{var1}/users`."),
  })
  .describe("An endpoint of the API behind the edge.") satisfies z.ZodType<Operation>;

/** Filters of a list of operations. */
export const operationQuery = pageQuery.extend({
  host: z.array(z.string()).optional().describe("Any of these hosts, in any letter case."),
  method: z.array(z.string()).optional().describe("Any of these methods, in any letter case."),
  endpoint: z.string().optional().describe("A part of the path template."),
});

// The world file

const titleAndDescription = { title: title.default("Untitled"), description: description.default("") };

const worldConfig = configFields
  .extend({
    id: uuid,
    ...titleAndDescription,
    token_type: givenTokenType.default("JWT"),
    credentials: z.strictObject({ keys: givenKeys }),
  })
  .describe("A token configuration.");

const worldRule = ruleFields
  .extend({ id: uuid.optional(), ...titleAndDescription, enabled: z.boolean().default(true) })
  .describe("A token validation rule. The order in the list is the order of evaluation.");

/** Token validation of a zone in a world file. */
export const tokenValidationWorld = z
  .strictObject({
    operations: z
      .array(operation)
      .optional()
      .describe("Absent: each request is its own operation on its host. Empty: no request is an operation."),
    configs: z.array(worldConfig).optional(),
    rules: z.array(worldRule).optional(),
  })
  .describe("Token validation of a zone.");

/** Body of a request that creates a rule, decoded. */
export type RuleCreate = z.output<typeof ruleCreate>;

/** Body of a request that edits a rule, decoded. */
export type RulePatch = z.output<typeof rulePatch>;

/** Token validation of a zone in a world file, with defaults. */
export type TokenValidationWorld = z.output<typeof tokenValidationWorld>;
