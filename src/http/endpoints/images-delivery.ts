/** Delivery of images: by address and signature instead of credentials, as plain bytes, with errors as plain text. */

import { decodePercents } from "../../core/text/percent-decoding.ts";
import { ApiError, problem, quote } from "../../errors.ts";
import { transformedImage } from "../../schemas/images.ts";
import type { Delivery, DeliveryRequest } from "../../service/images/delivery/delivery.ts";
import { rawAddress } from "../requests/raw-address.ts";
import {
  imageErrorResponse,
  imageHeaders,
  matchesTag,
  transformResponse,
} from "../responses/transform-answers.ts";
import { wholeResponse } from "../responses/whole-body.ts";
import { type Call, deliveryPath, type Endpoint, endpoint } from "./endpoint.ts";

/** Minimum and maximum lifetime of a private image in a browser, in seconds (`observed`; the maximum is chosen). */
const minPrivateSeconds = 3_600;
const maxPrivateSeconds = 172_800;
/** Time after it in which caches may serve the old image while they fetch a new one, in seconds (`observed`). */
const staleSeconds = 7_200;

export const imageDeliveryEndpoints: readonly Endpoint[] = [
  endpoint({
    id: "images.deliver",
    area: "images",
    method: "GET",
    path: `${deliveryPath}/{path+}`,
    mount: "origin",
    takesRawPath: true,
    crossOrigin: true,
    summary: "Deliver an image through a variant or a list of options",
    response: transformedImage,
    plainTextErrors: "imageErrorHeader",
    handle: deliver,
  }),
];

async function deliver(call: Call<"path">): Promise<Response> {
  try {
    const known = call.request.headers.get("if-none-match");
    const delivery = await call.services.images.deliver(readAddress(call), (etag) => matchesTag(known, etag));
    return respond(delivery, call.services.clock(), call.wire);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return imageErrorResponse(error, call.wire);
  }
}

/** @throws {ApiError} 9401 */
function readAddress({ request, params }: Call<"path">): DeliveryRequest {
  const { pathname, query } = rawAddress(request);
  const sent = params.path.slice(deliveryPath.length + 1).split("/");
  const segments = sent.map(decodeSegment);
  const [hash = "", ...rest] = segments;
  const variant = rest.pop() ?? "";
  const image = rest.join("/");
  if (hash === "" || image === "" || variant === "") {
    throw invalid(
      `The address must have the format \`/{account_hash}/{image_id}/{variant}\`; found ${quote(pathname)}`,
    );
  }
  return {
    hash,
    image,
    variant,
    segment: sent.at(-1) ?? "",
    pathname,
    query,
    header: (name) => request.headers.get(name),
  };
}

function decodeSegment(segment: string): string {
  const decoded = decodePercents(segment);
  if (decoded !== undefined) return decoded;
  throw invalid(`The address must be percent-encoded correctly; found ${quote(segment)}`);
}

function invalid(message: string): ApiError {
  return new ApiError(problem(9401, `${message}.`));
}

function respond(delivery: Delivery, nowMs: number, wire: Call["wire"]): Response {
  const { rendition, etag, flexible } = delivery;
  const directives = cacheControl(delivery, nowMs);
  if (flexible)
    return transformResponse({ ...flexible, image: rendition, etag, cacheControl: directives }, wire);
  const headers = { etag, vary: "Accept", "cache-control": directives };
  if (!rendition) return new Response(null, { status: 304, headers });
  const { bytes, contentType } = rendition;
  return wholeResponse(bytes as Uint8Array<ArrayBuffer>, {
    headers: { ...imageHeaders(bytes, contentType), ...headers },
  });
}

/**
 * Responses to signed addresses are private and ignore the time of variants: a browser may keep them until the signature
 * expires, and at least an hour (`observed`).
 */
function cacheControl({ isPrivate, expiresAt, browserTtl }: Delivery, nowMs: number): string {
  if (!isPrivate) return `public, max-age=${browserTtl}, stale-while-revalidate=${staleSeconds}`;
  const left = expiresAt === undefined ? maxPrivateSeconds : Math.floor(expiresAt - nowMs / 1000);
  return `private, max-age=${Math.max(minPrivateSeconds, Math.min(maxPrivateSeconds, left))}`;
}
