/** All use cases of image hosting, over a shared storage of originals and cache of renditions. */
import type { ServiceContext } from "../context.ts";
import type { Clock } from "../time.ts";
import { type BatchTokenService, batchTokenService } from "./batch-tokens.ts";
import { type ImageTransformations, imageTransformations } from "./binding/images-binding.ts";
import { type ImageConfigService, imageConfigService } from "./config.ts";
import { createDecodingMemory, engineLimits } from "./decoding-memory.ts";
import { type DeliveryService, deliveryService } from "./delivery/delivery.ts";
import { type SigningKeyService, signingKeyService } from "./delivery/keys.ts";
import { type PreviewService, previewService } from "./delivery/previews.ts";
import { createRenditions } from "./delivery/renditions.ts";
import { type VariantService, variantService } from "./delivery/variants.ts";
import { type ImageService, imageService } from "./images.ts";
import { type ListingService, listingService } from "./listing/listing.ts";
import { createRenderQueue } from "./render-queue.ts";
import { type DraftService, draftService } from "./uploads/drafts.ts";
import { createOriginalStorage } from "./uploads/original-storage.ts";
import { type TransformationService, transformationService } from "./zones/transformations.ts";
import { type ZoneSettingService, zoneSettingService } from "./zones/zone-settings.ts";

/** Image hosting without HTTP. Every method throws an `ApiError` where the interface rejects a request. */
export interface ImageServices extends ImageService, ListingService, DeliveryService {
  /** Milliseconds since 1970, as the simulator has them. */
  readonly clock: Clock;
  /** Batch tokens. */
  readonly batchTokens: BatchTokenService;
  /** The Images binding without `hosted`, with the limits and the queue of the simulator; `onWarning` as that of `imagesBinding`. */
  binding(onWarning: (message: string) => void): ImageTransformations;
  /** Settings. */
  readonly config: ImageConfigService;
  /** Direct uploads. */
  readonly drafts: DraftService;
  /** Files that are validated and rendered without being stored. */
  readonly previews: PreviewService;
  /** Signing keys. */
  readonly keys: SigningKeyService;
  /** Variants. */
  readonly variants: VariantService;
  /** Transformations of sources of zones. */
  readonly transformations: TransformationService;
  /** Settings of zones that decide on transformations. */
  readonly zoneSettings: ZoneSettingService;
}

export function imageServices(context: ServiceContext): ImageServices {
  const decoding = createDecodingMemory(context.limits);
  const originals = createOriginalStorage(context, decoding);
  const renditions = createRenditions(context.limits.renderedCacheBytes);
  const queue = createRenderQueue(context.limits);
  return {
    ...imageService(context, originals, renditions, decoding),
    ...listingService(context),
    ...deliveryService(context, renditions, decoding, queue),
    clock: context.clock,
    batchTokens: batchTokenService(context),
    binding: (onWarning) =>
      imageTransformations({ limits: engineLimits(context.limits), onWarning }, (pixels, work) =>
        queue.run(() => decoding.run(pixels, work)),
      ),
    config: imageConfigService(context),
    drafts: draftService(context, originals),
    previews: previewService(context, decoding),
    keys: signingKeyService(context),
    variants: variantService(context),
    transformations: transformationService(context, renditions, decoding, queue),
    zoneSettings: zoneSettingService(context),
  };
}
