/** Documents of the settings of zones. */
import type { EndpointDocument } from "./endpoint-document.ts";

export const zoneSettingDocuments = {
  "zones.settings.transformations.get": {
    description: "Returns whether `/cdn-cgi/image/` transforms images of the zone.",
    errors: [],
    example: {},
  },
  "zones.settings.transformations.edit": {
    description: "Changes whether `/cdn-cgi/image/` transforms images; the next request follows.",
    errors: [],
    example: { body: { value: "on" } },
  },
  "zones.settings.transformations_allowed_origins.get": {
    description: "Returns the sources of other hosts that the zone transforms.",
    errors: [],
    example: {},
  },
  "zones.settings.transformations_allowed_origins.edit": {
    description: "Replaces the sources of other hosts that the zone transforms.",
    errors: [],
    example: { body: { value: "images.example.org,*.example.net/photos" } },
  },
  "zones.url_normalization.get": {
    description: "Returns how the paths of URLs of the zone are normalized before rules read them.",
    errors: [],
    example: {},
  },
  "zones.url_normalization.replace": {
    description: "Changes how the paths of URLs of the zone are normalized; the next evaluation follows.",
    errors: [],
    example: { body: { type: "cloudflare", scope: "incoming" } },
  },
  "zones.url_normalization.reset": {
    description: "Returns to the default of the profile.",
    errors: [],
    example: {},
  },
} as const satisfies Readonly<Record<string, EndpointDocument>>;
