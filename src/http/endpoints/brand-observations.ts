/** Endpoints that take observed names and pictures in (`chosen`: the interface has no such endpoint). */
import { ingestReport, observedPictures } from "../../schemas/brand.ts";
import { enveloped } from "../../schemas/envelope.ts";
import { lineTypes, readLines } from "../requests/observed-lines.ts";
import { readPictures } from "../requests/picture-form.ts";
import { type Endpoint, endpointsOf } from "./endpoint.ts";

const { post } = endpointsOf("brand", "brand_protection");
const base = "/accounts/{account_id}/edgeproof/observations";

export const brandObservationEndpoints: readonly Endpoint[] = [
  post({
    id: "brand.observations.names",
    path: `${base}/names`,
    summary: "Store observed names: a name or a record as JSON on each line; only with the option `ingest`",
    takesObservations: true,
    textTypes: lineTypes,
    response: enveloped(ingestReport),
    handle: async ({ request, services, params }) => {
      const lines = await readLines(request, services.limits);
      return { result: await services.brand.ingest.names(params.account_id, lines) };
    },
  }),
  post({
    id: "brand.observations.pictures",
    path: `${base}/pictures`,
    summary: "Store observed pictures, and search them for logos; only with the option `ingest`",
    takesObservations: true,
    form: observedPictures,
    response: enveloped(ingestReport),
    handle: async ({ request, services, params }) => {
      const { signal } = request;
      const records = await readPictures(request, services.limits);
      return { result: await services.brand.ingest.pictures(params.account_id, records, { signal }) };
    },
  }),
];
