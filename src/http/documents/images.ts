/** Documents of image hosting. */
import { type EndpointDocument, exampleFile } from "./endpoint-document.ts";

const options = { fit: "cover", width: 200, height: 200, metadata: "none" };
const upload = [5409, 5411, 5413, 5415, 5443, 5453, 5454, 5455, 9422] as const;

export const imageDocuments = {
  "images.list": {
    description: "Lists images by pages, newest first. Drafts are not in it.",
    errors: [],
    example: { query: { page: "1", per_page: "100" } },
  },
  "images.upload": {
    description: "Stores an image of a file or of an address. Without an id it gets a new UUID.",
    errors: upload,
    example: { body: { file: exampleFile, id: "products/hat", metadata: '{"color":"blue"}' } },
  },
  "images.config.get": {
    description: "Returns the settings of image hosting.",
    errors: [],
    example: {},
  },
  "images.config.edit": {
    description:
      "Changes the settings that the body has. `browser_ttl` counts for public images whose variant has none; `preserve_content_credentials` has no effect.",
    errors: [],
    example: { body: { browser_ttl: 86_400 } },
  },
  "images.batchToken": {
    description:
      "Returns a token for the images of the account, valid for an hour at `/images/v1`, `/images/v1/{image_id}`, `/images/v2` and `/images/v2/direct_upload` of hosts whose name begins with `batch.`, and nowhere else.",
    errors: [],
    example: {},
  },
  "images.keys.list": { description: "Lists the signing keys with their values.", errors: [], example: {} },
  "images.keys.put": {
    description: "Creates a signing key with a random value. One that exists keeps its value.",
    errors: [5453],
    example: {},
  },
  "images.keys.delete": {
    description:
      "Deletes a signing key: addresses that it signed are rejected from then on. Deleting the last one creates a new `default`.",
    errors: [],
    example: {},
  },
  "images.stats": {
    description: "Returns the number of stored images and the number that is allowed.",
    errors: [],
    example: {},
  },
  "images.variants.list": { description: "Lists the variants, by name.", errors: [], example: {} },
  "images.variants.create": {
    description: "Creates a variant: how an image is rendered for delivery.",
    errors: [5409, 5453],
    example: { body: { id: "square", options } },
  },
  "images.variants.get": { description: "Returns a variant with its options.", errors: [5401], example: {} },
  "images.variants.edit": {
    description: "Replaces the options of a variant; deliveries follow at once.",
    errors: [5401],
    example: { body: { options: { ...options, width: 300 }, neverRequireSignedURLs: true } },
  },
  "images.variants.delete": {
    description: "Deletes a variant; its deliveries end at once.",
    errors: [5401],
    example: {},
  },
  "images.blob": {
    description: "Returns the bytes of the uploaded image; a very large one is encoded again.",
    errors: [],
    example: {},
  },
  "images.get": {
    description: "Returns the details of an image, with a delivery address for each variant.",
    errors: [],
    example: {},
  },
  "images.edit": {
    description:
      "Changes creator, metadata or `requireSignedURLs`; members that the body does not have stay.",
    errors: [5411],
    example: { body: { metadata: { color: "red" } } },
  },
  "images.delete": {
    description: "Deletes an image and its cached renderings.",
    errors: [],
    example: {},
  },
  "images.listFrom": {
    description: "Lists images from a continuation token on, also by their metadata. Drafts are not in it.",
    errors: [],
    example: { query: { per_page: "1000", sort_order: "desc", "meta.color[eq]": "blue" } },
  },
  "images.drafts.create": {
    description: "Creates a draft with an address to which a client without credentials may upload one file.",
    errors: [5409, 5411, 5415, 5453],
    example: { body: { requireSignedURLs: "false", expiry: "2026-01-01T01:00:00Z" } },
  },
  "images.drafts.fill": {
    description: "Uploads the file of a draft, once, until it expires.",
    errors: [5403, ...upload],
    example: { body: { file: exampleFile } },
  },
  "images.transform": {
    description:
      "Transforms the image at an address, by the options in the path: the zone is the one whose name the host equals or ends in. Errors are plain text; a zone that transforms nothing is a plain 404. With `onerror=redirect`, errors are a redirect to the source.",
    errors: [
      9401, 9402, 9403, 9404, 9406, 9407, 9408, 9412, 9413, 9419, 9420, 9421, 9504, 9505, 9509, 9510, 9516,
      9520, 9522,
    ],
    example: {},
  },
  "images.binding.transform": {
    description:
      "Transforms an image for the Images binding of a Worker, whose runtime sends this request: the image or a text, those to draw, and the operations in their order. Errors are plain text with the code in `cf-images-binding`.",
    errors: [9401, 9412, 9413, 9516, 9520, 9522, 9523, 9525],
    example: {
      body: {
        image: exampleFile,
        transforms: '[{"imageIndex":0,"width":12}]',
        output_format: "image/png",
      },
    },
  },
  "images.binding.info": {
    description: "Describes an image for the Images binding of a Worker. An SVG has a format only.",
    errors: [9412, 9413, 9516, 9520, 9523],
    example: { body: { image: exampleFile } },
  },
  "images.deliver": {
    description:
      "Delivers an image through a variant, in the best format that the client accepts. The path is the account's hash, the image's id and the variant, or a list of options such as `width=400,sharpen=3` where the account has flexible variants. Errors are plain text.",
    errors: [9401, 9404, 9412, 9413, 9422, 9425, 9429, 9516, 9520, 9522],
    example: {},
  },
} as const satisfies Readonly<Record<string, EndpointDocument>>;
