/** The output of `world keys` with `--json`. */
import * as z from "zod";
import { levels } from "../../../core/diagnostic.ts";
import { type KeyRule, keyRules } from "../../../import/keys/rejected-key.ts";
import { jwtKey } from "../../../schemas/tokens.ts";

const found = z.strictObject({
  rule: z.enum(Object.keys(keyRules) as [KeyRule]),
  level: z.enum(levels),
  message: z.string(),
  pointer: z.string().describe("RFC 6901 pointer into the document of the issuer."),
  subject: z.strictObject({ kid: z.string() }).optional(),
});

export const keysOutput = z
  .strictObject({
    keys: z.array(jwtKey).describe("Keys for `credentials.keys` of a configuration."),
    dropped: z.array(found),
    notes: z.array(found),
    source: z.string().describe("The file, or the address of the key set."),
    issuer: z.string().optional(),
  })
  .describe("The keys of an issuer.");
