/** What token validation shows (`spec`). */
import { z } from "zod";
import { envelopeMembers, pageQuery, timestamp } from "../../schemas/envelope.ts";

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

const jwtKey = z.union([rsaKey, ecKey("ES256", "P-256"), ecKey("ES384", "P-384")]).meta({
  id: "JwtKey",
  description: "A public key. Numbers are base64url without padding.",
});

const keys = z.array(jwtKey);
const uuid = z.guid();

const editable = { title: z.string(), description: z.string(), token_sources: z.array(z.string()) };

export const tokenConfig = z
  .strictObject({
    id: uuid,
    created_at: timestamp,
    last_updated: timestamp,
    credentials: z.strictObject({ keys }),
    ...editable,
    token_type: z.literal("JWT"),
  })
  .meta({ id: "TokenConfig" });

export const editedTokenConfig = z.strictObject({ id: uuid, ...editable });

export const deletedById = z.strictObject({ id: z.string() });

/** The answer with its own top level. */
export const replacedKeys = z.strictObject({ ...envelopeMembers, keys });

export const replacedKeysResult = z.strictObject({ keys });

const include = z.strictObject({ host: z.array(z.string()).optional() });
const exclude = z.strictObject({ operation_ids: z.array(z.string()).optional() });

export const tokenRule = z
  .strictObject({
    id: uuid,
    created_at: timestamp,
    last_updated: timestamp,
    action: z.enum(["log", "block"]),
    title: z.string(),
    description: z.string(),
    enabled: z.boolean(),
    expression: z.string(),
    selector: z.strictObject({
      include: z.array(include).optional(),
      exclude: z.array(exclude).optional(),
    }),
  })
  .meta({ id: "TokenValidationRule" });

export const ruleQuery = pageQuery.extend({
  id: z.guid().optional(),
  rule_id: z.guid().optional(),
  action: z.enum(["log", "block"]).optional(),
  enabled: z.boolean().optional(),
  host: z.string().optional(),
  hostname: z.string().optional(),
  token_configuration: z.array(z.guid()).optional(),
});
