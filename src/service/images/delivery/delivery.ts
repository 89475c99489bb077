/** Delivery: an image through a variant, for every client with the address and, where required, its signature. */

import { chooseFormat } from "../../../engine/images/render/accept.ts";
import { planGeometry } from "../../../engine/images/render/geometry.ts";
import { renderVariant } from "../../../engine/images/render/render.ts";
import { type RequestedAddress, verifyAddress } from "../../../engine/images/signing.ts";
import type { ImageType } from "../../../engine/images/sniff.ts";
import { ApiError, problem, quote } from "../../../errors.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { ImageRecord, ImageVariantRecord, Original } from "../../../store/records/images.ts";
import type { ServiceContext } from "../../context.ts";
import { accountByHash } from "../account.ts";
import { configOf } from "../config.ts";
import { type DecodingMemory, engineLimits } from "../decoding-memory.ts";
import type { RenderQueue } from "../render-queue.ts";
import { blobPrefix } from "../uploads/original-storage.ts";
import { findKeys } from "./key-records.ts";
import type { Rendition, Renditions } from "./renditions.ts";

export interface DeliveryRequest extends RequestedAddress {
  /** The account's part of the address, the image's id and the variant's, decoded. */
  readonly hash: string;
  readonly image: string;
  readonly variant: string;
  /** The request's `Accept` header. */
  readonly accept?: string | undefined;
}

export interface Delivery {
  /** An entity tag (RFC 9110, 8.8.3): of the original, the variant's revision and the format. */
  readonly etag: string;
  /** Whether the address had to be signed. */
  readonly isPrivate: boolean;
  /** Time that a browser may keep it, in seconds: that of the variant, else of the account. Private ones ignore it. */
  readonly browserTtl: number;
  /** Seconds since 1970 at which a signed address expires; absent when it never does. */
  readonly expiresAt?: number;
  /** Absent when the client already has it. */
  readonly rendition?: Rendition;
}

export interface DeliveryService {
  /**
   * @param has whether the client already has the rendition with an entity tag
   * @throws {ApiError} 9404, 9412, 9413, 9422, 9425, 9429, 9516, 9522
   */
  deliver(request: DeliveryRequest, has?: (etag: string) => boolean): Promise<Delivery>;
}

export function deliveryService(
  context: ServiceContext,
  renditions: Renditions,
  decoding: DecodingMemory,
  queue: RenderQueue,
): DeliveryService {
  const { store } = context;
  const render = createRenderer(context, decoding, queue);

  async function deliver(
    request: DeliveryRequest,
    has: (etag: string) => boolean = () => false,
  ): Promise<Delivery> {
    const resolve = () => store.read((tx) => resolveRequest(context, tx, request));
    const resolved = await resolve();
    const { key, delivery } = resolved;
    if (has(delivery.etag)) return delivery;
    const kept = renditions.peek(key);
    if (kept) return { ...delivery, rendition: kept };
    const rendered = await settled(renditions.get(key, () => render(resolved)));
    // Rendering takes time: an image or variant that was deleted or changed meanwhile is not delivered.
    if ((await resolve()).key !== key) return deliver(request, has);
    if ("error" in rendered) throw rendered.error;
    return { ...delivery, rendition: rendered.value };
  }

  return { deliver };
}

async function settled<T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

/** The image and variant of a request that may be delivered. */
interface ResolvedRequest {
  /** Identifies the rendition. */
  readonly key: string;
  readonly original: Original;
  readonly options: ImageVariantRecord["options"];
  readonly format: ImageType;
  readonly delivery: Delivery;
}

/** In the last segment of an address: it is a list of options, which no id of a variant can be (observed). */
const optionSign = "=";

async function resolveRequest(
  context: ServiceContext,
  tx: ReadTransaction,
  request: DeliveryRequest,
): Promise<ResolvedRequest> {
  const owner = await accountByHash(tx, request.hash);
  if (!owner) throw missing("account", request.hash);
  const account = owner.id;
  const image = await tx.get("images", account, request.image);
  if (!image?.original) throw missing("image", request.image);
  if (request.variant.includes(optionSign)) {
    throw new ApiError(problem(9429, "Flexible variants are not enabled for the account."));
  }
  const variant = await tx.get("image_variants", account, request.variant);
  if (!variant) throw missing("variant", request.variant);
  const access = await checkAccess(context, tx, request, image, variant);
  const { original } = image;
  const format = formatOf(context, original, variant, request.accept);
  // Blob keys and an account's revisions are never reused, and each blob belongs to one account.
  const key = `${original.blob.slice(blobPrefix.length)}-${variant.revision}-${format}`;
  return {
    key,
    original,
    options: variant.options,
    format,
    delivery: {
      etag: `"${key}"`,
      ...access,
      browserTtl: variant.options.browser_ttl ?? configOf(owner).browser_ttl,
    },
  };
}

/** @throws {ApiError} 9425 */
async function checkAccess(
  { clock }: ServiceContext,
  tx: ReadTransaction,
  request: DeliveryRequest,
  image: ImageRecord,
  variant: ImageVariantRecord,
): Promise<Pick<Delivery, "isPrivate" | "expiresAt">> {
  if (!image.requireSignedURLs || variant.neverRequireSignedURLs) return { isPrivate: false };
  const keys = await findKeys(tx, image.scope);
  const values = keys.map(({ value }) => value);
  const verified = verifyAddress(request, values, clock());
  if (!verified.ok) throw new ApiError(...verified.problems);
  return { isPrivate: true, ...verified.value };
}

/** The format that the engine will produce; an image that is not transformed keeps its own. */
function formatOf(
  context: ServiceContext,
  original: Original,
  { options }: ImageVariantRecord,
  accept: string | undefined,
): ImageType {
  const { type, width, height, frames } = original;
  if (type === "svg") return type;
  const { imageTransformedAnimationPixels, imageAvifSide: avifSide } = context.limits;
  if (frames > 1 && width * height * frames > imageTransformedAnimationPixels) return type;
  const { output } = planGeometry(original, options);
  return chooseFormat(accept, { type, frames, side: Math.max(output.width, output.height) }, { avifSide });
}

/** Renders what waits in a queue. */
function createRenderer(
  { store, limits }: ServiceContext,
  memory: DecodingMemory,
  queue: RenderQueue,
): (request: ResolvedRequest) => Promise<Rendition> {
  return ({ original, options, format }) =>
    queue.run(async () => {
      const bytes = await store.blobs.get(original.blob);
      if (!bytes) throw new ApiError(problem(9516, "The original of the image is missing."));
      const accept = format === original.type ? undefined : `image/${format}`;
      const work = () => renderVariant(bytes, options, { accept, limits: engineLimits(limits) });
      const rendered = await memory.run(largerOf(original, options), work);
      if (!rendered.ok) throw new ApiError(...rendered.problems);
      return { bytes: rendered.value.bytes, contentType: rendered.value.contentType };
    });
}

/** The larger of two sizes: the original, or an enlarged output. An SVG is not decoded. */
function largerOf(original: Original, options: ImageVariantRecord["options"]) {
  const { type, width, height, frames } = original;
  if (type === "svg") return { width: 0, height: 0, frames: 0 };
  const { output } = planGeometry(original, options);
  return output.width * output.height > width * height ? { ...output, frames } : original;
}

function missing(kind: string, name: string): ApiError {
  return new ApiError(problem(9404, `There is no ${kind} ${quote(name)}.`));
}
