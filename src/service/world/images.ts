/** An account's image hosting in a world file: what its addresses and signatures are made of, and its variants. */
import { z } from "zod";

const signingKey = z
  .strictObject({
    name: z.string().describe("1 to 20 letters, digits, `_` and `-`."),
    value: z.string().min(1).describe("The secret, as UTF-8 text."),
  })
  .describe("A signing key.");

const variant = z
  .strictObject({
    id: z.string().describe("1 to 99 letters, digits, `_` and `-`."),
    options: z
      .unknown()
      .describe("`fit`, `width`, `height` and `metadata`, all four, as the interface takes them."),
    neverRequireSignedURLs: z.boolean().optional(),
  })
  .describe("A variant.");

export const accountImagesWorld = z
  .strictObject({
    account_hash: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, `_` and `-`")
      .optional()
      .describe("The account's part of delivery addresses. By default made from its id."),
    allowed: z.int().min(0).optional().describe("Images that it may store. By default as the limits say."),
    signing_keys: z.array(signingKey).min(1).optional().describe("By default one, named `default`."),
    variants: z
      .array(variant)
      .optional()
      .describe("Beside the variant `public`, which is there when the list has none of that name."),
  })
  .describe("Image hosting of an account.");

export type AccountImagesWorld = z.output<typeof accountImagesWorld>;
