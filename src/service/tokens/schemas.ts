/** The bodies of token validation requests. What a schema cannot say, the engine's checks do. */
import { z } from "zod";

/** JWT keys are judged by the engine, member by member, so that each fault has its own pointer. */
const keys = z.array(z.unknown());

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

/** The position is judged by the engine. */
export const rulePatch = ruleCreate.partial().extend({ position: z.unknown().optional() });

export const ruleBulkPatch = rulePatch.extend({ id: z.string() });

export type RulePatch = z.output<typeof rulePatch>;
export type RuleCreate = z.output<typeof ruleCreate>;
