/** Delivery: an image through a variant, to whoever has the address and, where it is asked for, the signature. */

import { createSemaphore } from "../../../core/semaphore.ts";
import { imageLimits } from "../../../engine/images/limits.ts";
import { chooseFormat } from "../../../engine/images/render/accept.ts";
import { planGeometry } from "../../../engine/images/render/geometry.ts";
import { renderVariant } from "../../../engine/images/render/render.ts";
import { type RequestedAddress, verifyAddress } from "../../../engine/images/signing.ts";
import type { ImageType } from "../../../engine/images/sniff.ts";
import { ApiError, type Code, quote } from "../../../errors.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { ImageRecord, ImageVariantRecord, Original } from "../../../store/records/images.ts";
import type { ServiceContext } from "../../context.ts";
import { accountByHash } from "../account.ts";
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
  /** Seconds since 1970 at which a signed address expires; absent when it never does. */
  readonly expiresAt?: number;
  /** Absent when the caller has it already. */
  readonly rendition?: Rendition;
}

export interface DeliveryService {
  /**
   * @param has says whether the caller has what goes by an entity tag
   * @throws {ApiError} 9404, 9412, 9413, 9422, 9425, 9429, 9516
   */
  deliver(request: DeliveryRequest, has?: (etag: string) => boolean): Promise<Delivery>;
}

export function deliveryService(context: ServiceContext, renditions: Renditions): DeliveryService {
  const { store } = context;
  const render = createRenderer(context);

  async function deliver(
    request: DeliveryRequest,
    has: (etag: string) => boolean = () => false,
  ): Promise<Delivery> {
    const resolve = () => store.read((tx) => admit(context, tx, request));
    const admitted = await resolve();
    const { key, delivery } = admitted;
    if (has(delivery.etag)) return delivery;
    const kept = renditions.peek(key);
    if (kept) return { ...delivery, rendition: kept };
    const rendered = await settle(renditions.get(key, () => render(admitted)));
    // It took its time: what was deleted or changed meanwhile is not delivered any more.
    if ((await resolve()).key !== key) return deliver(request, has);
    if ("error" in rendered) throw rendered.error;
    return { ...delivery, rendition: rendered.value };
  }

  return { deliver };
}

async function settle<T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

/** What may be delivered, and the name of its rendering. */
interface Admitted {
  readonly key: string;
  readonly original: Original;
  readonly options: ImageVariantRecord["options"];
  readonly format: ImageType;
  readonly delivery: Delivery;
}

async function admit(
  context: ServiceContext,
  tx: ReadTransaction,
  request: DeliveryRequest,
): Promise<Admitted> {
  const account = (await accountByHash(tx, request.hash))?.id;
  if (account === undefined) throw missing("account", request.hash);
  const image = await tx.get("images", account, request.image);
  if (!image?.original) throw missing("image", request.image);
  const variant = await tx.get("image_variants", account, request.variant);
  if (!variant) throw missing("variant", request.variant);
  const access = await checkAccess(context, tx, request, image, variant);
  const { original } = image;
  const format = formatOf(original, variant, request.accept);
  // Blobs are of one account and never used twice, nor are an account's revisions.
  const key = `${original.blob.slice(blobPrefix.length)}-${variant.revision}-${format}`;
  return { key, original, options: variant.options, format, delivery: { etag: `"${key}"`, ...access } };
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
  const verdict = verifyAddress(request, values, clock());
  if (!verdict.ok) throw new ApiError(verdict.problem);
  const { expiresAt } = verdict;
  return { isPrivate: true, ...(expiresAt !== undefined && { expiresAt }) };
}

/** The format in which the engine will answer: what is not transformed keeps its own. */
function formatOf(
  original: Original,
  { options }: ImageVariantRecord,
  accept: string | undefined,
): ImageType {
  const { type, width, height, frames } = original;
  if (type === "svg") return type;
  if (frames > 1 && width * height * frames > imageLimits.transformedAnimationPixels) return type;
  const { output } = planGeometry(original, options);
  return chooseFormat(accept, { type, frames, pixels: output.width * output.height });
}

/** Renders a few at a time; a bounded number wait for their turn. */
function createRenderer({ store, limits }: ServiceContext): (admitted: Admitted) => Promise<Rendition> {
  const rendering = createSemaphore(limits.concurrentRenders);
  return async ({ original, options, format }) => {
    if (rendering.isFull(limits.queuedRenders)) {
      const message = `${limits.queuedRenders} renderings wait for their turn already; ask again later.`;
      throw new ApiError({ code: 9429, message });
    }
    return rendering.run(async () => {
      const bytes = await store.blobs.get(original.blob);
      if (!bytes)
        throw new ApiError({ code: 9516, message: "The original of the image is not there any more." });
      const accept = format === original.type ? undefined : `image/${format}`;
      const outputPixels = limits.imageOutputPixels;
      const rendered = await renderVariant(bytes, options, { accept, limits: { outputPixels } });
      if (!rendered.ok) throw new ApiError(rendered.problem);
      return { bytes: rendered.bytes, contentType: rendered.contentType };
    });
  };
}

function missing(what: string, name: string): ApiError {
  const code: Code = 9404;
  return new ApiError({ code, message: `There is no ${what} ${quote(name)}.` });
}
