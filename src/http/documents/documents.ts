/** The documents of all endpoints by id. The type of the ids is that of endpoints: none compiles without a document. */
import { brandDocuments } from "./brand.ts";
import type { EndpointDocument } from "./endpoint-document.ts";
import { imageDocuments } from "./images.ts";
import { proxyDocuments } from "./proxy.ts";
import { rulesetDocuments } from "./rulesets.ts";
import { tokenDocuments } from "./tokens.ts";
import { zoneSettingDocuments } from "./zone-settings.ts";

const serverDocuments = {
  live: {
    description:
      "Reports that the server answers, for probes of liveness: the store is not asked. It needs no credentials.",
    errors: [],
    example: {},
  },
  ready: {
    description:
      "Reports whether the store answers and takes writes, for probes of readiness. It needs no credentials.",
    errors: [],
    example: {},
  },
  health: {
    description: "The same as `/readyz`.",
    errors: [],
    example: {},
  },
  document: {
    description: "Returns this document, with the addresses and names of this server.",
    errors: [],
    example: {},
  },
  "document.origin": {
    description: "Returns this document, with the addresses and names of this server.",
    errors: [],
    example: {},
  },
} as const satisfies Readonly<Record<string, EndpointDocument>>;

const documents = {
  ...tokenDocuments,
  ...rulesetDocuments,
  ...brandDocuments,
  ...imageDocuments,
  ...proxyDocuments,
  ...zoneSettingDocuments,
  ...serverDocuments,
} as const;

/** The id of an endpoint. */
export type EndpointId = keyof typeof documents;

export const endpointDocuments: Readonly<Record<EndpointId, EndpointDocument>> = documents;
