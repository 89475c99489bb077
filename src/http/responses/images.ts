/** What image hosting takes in forms, and shows (`spec`, `observed`). */
import { z } from "zod";
import { fits, maxBoxSide, metadataModes } from "../../engine/images/render/variant.ts";
import { contentTypes } from "../../engine/images/sniff.ts";
import { anyJson, pageQuery, timestamp } from "../../schemas/envelope.ts";

export const image = z
  .strictObject({
    id: z.string(),
    filename: z.string().optional(),
    creator: z.string().optional(),
    meta: anyJson.optional(),
    uploaded: timestamp,
    requireSignedURLs: z.boolean(),
    variants: z.array(z.string()).meta({ description: "Delivery addresses, one for each variant." }),
    draft: z.literal(true).optional().meta({ description: "On an image whose upload has not happened yet." }),
  })
  .meta({ id: "Image" });

export const imageList = z.strictObject({ images: z.array(image) });
export const imageListFrom = z.strictObject({
  images: z.array(image),
  continuation_token: z.string().nullable().meta({ description: "Null on the last page." }),
});

const signingKey = z.strictObject({ name: z.string(), value: z.string() }).meta({ id: "SigningKey" });
export const keyList = z.strictObject({ keys: z.array(signingKey) });

export const stats = z.strictObject({
  count: z.strictObject({ allowed: z.int().min(0), current: z.int().min(0) }),
});

const side = z.int().min(1).max(maxBoxSide);
const variantMembers = {
  options: z
    .strictObject({ fit: z.enum(fits), width: side, height: side, metadata: z.enum(metadataModes) })
    .meta({ id: "VariantOptions" }),
  neverRequireSignedURLs: z.boolean(),
};
export const variant = z.strictObject({
  variant: z.strictObject({ id: z.string(), ...variantMembers }).meta({ id: "Variant" }),
});
export const variantList = z.strictObject({
  variants: z.record(z.string(), z.strictObject(variantMembers)),
});

export const nothing = z.strictObject({});
export const draft = z.strictObject({ id: z.string(), uploadURL: z.url() });

/** Types that an image can have, as it was uploaded and as it is delivered. */
export const imageTypes = Object.values(contentTypes);

const file = z.unknown().meta({ description: "The image.", contentMediaType: "application/octet-stream" });
const described = {
  id: z.string().optional().meta({ description: "The image's id; made up when there is none." }),
  creator: z.string().optional(),
  metadata: z.string().optional().meta({ description: "JSON of 1,024 bytes at the most." }),
  requireSignedURLs: z.enum(["true", "false"]).optional(),
};

export const uploadForm = z.object({
  file: file.optional(),
  url: z.string().optional().meta({ description: "Where the image is, instead of `file`." }),
  ...described,
});
export const draftForm = z.object({
  ...described,
  expiry: z.string().optional().meta({ description: "RFC 3339." }),
});
export const fillForm = z.object({ file });

export const listQuery = pageQuery.extend({
  creator: z.string().optional().meta({ description: "Empty: images without a creator." }),
});
export const listFromQuery = z.object({
  continuation_token: z.string().optional(),
  creator: z.string().optional().meta({ description: "Empty: images without a creator." }),
  per_page: z.int().min(1).max(1_000).optional(),
  sort_order: z.enum(["asc", "desc"]).optional(),
  meta: z.record(z.string(), z.string()).optional().meta({
    description: "Filters: `meta.<path>[<operator>]=<value>`, such as `meta.place.city[in]=Rome|Paris`.",
  }),
});
