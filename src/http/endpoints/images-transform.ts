/** Transformations by address: `/cdn-cgi/image/{options}/{source}` on the hosts of zones, without credentials. */
import { transformedImage } from "../../schemas/images.ts";
import { rawAddress } from "../requests/raw-address.ts";
import { matchesTag } from "../responses/transform-answers.ts";
import { transformationResponse } from "../responses/transformation-response.ts";
import { type Call, type Endpoint, endpoint } from "./endpoint.ts";

/** Path of transformations (`observed`). */
const transformPath = "/cdn-cgi/image";

export const imageTransformEndpoints: readonly Endpoint[] = [
  endpoint({
    id: "images.transform",
    area: "images",
    method: "GET",
    path: `${transformPath}/{transformation+}`,
    mount: "origin",
    takesRawPath: true,
    summary: "Transform an image of a zone",
    response: transformedImage,
    plainTextErrors: "imageErrorHeader",
    passesErrors: true,
    handle: transform,
  }),
];

async function transform({ request, services, wire }: Call<"transformation">): Promise<Response> {
  const { origin, pathname, query } = rawAddress(request);
  const { headers } = request;
  const known = headers.get("if-none-match");
  const outcome = await services.images.transformations.transformAddress({
    origin,
    rest: `${pathname.slice(transformPath.length + 1)}${query === "" ? "" : `?${query}`}`,
    headers,
    has: (etag) => matchesTag(known, etag),
  });
  return transformationResponse(outcome, wire);
}
