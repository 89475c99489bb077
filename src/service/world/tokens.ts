/** A zone's token validation in a world file: operations, configurations and rules. */
import { z } from "zod";

const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "a UUID")
  .describe("A UUID.");

const operation = z
  .strictObject({
    operation_id: z.string().min(1).max(64),
    method: z.string().describe("Such as `GET`."),
    host: z.string().describe("Such as `api.example.com`."),
    endpoint: z.string().describe("Path template such as `/api/{var1}/users`."),
  })
  .describe("An endpoint of the API behind the edge.");

const config = z
  .strictObject({
    id: uuid,
    title: z.string().default("Untitled"),
    description: z.string().default(""),
    token_type: z.string().default("JWT"),
    token_sources: z.array(z.string()),
    credentials: z.strictObject({
      keys: z.array(z.unknown()).describe("JWT keys: RSA, ES256 or ES384, each with `kid` and `alg`."),
    }),
  })
  .describe("A token configuration.");

const rule = z
  .strictObject({
    id: uuid.optional(),
    title: z.string().default("Untitled"),
    description: z.string().default(""),
    action: z.enum(["log", "block"]),
    enabled: z.boolean().default(true),
    expression: z
      .string()
      .describe('Such as `is_jwt_valid("<config id>")`. A request that fails it gets the action.'),
    selector: z.strictObject({
      include: z.array(z.strictObject({ host: z.array(z.string()).optional() })).optional(),
      exclude: z.array(z.strictObject({ operation_ids: z.array(z.string()).optional() })).optional(),
    }),
  })
  .describe("A token validation rule. The order in the list is the order of evaluation.");

export const tokenValidationWorld = z
  .strictObject({
    operations: z
      .array(operation)
      .optional()
      .describe("Absent: each request is an operation of its own on its host. Empty: there are none."),
    configs: z.array(config).optional(),
    rules: z.array(rule).optional(),
  })
  .describe("Token validation of a zone.");

export type TokenValidationWorld = z.output<typeof tokenValidationWorld>;
