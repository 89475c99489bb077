/** The output of `world keys` with `--json`. */
import { z } from "zod";
import { type KeyRejection, keyRejections } from "../../../import/keys/rejected-key.ts";
import { jwtKey } from "../../../schemas/tokens.ts";

const remark = {
  pointer: z.string().describe("RFC 6901 pointer into the document of the issuer."),
  kid: z.string().optional(),
  message: z.string(),
};

export const keysOutput = z
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
