/** The bodies of token validation requests. What a schema cannot say, the engine's checks do. */
import { z } from "zod";
import { algorithms } from "../../engine/tokens/jwt/keys/algorithms.ts";

/** JWT keys are judged by the engine, member by member, so that each fault has its own pointer; this describes them. */
const key = z.unknown().meta({
  description:
    "A public key as a JWK (RFC 7517). Numbers are base64url without padding; other members are dropped.",
  type: "object",
  required: ["kty"],
  properties: {
    kty: { enum: ["RSA", "EC"] },
    alg: { enum: Object.keys(algorithms) },
    kid: { type: "string" },
    n: { type: "string", description: "RSA: the modulus." },
    e: { type: "string", description: "RSA: the exponent." },
    crv: { enum: ["P-256", "P-384"] },
    x: { type: "string", description: "EC: the first coordinate." },
    y: { type: "string", description: "EC: the second coordinate." },
  },
});

const keys = z.array(key);

const tokenSources = z.array(z.string());

export const configCreate = z.object({
  title: z.string(),
  description: z.string(),
  token_type: z.string(),
  token_sources: tokenSources,
  credentials: z.object({ keys }),
});

export const configPatch = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  token_sources: tokenSources.optional(),
});

export const credentialsPut = z.object({ keys });

const action = z.enum(["log", "block"]);

const selector = z.object({
  include: z.array(z.object({ host: z.array(z.string()).optional() })).optional(),
  exclude: z.array(z.object({ operation_ids: z.array(z.string()).optional() })).optional(),
});

export const ruleCreate = z.object({
  title: z.string(),
  description: z.string(),
  action,
  enabled: z.boolean(),
  expression: z.string(),
  selector,
});

/** The position is judged by the engine; this describes it. */
const position = z.unknown().meta({
  description: "Where the rule goes: exactly one of the three.",
  type: "object",
  oneOf: [
    { required: ["index"], properties: { index: { type: "integer", description: "1 is the first place." } } },
    { required: ["before"], properties: { before: { type: "string", description: "The id of a rule." } } },
    { required: ["after"], properties: { after: { type: "string", description: "The id of a rule." } } },
  ],
});

export const rulePatch = ruleCreate.partial().extend({ position: position.optional() });

export const ruleBulkPatch = rulePatch.extend({ id: z.string() });

export type RulePatch = z.output<typeof rulePatch>;
export type RuleCreate = z.output<typeof ruleCreate>;
