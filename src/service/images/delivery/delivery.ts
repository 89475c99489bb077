/** Delivery: an image through a variant, for every client with the address and, where required, its signature. */

import { aFunction, aString, objectWith, requireArguments } from "../../../core/arguments.ts";
import type { Result } from "../../../core/result.ts";
import { bestFormat } from "../../../engine/images/render/accept.ts";
import { planBox } from "../../../engine/images/render/geometry.ts";
import { planVariant } from "../../../engine/images/render/render.ts";
import type { ReadHeader } from "../../../engine/images/request/client-hints.ts";
import { type RequestedAddress, verifyAddress } from "../../../engine/images/signing.ts";
import type { ImageType } from "../../../engine/images/sniff.ts";
import { type PlannedImage, planImage } from "../../../engine/images/transform/transform-image.ts";
import { ApiError, problem, quote } from "../../../errors.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { ImageRecord, ImageVariantRecord, Original } from "../../../store/records/images.ts";
import type { ServiceContext } from "../../context.ts";
import { accountByHash } from "../account.ts";
import { configOf } from "../config.ts";
import { type DecodingMemory, engineLimits } from "../decoding-memory.ts";
import type { RenderQueue } from "../render-queue.ts";
import { blobPrefix } from "../uploads/original-storage.ts";
import { type FlexibleOptions, isOptionList, readFlexible } from "./flexible.ts";
import { findKeys } from "./key-records.ts";
import { identityOf, type Rendition, type Renditions } from "./renditions.ts";

const aDelivery = objectWith({
  hash: aString,
  image: aString,
  variant: aString,
  segment: aString,
  pathname: aString,
  query: aString,
  header: aFunction,
});

export interface DeliveryRequest extends RequestedAddress {
  /** The account's part of the address, the image's id and the variant's, decoded. */
  readonly hash: string;
  readonly image: string;
  readonly variant: string;
  /** The last segment of the address, as it was sent. */
  readonly segment: string;
  readonly header: ReadHeader;
}

export interface Delivery {
  /** An entity tag (RFC 9110, 8.8.3): of the original, the variant's revision or the options, and the format. */
  readonly etag: string;
  /** Whether the address had to be signed. */
  readonly isPrivate: boolean;
  /** Time that a browser may keep it, in seconds: that of the variant, else of the account. Private ones ignore it. */
  readonly browserTtl: number;
  /** Seconds since 1970 at which a signed address expires; absent when it never does. */
  readonly expiresAt?: number;
  /** Absent when the client already has it. */
  readonly rendition?: Rendition;
  /** Of a flexible variant. */
  readonly flexible?: FlexibleDelivery;
}

/** The effect of a list of options, and the time that it took. */
export interface FlexibleDelivery {
  /** Request headers on which it depends. */
  readonly vary: readonly string[];
  readonly warnings: readonly string[];
  /** Whether it was rendered before. */
  readonly isCached: boolean;
  /** Milliseconds of waiting for other renderings, of reading the original, and of rendering. */
  readonly timings: RenderTimings;
}

interface RenderTimings {
  readonly queueMs: number;
  readonly fetchMs: number;
  readonly renderMs: number;
}

export interface DeliveryService {
  /**
   * @param has whether the client already has the rendition with an entity tag
   * @throws {ApiError} 9401, 9404, 9412, 9413, 9422, 9425, 9429, 9516, 9520, 9522
   */
  deliver(request: DeliveryRequest, has?: (etag: string) => boolean): Promise<Delivery>;
}

const noTime: RenderTimings = { queueMs: 0, fetchMs: 0, renderMs: 0 };

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
    requireArguments({ request: [request, aDelivery], has: [has, aFunction] });
    const resolve = () => store.read((tx) => resolveRequest(context, tx, request));
    const resolved = await resolve();
    const { key, delivery } = resolved;
    if (has(delivery.etag)) return withFacts(resolved, undefined, true);
    const kept = renditions.peek(key);
    if (kept) return withFacts(resolved, kept, true);
    let timings = noTime;
    const start = () =>
      render(resolved, (spent) => {
        timings = spent;
      });
    const rendered = await settled(renditions.get(key, start));
    // Rendering takes time: an image or variant that was deleted or changed meanwhile is not delivered.
    if ((await resolve()).key !== key) return deliver(request, has);
    if ("error" in rendered) throw rendered.error;
    return withFacts(resolved, rendered.value, false, timings);
  }

  return { deliver };
}

function withFacts(
  { delivery, flexible }: ResolvedRequest,
  rendition: Rendition | undefined,
  isCached: boolean,
  timings = noTime,
): Delivery {
  const delivered = rendition ? { ...delivery, rendition } : delivery;
  if (!flexible) return delivered;
  const warnings = [...new Set([...flexible.warnings, ...(rendition?.warnings ?? [])])];
  return { ...delivered, flexible: { vary: flexible.vary, warnings, isCached, timings } };
}

async function settled<T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

/** The image of a request that may be delivered, and how. */
interface ResolvedRequest {
  /** Identifies the rendition. */
  readonly key: string;
  readonly original: Original;
  readonly delivery: Delivery;
  readonly flexible?: FlexibleOptions;
  plan(bytes: Uint8Array): Promise<Result<PlannedImage>>;
}

async function resolveRequest(
  context: ServiceContext,
  tx: ReadTransaction,
  request: DeliveryRequest,
): Promise<ResolvedRequest> {
  const account = await accountByHash(tx, request.hash);
  if (!account) throw missing("account", request.hash);
  const image = await tx.get("images", account.id, request.image);
  if (!image?.original) throw missing("image", request.image);
  const { original } = image;
  const browserTtl = configOf(account).browser_ttl;
  const blob = original.blob.slice(blobPrefix.length);
  const accept = request.header("accept") ?? undefined;
  const limits = engineLimits(context.limits);
  if (isOptionList(request.segment)) {
    const flexible = readFlexible(account, image, request.segment, request.header);
    const { options } = flexible;
    const identity = identityOf(options, accept);
    return {
      key: `${blob}-${identity}`,
      original,
      flexible,
      delivery: { etag: `"cf-${identity}:${blob}"`, isPrivate: false, browserTtl },
      plan: (bytes) =>
        planImage(bytes, [{ transform: options }], options, { accept, place: "address", limits }),
    };
  }
  const variant = await tx.get("image_variants", account.id, request.variant);
  if (!variant) throw missing("variant", request.variant);
  const access = await checkAccess(context, tx, request, image, variant);
  const { options } = variant;
  // Blob keys and an account's revisions are never reused, and each blob belongs to one account.
  const key = `${blob}-${variant.revision}-${formatOf(context, original, variant, accept)}`;
  return {
    key,
    original,
    delivery: { etag: `"${key}"`, ...access, browserTtl: options.browser_ttl ?? browserTtl },
    plan: (bytes) => planVariant(bytes, options, { accept, limits }),
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
  if (type === "svg" || type === "heic") return type;
  const { imageTransformedAnimationPixels, imageAvifSide: avifSide } = context.limits;
  if (frames > 1 && width * height * frames > imageTransformedAnimationPixels) return type;
  const { fit, width: boxWidth, height: boxHeight } = options;
  const { output } = planBox(original, { fit, width: boxWidth, height: boxHeight });
  return bestFormat(accept, { type, frames, side: Math.max(output.width, output.height) }, { avifSide });
}

/** Reads and renders the image of a request in its turn. */
function createRenderer(
  { store, clock }: ServiceContext,
  memory: DecodingMemory,
  queue: RenderQueue,
): (request: ResolvedRequest, onTimed: (timings: RenderTimings) => void) => Promise<Rendition> {
  return ({ original, plan }, onTimed) => {
    const startMs = clock();
    return queue.run(async () => {
      const begunMs = clock();
      const bytes = await store.blobs.get(original.blob);
      if (!bytes) throw new ApiError(problem(9516, "The original of the image is missing."));
      const fetchedMs = clock();
      const rendition = await memory.render(await plan(bytes));
      onTimed({
        queueMs: begunMs - startMs,
        fetchMs: fetchedMs - begunMs,
        renderMs: clock() - fetchedMs,
      });
      return rendition;
    });
  };
}

function missing(kind: string, name: string): ApiError {
  return new ApiError(problem(9404, `There is no ${kind} ${quote(name)}.`));
}
