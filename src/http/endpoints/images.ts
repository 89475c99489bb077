/** Endpoints of image hosting: images, drafts, signing keys, variants. Delivery is in `images-delivery.ts`. */

import { bytes, enveloped, paged } from "../../schemas/envelope.ts";
import * as schemas from "../../schemas/images.ts";
import { type AddressParts, addressesOf, type ImageView } from "../../service/images/view.ts";
import type { ImageRecord, ImageVariantRecord, SigningKeyRecord } from "../../store/records/images.ts";
import { readForm } from "../requests/upload-form.ts";
import { imageHeaders } from "../responses/transform-answers.ts";
import { type Call, type Endpoint, endpoint, endpointsOf, uploadPath } from "./endpoint.ts";

const { get, post, put, patch, remove } = endpointsOf("images", "images");
const v1 = "/accounts/{account_id}/images/v1";
const v2 = "/accounts/{account_id}/images/v2";

/** An image as responses show it, with an address for each variant. */
function showImage(call: Call, { image, ...parts }: ImageView): schemas.ShownImage {
  const { id, creator, filename, uploaded, requireSignedURLs, draft } = image;
  return {
    id,
    ...(filename !== undefined && { filename }),
    ...(creator !== null && { creator }),
    ...("meta" in image && { meta: image.meta }),
    uploaded,
    requireSignedURLs,
    variants: addressesOf(call.deliveryBase, id, parts),
    ...(draft && { draft }),
  };
}

function showImages(call: Call, images: readonly ImageRecord[], { hash, variants }: AddressParts) {
  return images.map((image) => showImage(call, { image, hash, variants }));
}

function showKeys(keys: readonly SigningKeyRecord[]) {
  return { result: { keys: keys.map(({ id, value }) => ({ name: id, value })) } };
}

/** A variant without its id, which is its name in the list (`spec`). */
function showOptions({ options, neverRequireSignedURLs }: ImageVariantRecord) {
  return { options, neverRequireSignedURLs };
}

function showVariant(variant: ImageVariantRecord) {
  return { result: { variant: { id: variant.id, ...showOptions(variant) } } };
}

/** The multipart body. */
function form({ request, services }: Call) {
  return readForm(request, { fileBytes: services.limits.imageUploadBytes });
}

async function getBase({ services, params }: Call<"account_id" | "image_id">): Promise<Response> {
  const { bytes, contentType } = await services.images.base(params.account_id, params.image_id);
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: imageHeaders(bytes, contentType) });
}

async function listFrom(call: Call<"account_id", typeof schemas.imageTokenListQuery>) {
  const { query, params, services } = call;
  const { images, continuation_token, ...parts } = await services.images.listFrom(params.account_id, query);
  return { result: { images: showImages(call, images, parts), continuation_token } };
}

/** The address contains the secret: every client with it may upload, others learn nothing about the draft. */
async function fillDraft(call: Call<"account_hash" | "upload_token">) {
  const { account_hash, upload_token } = call.params;
  const { drafts } = call.services.images;
  await drafts.assertOpen(account_hash, upload_token);
  const view = await drafts.fill(account_hash, upload_token, await form(call), call.notes);
  return { result: showImage(call, view) };
}

export const imageEndpoints: readonly Endpoint[] = [
  get({
    id: "images.list",
    onBatchHosts: true,
    path: v1,
    summary: "List images by pages",
    query: schemas.imageListQuery,
    response: paged(schemas.imageListResult),
    handle: async (call) => {
      const { query, params, services } = call;
      const { images, info, ...parts } = await services.images.list(params.account_id, query);
      return { result: { images: showImages(call, images, parts) }, info };
    },
  }),
  post({
    id: "images.upload",
    onBatchHosts: true,
    path: v1,
    summary: "Upload an image",
    form: schemas.uploadForm,
    response: enveloped(schemas.image),
    handle: async (call) => {
      const { services, params, notes } = call;
      const view = await services.images.upload(params.account_id, await form(call), notes);
      return { result: showImage(call, view) };
    },
  }),
  get({
    id: "images.config.get",
    path: `${v1}/config`,
    summary: "Get the settings of image hosting",
    response: enveloped(schemas.imageConfig),
    handle: async ({ services, params }) => ({
      result: await services.images.config.get(params.account_id),
    }),
  }),
  patch({
    id: "images.config.edit",
    path: `${v1}/config`,
    summary: "Edit the settings of image hosting",
    request: schemas.imageConfigPatch,
    response: enveloped(schemas.imageConfig),
    handle: async (call) => ({
      result: await call.services.images.config.edit(call.params.account_id, await call.json()),
    }),
  }),
  endpoint({
    id: "images.batchToken",
    area: "images",
    method: "GET",
    path: `${v1}/batch_token`,
    summary: "Get a batch token",
    // The token can change images.
    permission: "images:write",
    response: enveloped(schemas.batchToken),
    handle: async ({ services, params }) => ({
      result: await services.images.batchTokens.create(params.account_id),
    }),
  }),
  get({
    id: "images.keys.list",
    path: `${v1}/keys`,
    summary: "List signing keys",
    response: enveloped(schemas.keyListResult),
    handle: async ({ services, params }) => showKeys(await services.images.keys.list(params.account_id)),
  }),
  put({
    id: "images.keys.put",
    path: `${v1}/keys/{signing_key_name}`,
    summary: "Create a signing key",
    response: enveloped(schemas.keyListResult),
    handle: async ({ services, params, notes }) =>
      showKeys(await services.images.keys.put(params.account_id, params.signing_key_name, notes)),
  }),
  remove({
    id: "images.keys.delete",
    path: `${v1}/keys/{signing_key_name}`,
    summary: "Delete a signing key",
    response: enveloped(schemas.keyListResult),
    handle: async ({ services, params }) =>
      showKeys(await services.images.keys.delete(params.account_id, params.signing_key_name)),
  }),
  get({
    id: "images.stats",
    path: `${v1}/stats`,
    summary: "Get the usage statistic",
    response: enveloped(schemas.statsResult),
    handle: async ({ services, params }) => {
      const { allowed, current } = await services.images.stats(params.account_id);
      return { result: { count: { allowed, current } } };
    },
  }),
  get({
    id: "images.variants.list",
    path: `${v1}/variants`,
    summary: "List variants",
    response: enveloped(schemas.variantListResult),
    handle: async ({ services, params }) => {
      const variants = await services.images.variants.list(params.account_id);
      const byId = Object.fromEntries(variants.map((variant) => [variant.id, showOptions(variant)]));
      return { result: { variants: byId } };
    },
  }),
  post({
    id: "images.variants.create",
    path: `${v1}/variants`,
    summary: "Create a variant",
    request: schemas.variantCreate,
    response: enveloped(schemas.variantResult),
    handle: async (call) => {
      const { services, params, notes } = call;
      return showVariant(await services.images.variants.create(params.account_id, await call.json(), notes));
    },
  }),
  get({
    id: "images.variants.get",
    path: `${v1}/variants/{variant_id}`,
    summary: "Get a variant",
    response: enveloped(schemas.variantResult),
    handle: async ({ services, params }) =>
      showVariant(await services.images.variants.get(params.account_id, params.variant_id)),
  }),
  patch({
    id: "images.variants.edit",
    path: `${v1}/variants/{variant_id}`,
    summary: "Edit a variant",
    request: schemas.variantPatch,
    response: enveloped(schemas.variantResult),
    handle: async (call) => {
      const { account_id, variant_id } = call.params;
      const body = await call.json();
      return showVariant(await call.services.images.variants.edit(account_id, variant_id, body, call.notes));
    },
  }),
  remove({
    id: "images.variants.delete",
    path: `${v1}/variants/{variant_id}`,
    summary: "Delete a variant",
    response: enveloped(schemas.deletedResult),
    handle: async ({ services, params }) => {
      await services.images.variants.delete(params.account_id, params.variant_id);
      return { result: {} };
    },
  }),
  get({
    id: "images.blob",
    path: `${v1}/{image_id+}/blob`,
    summary: "Get the base image",
    response: bytes(...schemas.imageTypes),
    handle: getBase,
  }),
  get({
    id: "images.get",
    onBatchHosts: true,
    path: `${v1}/{image_id+}`,
    summary: "Get an image's details",
    response: enveloped(schemas.image),
    handle: async (call) => {
      const { services, params } = call;
      return { result: showImage(call, await services.images.get(params.account_id, params.image_id)) };
    },
  }),
  patch({
    id: "images.edit",
    onBatchHosts: true,
    path: `${v1}/{image_id+}`,
    summary: "Edit an image",
    request: schemas.imagePatch,
    response: enveloped(schemas.image),
    handle: async (call) => {
      const { account_id, image_id } = call.params;
      const body = await call.json();
      return {
        result: showImage(call, await call.services.images.edit(account_id, image_id, body, call.notes)),
      };
    },
  }),
  remove({
    id: "images.delete",
    onBatchHosts: true,
    path: `${v1}/{image_id+}`,
    summary: "Delete an image",
    response: enveloped(schemas.deletedResult),
    handle: async ({ services, params }) => {
      await services.images.delete(params.account_id, params.image_id);
      return { result: {} };
    },
  }),
  get({
    id: "images.listFrom",
    onBatchHosts: true,
    path: v2,
    summary: "List images by continuation tokens, with metadata filters",
    query: schemas.imageTokenListQuery,
    response: enveloped(schemas.imageTokenListResult),
    handle: listFrom,
  }),
  post({
    id: "images.drafts.create",
    onBatchHosts: true,
    path: `${v2}/direct_upload`,
    summary: "Create a draft with an upload address",
    form: schemas.draftForm,
    isBodyOptional: true,
    response: enveloped(schemas.draftResult),
    handle: async (call) => {
      const { services, params, notes, publicBase } = call;
      const draft = await services.images.drafts.create(params.account_id, await form(call), notes);
      const uploadURL = `${publicBase}${uploadPath}/${draft.hash}/${draft.token}`;
      return { result: { id: draft.id, uploadURL } };
    },
  }),
  endpoint({
    id: "images.drafts.fill",
    area: "images",
    method: "POST",
    path: `${uploadPath}/{account_hash}/{upload_token}`,
    mount: "origin",
    crossOrigin: true,
    summary: "Upload the file of a draft, without credentials",
    form: schemas.draftUploadForm,
    response: enveloped(schemas.image),
    handle: fillDraft,
  }),
];
