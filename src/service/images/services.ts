/** All use cases of image hosting, over what they share: originals, and images that were rendered. */
import type { ServiceContext } from "../context.ts";
import { type DeliveryService, deliveryService } from "./delivery/delivery.ts";
import { type SigningKeyService, signingKeyService } from "./delivery/keys.ts";
import { createRenditions } from "./delivery/renditions.ts";
import { type VariantService, variantService } from "./delivery/variants.ts";
import { type ImageService, imageService } from "./images.ts";
import { type ListingService, listingService } from "./listing/listing.ts";
import { type DraftService, draftService } from "./uploads/drafts.ts";
import { createOriginals } from "./uploads/original-storage.ts";

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
