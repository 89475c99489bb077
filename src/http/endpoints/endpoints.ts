/** Every endpoint of the interface; each area has its own table. */
import { brandDomainEndpoints } from "./brand-domains.ts";
import { brandLogoEndpoints } from "./brand-logos.ts";
import { brandObservationEndpoints } from "./brand-observations.ts";
import { documentEndpoints } from "./documents.ts";
import type { Endpoint } from "./endpoint.ts";
import { healthEndpoints } from "./health.ts";
import { imageEndpoints } from "./images.ts";
import { imageBindingEndpoints } from "./images-binding.ts";
import { imageDeliveryEndpoints } from "./images-delivery.ts";
import { imageTransformEndpoints } from "./images-transform.ts";
import { proxyEndpoints } from "./proxy.ts";
import { rulesetsEndpoints } from "./rulesets.ts";
import { tokenEndpoints } from "./tokens.ts";
import { zoneEndpoints } from "./zones.ts";

export const endpoints: readonly Endpoint[] = [
  ...zoneEndpoints,
  ...tokenEndpoints,
  ...rulesetsEndpoints,
  ...brandDomainEndpoints,
  ...brandLogoEndpoints,
  ...brandObservationEndpoints,
  ...imageEndpoints,
  ...imageDeliveryEndpoints,
  ...imageTransformEndpoints,
  ...imageBindingEndpoints,
  ...proxyEndpoints,
  ...healthEndpoints,
  ...documentEndpoints(() => endpoints),
];
