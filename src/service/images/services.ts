/** All use cases of image hosting, over what they share: originals, and images that were rendered. */
import type { ServiceContext } from "../context.ts";
import { type DeliveryService, deliveryService } from "./delivery.ts";
import { type DraftService, draftService } from "./drafts.ts";
import { type ImageService, imageService } from "./images.ts";
import { type SigningKeyService, signingKeyService } from "./keys.ts";
import { type ListingService, listingService } from "./listing.ts";
import { createOriginals } from "./originals.ts";
import { createRenditions } from "./renditions.ts";
import { type VariantService, variantService } from "./variants.ts";

export interface ImageServices extends ImageService, ListingService, DeliveryService {
  readonly drafts: DraftService;
  readonly keys: SigningKeyService;
  readonly variants: VariantService;
}

export function imageServices(context: ServiceContext): ImageServices {
  const originals = createOriginals(context);
  const renditions = createRenditions(context.limits.renderedCacheBytes);
  return {
    ...imageService(context, originals, renditions),
    ...listingService(context),
    ...deliveryService(context, renditions),
    drafts: draftService(context, originals),
    keys: signingKeyService(context),
    variants: variantService(context),
  };
}
