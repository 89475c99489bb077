/** The data of the screen Pictures. */
import type { Edge } from "../../edge.ts";
import type { VariantOptions } from "../../engine/images/render/variant.ts";
import { checkVariantOptions, optionNames, readOption } from "../../engine/images/render/variant.ts";
import { signAddress } from "../../engine/images/signing.ts";
import { ApiError, quote } from "../../errors.ts";
import { deliveryPath } from "../../http/endpoints/endpoint.ts";
import {
  anInteger,
  aText,
  optional,
  type Parameter,
  type QueryOf,
  withDefault,
} from "../../schemas/parameters.ts";
import type { ImageRecord, ImageVariantRecord } from "../../store/records/images.ts";
import { readBytes } from "../guard/request-body.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { ImagesView, SignedAddress, StoredImageView, VariantView } from "../image-messages.ts";
import { anId, type DataCall, type DataEndpoints, reads } from "./data-endpoint.ts";
import { objectBody, stringField } from "./fields.ts";
import { pictureResponse } from "./picture-response.ts";

/** More than any limit on uploads that makes sense: the limit itself is checked by the service. */
const maxFileBytes = 64 * 1024 * 1024;

/** @param deliveryBase what addresses begin with; default: the path of delivery */
export function imageEndpoints(deliveryBase: string = deliveryPath): DataEndpoints {
  return {
    images: reads(ofList, listImages),
    "images/original": reads(ofOriginal, readOriginal),
    "images/validate": { method: "POST", isBinary: true, handle: validate },
    "images/render": { method: "POST", isBinary: true, query: ofRender, handle: render },
    "images/sign": { method: "POST", handle: (call) => sign(call, deliveryBase) },
  };
}

const anyText = aText("a string", { mayBeEmpty: true });

const ofList = { account: anId, page: optional(anInteger({ min: 1 })) };
const ofOriginal = { account: anId, image: anId };
const optionTexts = Object.fromEntries(optionNames.map((name) => [name, optional(anyText)])) as Readonly<
  Record<(typeof optionNames)[number], Parameter<string | undefined>>
>;
const ofRender = {
  ...optionTexts,
  account: anId,
  image: optional(anyText),
  variant: optional(anyText),
  accept: withDefault(anyText, ""),
};

async function listImages({ edge, query }: DataCall<Edge, typeof ofList>): Promise<ImagesView> {
  const { images } = edge;
  const { account, page } = query;
  const listed = await images.list(account, { page, per_page: 50 });
  const variants = await images.variants.list(account);
  const keys = await images.keys.list(account);
  return {
    images: listed.images.flatMap(viewOfImage),
    total: listed.info.total_count,
    variants: variants.map(viewOfVariant),
    keys: keys.map(({ id }) => id),
  };
}

function viewOfImage({ id, filename = "", original, requireSignedURLs }: ImageRecord): StoredImageView[] {
  if (!original) return [];
  const { type, width, height } = original;
  return [{ id, filename, type, width, height, isSigned: requireSignedURLs }];
}

function viewOfVariant({ id, options, neverRequireSignedURLs: isPublic }: ImageVariantRecord): VariantView {
  return { id, ...options, isPublic };
}

/** The bytes of a stored image. @throws {ApiError | RequestFault} */
async function originalOf({ images, store }: Edge, account: string, id: string): Promise<Uint8Array> {
  const { image } = await images.get(account, id);
  const bytes = image.original && (await store.blobs.get(image.original.blob));
  if (!bytes) throw new RequestFault(404, `The image ${quote(id)} has no original.`);
  return bytes;
}

async function readOriginal(call: DataCall<Edge, typeof ofOriginal>): Promise<Response> {
  const bytes = await originalOf(call.edge, call.query.account, call.query.image);
  return described(call, bytes);
}

/** The file of the request, with its facts. A rejected file is an error with its reason. */
async function validate(call: DataCall): Promise<Response> {
  return described(call, await readBytes(call.request, maxFileBytes));
}

async function described({ edge }: Pick<DataCall, "edge">, bytes: Uint8Array): Promise<Response> {
  const { contentType: type, width, height, frames } = await edge.images.previews.validate(bytes);
  return pictureResponse(bytes, { type, width, height, frames });
}

/** Renders a stored image, or the file of the request, through a stored variant or with options of the request. */
async function render({ edge, query, request }: DataCall<Edge, typeof ofRender>): Promise<Response> {
  const { account, image, accept } = query;
  const file = await readBytes(request, maxFileBytes);
  const options = await readOptions(edge, query);
  const bytes = image === undefined ? file : await originalOf(edge, account, image);
  const start = performance.now();
  const rendered = await edge.images.previews.render(bytes, options, accept);
  const ms = Math.round((performance.now() - start) * 10) / 10;
  const { contentType: type, width, height, frames } = rendered;
  return pictureResponse(rendered.bytes, { type, width, height, frames, ms });
}

async function readOptions(
  { images }: Edge,
  { account, variant, ...given }: QueryOf<typeof ofRender>,
): Promise<VariantOptions> {
  if (variant !== undefined) return (await images.variants.get(account, variant)).options;
  const options = Object.fromEntries(
    optionNames.flatMap((name) => {
      const text = given[name];
      return text === undefined ? [] : [[name, readOption(name, text)]];
    }),
  );
  const [problem] = checkVariantOptions(options, { complete: false });
  if (problem) throw new ApiError(problem);
  return options as VariantOptions;
}

/** Signs with a stored key; its value stays here. */
async function sign({ edge, body }: DataCall, deliveryBase: string): Promise<SignedAddress> {
  const given = objectBody(body);
  const account = stringField(given, "account");
  const { image, hash } = await edge.images.get(account, stringField(given, "image"));
  const { id, neverRequireSignedURLs } = await edge.images.variants.get(
    account,
    stringField(given, "variant"),
  );
  const name = stringField(given, "key");
  const key = (await edge.images.keys.list(account)).find(({ id }) => id === name);
  if (key === undefined) throw new RequestFault(404, `There is no signing key ${quote(name)}.`);
  const expiresAtMs = readExpiry(given["expiresAtMs"]);
  const path = image.id.split("/").map(encodeURIComponent).join("/");
  const expiresAt = expiresAtMs === undefined ? undefined : Math.floor(expiresAtMs / 1000);
  const address = signAddress(`${deliveryBase}/${hash}/${path}/${id}`, key.value, expiresAt);
  const isRequired = image.requireSignedURLs && !neverRequireSignedURLs;
  return { address, isRequired, ...(expiresAtMs !== undefined && { expiresAtMs }) };
}

/** The year 9999 is the last that a calendar shows. */
const maxTimeMs = 253_402_300_799_000;

function readExpiry(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0 && value <= maxTimeMs) return value;
  throw new RequestFault(400, "`expiresAtMs` must be milliseconds since 1970, up to the year 9999.");
}
