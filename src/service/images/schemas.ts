/** The JSON bodies of image hosting. What a schema cannot say, the engine's checks do. */
import { z } from "zod";
import { fits, maxBoxSide, metadataModes } from "../../engine/images/render/variant.ts";

/** Variant options are judged by the engine, member by member; this describes them. */
const options = z.unknown().meta({
  type: "object",
  required: ["fit", "width", "height", "metadata"],
  properties: {
    fit: { enum: fits },
    width: { type: "integer", minimum: 1, maximum: maxBoxSide },
    height: { type: "integer", minimum: 1, maximum: maxBoxSide },
    metadata: { enum: metadataModes },
  },
  additionalProperties: false,
});

export const variantCreate = z.object({
  id: z.string(),
  options,
  neverRequireSignedURLs: z.boolean().optional(),
});

export const variantPatch = variantCreate.omit({ id: true });

export const imagePatch = z.object({
  creator: z.string().optional(),
  metadata: z.unknown().meta({ description: "Any JSON value." }).optional(),
  requireSignedURLs: z.boolean().optional(),
});
