/** The output of `keys` and `keys check` with `--json`. */
import { z } from "zod";
import { type KeyCheck, keyChecks } from "../../../import/keys/compare-keys.ts";
import { type KeyRejection, keyRejections } from "../../../import/keys/rejected-key.ts";
import { jwtKey } from "../../../schemas/tokens.ts";
import { position } from "./rules.ts";

const remark = {
  pointer: z.string().describe("RFC 6901 pointer into the document of the issuer."),
  kid: z.string().optional(),
  message: z.string(),
};

const issuerKeys = z
  .strictObject({
    keys: z.array(jwtKey).describe("Keys for `credentials.keys` of a configuration."),
    dropped: z.array(
      z.strictObject({ ...remark, reason: z.enum(Object.keys(keyRejections) as [KeyRejection]) }),
    ),
    notes: z.array(z.strictObject(remark)),
    source: z.string().describe("The file, or the address of the key set."),
    issuer: z.string().optional(),
  })
  .describe("The keys of an issuer.");

const keyFindings = z
  .array(
    z.strictObject({
      zone: z.string().describe("The zone's id."),
      config: z.string().describe("The configuration's id."),
      check: z.enum(Object.keys(keyChecks) as [KeyCheck]),
      severity: z.enum(["error", "warning"]),
      message: z.string(),
      fix: z.string(),
      pointer: z.string().describe("RFC 6901 pointer into the world file."),
      kid: z.string().optional(),
      alg: z.string().optional(),
      ...position,
    }),
  )
  .describe("`keys check`: the differences between a configuration and its issuer.");

export const keysOutput = z.union([issuerKeys, keyFindings]);
