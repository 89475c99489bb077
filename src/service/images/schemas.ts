/** The JSON bodies of image hosting. What a schema cannot say, the engine's checks do. */
import { z } from "zod";

export const variantCreate = z.object({
  id: z.string(),
  /** Judged by the engine, member by member: unknown ones are refused. */
  options: z.unknown(),
  neverRequireSignedURLs: z.boolean().optional(),
});

export const variantPatch = variantCreate.omit({ id: true });

export const imagePatch = z.object({
  creator: z.string().optional(),
  /** Any JSON value. */
  metadata: z.unknown().optional(),
  requireSignedURLs: z.boolean().optional(),
});
