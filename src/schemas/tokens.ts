/**
 * The schemas of token validation: one for each record, from which requests, responses and the world file derive.
 * The compiler keeps their types equal to the engine's model.
 */

import * as z from "zod";
import { expressionLimits } from "../engine/tokens/expression/grammar.ts";
import type { Operation, Selector, ShownKey } from "../engine/tokens/model.ts";
import { defaultTitle } from "../engine/tokens/name-with-title.ts";
import type { TokenConfigRecord, TokenRuleRecord } from "../store/records/tokens.ts";
import { envelopeMembers, pageQuery, timestamp } from "./envelope.ts";
import { formatOf, inWorld, member, notGiven, resource, shapeOf, worldSchemaOf } from "./member.ts";
import { aBoolean, aText, aUuid, oneOf, optional, optionalList } from "./parameters.ts";

const uuid = z.guid("a UUID");

/** Members that the store assigns to every record. */
const recorded = { created_at: timestamp, last_updated: timestamp };
const answers = ["created_at", "last_updated", "modified_by"];

const text = z.string();

/** Lengths and counts that the provider accepts (`observed`); with profile `spec` others are accepted with a note. */
export const tokenBounds = {
  title: { min: 1, max: 50 },
  description: { min: 0, max: 500 },
  token_sources: { min: 1, max: 4 },
} as const;

function boundedText({ min, max }: { readonly min: number; readonly max: number }) {
  return z.string().meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}

const title = boundedText(tokenBounds.title);
const description = boundedText(tokenBounds.description);
const assigned = { ...notGiven, decisive: false } as const;
const titles = {
  title: member("Display name.", title, { answer: text, world: text.default(defaultTitle), decisive: false }),
  description: member("A note for people.", description, {
    answer: text,
    world: text.default(""),
    decisive: false,
  }),
};

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

const secretKey = z.strictObject({
  alg: z.enum(["HS256", "HS384", "HS512"]),
  kty: z.literal("oct"),
  kid: z.string(),
});

/** A key as it is answered: exactly one of the formats, a shared secret without the secret. */
export const jwtKey = z
  .discriminatedUnion("alg", [rsaKey, ecKey("ES256", "P-256"), ecKey("ES384", "P-384"), secretKey])
  .meta({
    id: "JwtKey",
    description: "A public key, or a shared secret without its `k`. Numbers are base64url without padding.",
  }) satisfies z.ZodType<ShownKey>;

const k = z.string().meta({
  description: "The secret in base64url, at least 32, 48 or 64 bytes. Never answered.",
  writeOnly: true,
});

const storedKeys = z.array(jwtKey);

/** A key as it is given: the engine imports it, with a pointer for each problem of a member. */
const givenKey = z.unknown().meta({
  id: "GivenJwtKey",
  description:
    "A public key, or with profile `provider` a shared secret, as a JWK (RFC 7517). Numbers are base64url without padding; other members are dropped.",
  oneOf: jwtKey.options.map(({ shape }) =>
    formatOf(z.looseObject({ ...shape, ...(shape.kty.value === "oct" && { k }) })),
  ),
});

const givenKeys = z.array(givenKey);

// Token configurations

/** The type of tokens in a request. The service checks it, with its own message. */
const givenTokenType = z.string().meta({ enum: ["JWT"] });

const { min: minItems, max: maxItems } = tokenBounds.token_sources;
const givenSources = z.array(z.string()).meta({ minItems, maxItems });

/** Token configurations. */
export const configResource = resource(
  "zone",
  {
    id: member("A UUID.", uuid, assigned),
    ...titles,
    // The service compares the type of tokens and these members of keys without regard to case, so that `rs256` may be
    // stored (observed).
    token_type: member("The type of tokens.", givenTokenType, {
      answer: z.enum(["JWT"]),
      change: "none",
      world: givenTokenType.default("JWT"),
      decisive: false,
      spelled: { "": "upper" },
    }),
    token_sources: member(
      'Locations of the token, such as `http.request.headers["authorization"][0]`; the first that has one counts.',
      z.array(z.string()),
      { create: givenSources, change: givenSources },
    ),
    credentials: member("The keys of the issuer.", z.object({ keys: givenKeys }), {
      answer: z.strictObject({ keys: storedKeys }),
      change: "none",
      world: z.strictObject({ keys: givenKeys }),
      spelled: { "/keys/*/alg": "upper", "/keys/*/kty": ["RSA", "EC", "oct"], "/keys/*/crv": "upper" },
    }),
  },
  { ids: "uuid", answers, terraform: ["cloudflare_token_validation_config"] },
);

/** A configuration in responses. */
export const tokenConfig = z
  .strictObject({ ...shapeOf(configResource, "answer"), ...recorded })
  .meta({ id: "TokenConfig" }) satisfies z.ZodType<
  Omit<TokenConfigRecord, "scope" | "sequence" | "credentials"> & {
    readonly credentials: { readonly keys: readonly ShownKey[] };
  }
>;

/** Body of a request that creates a configuration. */
export const configCreate = z.object(shapeOf(configResource, "create"));

/** Body of a request that edits a configuration. */
export const configPatch = z.object(shapeOf(configResource, "change")).partial();

/** Body of a request that replaces the keys. */
export const credentialsPut = z.object({ keys: givenKeys });

/** The result of an edit. */
export const editedTokenConfig = z.strictObject({
  id: tokenConfig.shape.id,
  title: tokenConfig.shape.title,
  description: tokenConfig.shape.description,
  token_sources: tokenConfig.shape.token_sources,
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

const givenExpression = boundedText({ min: 1, max: expressionLimits.maxLength });

/** Token validation rules. */
export const ruleResource = resource(
  "zone",
  {
    id: member("A UUID.", uuid, { ...assigned, world: uuid.optional() }),
    ...titles,
    action: member("The action on a request that fails the expression.", z.enum(["log", "block"]), {
      spelled: { "": "lower" },
    }),
    enabled: member("Whether it is evaluated.", z.boolean(), { world: z.boolean().default(true) }),
    expression: member(
      'Such as `is_jwt_valid("<config id>")`. A request that fails it gets the action.',
      z.string(),
      { create: givenExpression, change: givenExpression },
    ),
    selector: member("The operations to which it applies.", givenSelector, {
      answer: selector,
      world: selector,
    }),
  },
  { ids: "uuid", answers, saved: ["position"], terraform: ["cloudflare_token_validation_rules"] },
);

/** A rule in responses. */
export const tokenRule = z
  .strictObject({
    ...shapeOf(ruleResource, "answer"),
    ...recorded,
    modified_by: z
      .string()
      .optional()
      .describe(
        "The name of the API token that changed it last; only with the setting `ruleAuthors` `shown`.",
      ),
  })
  .meta({ id: "TokenValidationRule" }) satisfies z.ZodType<Omit<TokenRuleRecord, "scope" | "position">>;

/** Body of a request that creates a rule. */
export const ruleCreate = z.object(shapeOf(ruleResource, "create"));

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
export const ruleQuery = {
  ...pageQuery,
  id: optional(aUuid, { aliases: ["rule_id"] }),
  action: optional(oneOf(...tokenRule.shape.action.options)),
  enabled: optional(aBoolean),
  host: optional(aText("a host"), { aliases: ["hostname"] }),
  token_configuration: optionalList(aUuid),
};

/** The result of a deletion. */
export const deletedById = z.strictObject({ id: z.string() });

// Operations

/** Operations of an API. */
export const operationResource = resource(
  "zone",
  {
    operation_id: member("1 to 64 characters.", z.string().min(1).max(64), assigned),
    method: member("Such as `GET`.", text, notGiven),
    host: member("Such as `api.example.com`.", text, notGiven),
    endpoint: member("Path template such as `/api/{var1}/users`.", text, notGiven),
  },
  {
    ids: "uuid",
    answers: ["last_updated", "features"],
    saved: ["id", "schemas"],
    terraform: ["cloudflare_api_shield_operation"],
  },
);

/** An operation in responses and in a world file. */
export const operation = inWorld(
  z.strictObject(shapeOf(operationResource, "answer")),
  operationResource,
).describe("An endpoint of the API behind the edge.") satisfies z.ZodType<Operation>;

/** Filters of a list of operations. */
export const operationQuery = {
  ...pageQuery,
  host: optionalList(aText("a host"), { description: "Any of these hosts, in any letter case." }),
  method: optionalList(aText("a method"), { description: "Any of these methods, in any letter case." }),
  endpoint: optional(aText("a string", { mayBeEmpty: true }), {
    description: "A part of the path template.",
  }),
};

/** Filters of the operations of a preview. */
export const previewQuery = {
  ...pageQuery,
  state: optionalList(oneOf("included", "excluded", "ignored"), { description: "Any of these states." }),
  host: operationQuery.host,
  hostname: optionalList(aText("a host"), { description: "The same as `host`." }),
  method: operationQuery.method,
  endpoint: optionalList(aText("a string"), { description: "A part of the path template: any of these." }),
};

/** The body of a preview: a selector, or a rule that has one. */
export const previewBody = z.union([givenSelector, rulePatch.extend({ selector: givenSelector })]);

const count = z.int().min(0);

/** The operations of a zone with the effect of a selector. */
export const rulePreview = z.strictObject({
  operations: z.array(
    z.strictObject({
      ...shapeOf(operationResource, "answer"),
      state: z.enum(["included", "excluded", "ignored"]),
    }),
  ),
  available_hosts: z.array(z.string()).describe("The hosts of all operations."),
  selected_hosts: z.array(z.string()).describe("The hosts of the operations that are included."),
  included: count,
  excluded: count,
  ignored: count,
  total: count.describe("All operations of the zone."),
});

// The world file

const worldConfig = worldSchemaOf(configResource).describe("A token configuration.");

const worldRule = worldSchemaOf(ruleResource).describe(
  "A token validation rule. The order in the list is the order of evaluation.",
);

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
