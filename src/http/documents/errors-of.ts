/** The error codes of an endpoint: those of its permission, path, query and body, and its own. */
import type { Code } from "../../errors.ts";
import { genericCodes } from "../../service/context.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { endpointDocuments } from "./documents.ts";

/** Of requests with credentials. */
const credentials: readonly Code[] = [6003, 9106, 9109, 10000];

/** In ascending order. Codes of addresses without an endpoint and of the server are not among them. */
export function errorsOf(endpoint: Endpoint): readonly Code[] {
  const { id, area, method, path, permission, request, form, textTypes, query } = endpoint;
  const { invalid, missing } = genericCodes[area];
  const inScope = /\{(?:zone_id|account_id|account_hash)\}/.test(path);
  const codes: readonly (readonly Code[] | false | undefined)[] = [
    [10002, ...endpointDocuments[id].errors],
    !endpoint.takesRawPath && [10400],
    permission !== undefined && credentials,
    (path.includes("{") || query || request || form) && [invalid],
    inScope && [missing],
    method !== "GET" && [10415],
    request && [6007, 9207, 10413],
    textTypes && [9207, 10413],
    endpoint.takesObservations && [7003],
  ];
  return [...new Set(codes.flatMap((some) => some || []))].sort((a, b) => a - b);
}
