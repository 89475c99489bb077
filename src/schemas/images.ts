/**
 * Schemas of image hosting, one for each record: requests, responses and the world file derive from it (`spec`,
 * `observed`).
 */
import * as z from "zod";
import { maxCreatorLength, maxImageIdLength, maxKeyNameLength } from "../engine/images/ids.ts";
import { isFilterName } from "../engine/images/metadata/filter-name.ts";
import { maxMetadataBytes } from "../engine/images/metadata/metadata.ts";
import {
  type CompleteVariantOptions,
  maxVariantIdLength,
  variantOptions as options,
  type StoredVariantOptions,
  type VariantOptions,
} from "../engine/images/render/variant.ts";
import { contentTypes, renditionTypes } from "../engine/images/sniff.ts";
import { defaultImageConfig, type ImageConfig, type ImageVariantRecord } from "../store/records/images.ts";
import { anyJson, bytesOrJson, pageQuery, timestamp } from "./envelope.ts";
import {
  inWorld,
  member,
  notCreated,
  notGiven,
  pictureMembers,
  resource,
  shapeOf,
  worldSchemaOf,
} from "./member.ts";
import { anInteger, aText, oneOf, optional, pairs, withDefault } from "./parameters.ts";

/** Maximum and default number of images on a page of the v1 list (`spec`; the default is `observed`). */
export const maxImagesPerPage = 100;
/** Maximum and default number of images on a page of the v2 list (`spec`; the default is `observed`). */
export const maxImagesPerTokenPage = 1_000;

/** Media types of uploaded images. */
export const imageTypes = Object.values(contentTypes);

const count = z.int().min(0);

const pixelSize = { width: z.int().min(1), height: z.int().min(1) };

/** An image that options describe or render: the option `format=json` asks for a description. */
export const transformedImage = bytesOrJson(
  z
    .strictObject({
      ...pixelSize,
      original: z.strictObject({
        file_size: count.meta({ description: "Bytes." }),
        ...pixelSize,
        format: z.string().meta({ description: "Media type." }),
      }),
    })
    .meta({ id: "ImageDescription" }),
  renditionTypes,
);

// Variants

/** @param required whether an option must be there */
function optionsSchema(required: (name: string, stored: "required" | "optional") => boolean) {
  const members = Object.entries(options).map(([name, { kind, stored }]) => {
    const value =
      "values" in kind
        ? z.enum(kind.values)
        : (kind.isInteger ? z.int() : z.number()).min(kind.min).max(kind.max);
    return [name, required(name, stored) ? value : z.exactOptional(value)];
  });
  return z.strictObject(Object.fromEntries(members));
}

export const variantOptions = optionsSchema((_, stored) => stored === "required").meta({
  id: "VariantOptions",
}) as unknown as z.ZodType<CompleteVariantOptions>;

/** Options as they are stored: one side may be missing where one is enough. */
const storedOptions = optionsSchema((name) => name === "fit" || name === "metadata").meta({
  id: "StoredVariantOptions",
}) as unknown as z.ZodType<StoredVariantOptions>;

const partialOptions = optionsSchema(() => false) as unknown as z.ZodType<VariantOptions>;

/** Image variants. */
export const variantResource = resource(
  "account",
  {
    id: member(`1 to ${maxVariantIdLength} letters, digits, \`_\` and \`-\`.`, z.string(), {
      create: z.string().meta({ pattern: `^[A-Za-z0-9_-]{1,${maxVariantIdLength}}$` }),
      change: "none",
    }),
    options: member("How an image is rendered.", variantOptions, {
      answer: storedOptions,
      world: storedOptions,
    }),
    neverRequireSignedURLs: member("Whether it is delivered without a signature.", z.boolean().optional(), {
      answer: z.boolean(),
      usual: false,
      also: ["never_require_signed_urls"],
    }),
  },
  { isById: true, saved: ["variant"], terraform: ["cloudflare_image_variant"] },
);

const variant = z
  .strictObject(shapeOf(variantResource, "answer"))
  .meta({ id: "Variant" }) satisfies z.ZodType<Omit<ImageVariantRecord, "scope" | "sequence" | "revision">>;

export const variantCreate = z.object(shapeOf(variantResource, "create"));
export const variantPatch = z.object(shapeOf(variantResource, "change"));
/** The bodies where one side is enough. */
export const partialVariantCreate = variantCreate.extend({ options: partialOptions });
export const partialVariantPatch = variantPatch.extend({ options: partialOptions });
export const variantResult = z.strictObject({ variant });
export const variantListResult = z.strictObject({
  variants: z.record(z.string(), variant.omit({ id: true })),
});

// Settings of an account

const { min: minTtl, max: maxTtl } = options.browser_ttl.kind;
const browserTtl = z.int().min(minTtl).max(maxTtl);

/** Settings of image hosting. */
export const imageConfigResource = resource("account", {
  flexible_variants: member(
    "Whether delivery addresses can end in a list of options instead of a variant.",
    z.boolean().optional(),
    { ...notCreated, answer: z.boolean(), usual: defaultImageConfig.flexible_variants },
  ),
  browser_ttl: member(
    "Time that a browser may keep a public image whose variant does not say, in seconds.",
    browserTtl.optional(),
    { ...notCreated, answer: browserTtl, usual: defaultImageConfig.browser_ttl },
  ),
  preserve_content_credentials: member(
    "Whether content credentials stay in images; without effect.",
    z.boolean().optional(),
    { ...notCreated, answer: z.boolean(), usual: defaultImageConfig.preserve_content_credentials },
  ),
});

export const imageConfig = z
  .strictObject(shapeOf(imageConfigResource, "answer"))
  .meta({ id: "ImagesConfig" }) satisfies z.ZodType<ImageConfig>;
export const imageConfigPatch = z.strictObject(shapeOf(imageConfigResource, "change"));

export const batchToken = z
  .strictObject({
    token: z.string().meta({ description: "The token after `Bearer`." }),
    expiresAt: timestamp,
  })
  .meta({ id: "BatchToken" });

// Signing keys

/** Keys that sign delivery addresses. */
export const signingKeyResource = resource("account", {
  name: member(`1 to ${maxKeyNameLength} letters, digits, \`_\` and \`-\`.`, z.string(), notGiven),
  value: member("The secret, as UTF-8 text.", z.string().min(1), notGiven),
});

const signingKey = inWorld(
  z.strictObject(shapeOf(signingKeyResource, "answer")).meta({ id: "SigningKey" }),
  signingKeyResource,
);

export const keyListResult = z.strictObject({ keys: z.array(signingKey) });

// Images

const givenCreator = z.string().optional().meta({ maxLength: maxCreatorLength });

/** Uploaded images. */
export const imageResource = resource(
  "account",
  {
    id: member("The image's id; a new UUID when none is given.", z.string().optional(), {
      create: z.string().optional().meta({ minLength: 1, maxLength: maxImageIdLength }),
      answer: z.string(),
      change: "none",
    }),
    filename: member("Name of the uploaded file.", z.string().optional(), notGiven),
    creator: member("Who uploaded it; any string.", z.string().optional(), {
      create: givenCreator,
      change: givenCreator,
    }),
    metadata: member(`Any JSON value of at most ${maxMetadataBytes} bytes as JSON.`, anyJson.optional(), {
      create: z.string().optional(),
      also: ["meta"],
    }),
    requireSignedURLs: member("Whether its deliveries need a signature.", z.boolean().optional(), {
      answer: z.boolean(),
      create: z.enum(["true", "false"]).optional(),
      usual: false,
    }),
    ...pictureMembers,
  },
  { answers: ["uploaded", "variants"] },
);

const { metadata: meta, requireSignedURLs, ...shown } = shapeOf(imageResource, "answer");

export const image = z
  .strictObject({
    ...shown,
    meta,
    uploaded: timestamp,
    requireSignedURLs,
    variants: z.array(z.string()).meta({ description: "Delivery addresses, one for each variant." }),
    draft: z.literal(true).optional().meta({ description: "On an image that has not been uploaded yet." }),
  })
  .meta({ id: "Image" });

/** An image as responses show it. */
export type ShownImage = z.output<typeof image>;

export const imageListResult = z.strictObject({ images: z.array(image) });
export const imageTokenListResult = z.strictObject({
  images: z.array(image),
  continuation_token: z.string().nullable().meta({ description: "Null on the last page." }),
});
export const statsResult = z.strictObject({ count: z.strictObject({ allowed: count, current: count }) });
export const draftResult = z.strictObject({ id: z.string(), uploadURL: z.url() });
export const deletedResult = z.strictObject({});

export const imagePatch = z.object(shapeOf(imageResource, "change"));

/** A file of a form; `format` is what generators of clients read. */
const file = z.unknown().meta({
  type: "string",
  format: "binary",
  contentMediaType: "application/octet-stream",
  description: "The image.",
});
const formFields = shapeOf(imageResource, "create");

export const uploadForm = z.object({
  file: file.optional(),
  url: z.string().optional().meta({ description: "Address of the image, instead of `file`." }),
  ...formFields,
});
export const draftForm = z.object({
  ...formFields,
  expiry: z.string().optional().meta({ description: "RFC 3339." }),
});
export const draftUploadForm = z.object({ file });

const partText = z.string().optional();

/** The forms of the Images binding. */
export const bindingForms = {
  info: z.object({ image: file }),
  transform: z.object({
    image: file.optional(),
    text_input: partText.meta({ description: "JSON of a text, instead of `image`." }),
    draw_image: z.array(file).optional(),
    draw_text: z.array(z.string()).optional(),
    transforms: z.string().meta({
      description:
        "JSON array: options with `imageIndex`, or a placement with `drawImageIndex` and `targetImageIndex`. Index 0 is the image, those to draw follow in the order of their parts.",
    }),
    output_format: z.string(),
    output_quality: partText,
    background: partText,
    anim: partText,
  }),
} as const;

/** The description of an image by the Images binding; an SVG has a format only. */
export const bindingInfo = z
  .strictObject({
    format: z.string().meta({ description: "Media type." }),
    file_size: count.meta({ description: "Bytes." }).optional(),
    width: pixelSize.width.optional(),
    height: pixelSize.height.optional(),
  })
  .meta({ id: "BindingImageInfo" });

const anyText = aText("a string", { mayBeEmpty: true });
const creatorFilter = optional(anyText, { description: "Empty: images without a creator." });
const pageSizeOf = (max: number) => withDefault(anInteger({ min: 1, max }), max);

export const imageListQuery = {
  ...pageQuery,
  per_page: pageSizeOf(maxImagesPerPage),
  creator: creatorFilter,
};

export const imageTokenListQuery = {
  // Client libraries send a null token as an empty string.
  continuation_token: optional(anyText),
  creator: creatorFilter,
  per_page: pageSizeOf(maxImagesPerTokenPage),
  sort_order: withDefault(oneOf("asc", "desc"), "desc"),
  meta: pairs(isFilterName, {
    type: "object",
    propertyNames: { type: "string", pattern: "^meta\\." },
    additionalProperties: { type: "string" },
    description:
      "Filters by metadata. The name of a member is the query parameter `meta.<path>[<operator>]`, such as `meta.place.city[in]` with the value `Rome|Paris`.",
  }),
};

// World file

const worldImage = worldSchemaOf(imageResource).describe("An uploaded image: PNG, JPEG, GIF, WebP or SVG.");

export const accountImagesWorld = z
  .strictObject({
    account_hash: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, `_` and `-`")
      .optional()
      .describe("The account's part of delivery addresses. Default: derived from its id."),
    allowed: count.optional().describe("Maximum number of images. Default: the limit `imagesPerAccount`."),
    config: worldSchemaOf(imageConfigResource)
      .optional()
      .describe("Settings; the members that it does not have are those of a new account."),
    signing_keys: z.array(signingKey).min(1).optional().describe("Default: one, named `default`."),
    variants: z
      .array(worldSchemaOf(variantResource))
      .optional()
      .describe("In addition to the variant `public`, unless the list has one of that name."),
    images: z.array(worldImage).optional().describe("Uploaded images."),
  })
  .describe("Image hosting of an account.");

/** Image hosting of an account in a world file, parsed. */
export type AccountImagesWorld = z.output<typeof accountImagesWorld>;
