/** Delivery of images: by address and signature instead of credentials, in plain bytes, with errors of its own form. */

import { svgHeaders } from "../../engine/images/svg/clean-svg.ts";
import { ApiError, type Problem, quote } from "../../errors.ts";
import { bytes } from "../../schemas/envelope.ts";
import type { Delivery, DeliveryRequest } from "../../service/images/delivery/delivery.ts";
import { rawAddress } from "../requests/raw-address.ts";
import { imageTypes } from "../responses/images.ts";
import { type Call, deliveryPath, type Endpoint, endpoint } from "./endpoint.ts";

/** How long caches keep a delivered image, in seconds (`observed`). */
const maxAgeSeconds = 172_800;
const staleSeconds = 7_200;

export const imageDeliveryEndpoints: readonly Endpoint[] = [
  endpoint({
    id: "images.deliver",
    area: "images",
    method: "GET",
    path: `${deliveryPath}/{path+}`,
    mount: "origin",
    takesRawPath: true,
    summary: "Deliver an image through a variant",
    response: bytes(...imageTypes),
    plainTextErrors: true,
    handle: deliver,
  }),
];

async function deliver(call: Call<"path">): Promise<Response> {
  try {
    const known = call.request.headers.get("if-none-match");
    const delivery = await call.services.images.deliver(readAddress(call), (etag) => matches(known, etag));
    return respond(delivery, call.services.clock());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refuse(error, call);
  }
}

/** @throws {ApiError} 9401 */
function readAddress({ request, params }: Call<"path">): DeliveryRequest {
  const { pathname, query } = rawAddress(request);
  const sent = params.path
    .slice(deliveryPath.length + 1)
    .split("/")
    .map(decodeSegment);
  const [hash = "", ...rest] = sent;
  const variant = rest.pop() ?? "";
  const image = rest.join("/");
  if (hash === "" || image === "" || variant === "") {
    throw invalid(
      `The address ${quote(pathname)} is not of the form \`/{account_hash}/{image_id}/{variant}\``,
    );
  }
  return {
    hash,
    image,
    variant,
    pathname,
    query,
    accept: request.headers.get("accept") ?? undefined,
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid(`The address has a malformed percent-encoding in ${quote(segment)}`);
  }
}

function invalid(message: string): ApiError {
  const problem: Problem = { code: 9401, message: `${message}.` };
  return new ApiError(problem);
}

/** RFC 9110, 13.1.2: weak comparison with any of the listed tags. */
function matches(known: string | null, etag: string): boolean {
  if (known === null) return false;
  if (known.trim() === "*") return true;
  return known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

function respond(delivery: Delivery, nowMs: number): Response {
  const { rendition, etag } = delivery;
  const headers = { etag, vary: "Accept", "cache-control": cacheControl(delivery, nowMs) };
  if (!rendition) return new Response(null, { status: 304, headers });
  const { bytes, contentType } = rendition;
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { ...imageHeaders(bytes, contentType), ...headers },
  });
}

/** What every answer with an image carries. */
export function imageHeaders(bytes: Uint8Array, contentType: string): Record<string, string> {
  return {
    "content-type": contentType,
    "content-length": String(bytes.byteLength),
    "x-content-type-options": "nosniff",
    ...(contentType === "image/svg+xml" && svgHeaders),
  };
}

/** A signed address is between its holder and us, and no copy outlives it. */
function cacheControl({ isPrivate, expiresAt }: Delivery, nowMs: number): string {
  if (!isPrivate) return `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleSeconds}`;
  if (expiresAt === undefined) return `private, max-age=${maxAgeSeconds}`;
  const left = Math.floor(expiresAt - nowMs / 1000);
  return `private, max-age=${Math.max(0, Math.min(maxAgeSeconds, left))}`;
}

function refuse({ code, status, message }: ApiError, { wire }: Call): Response {
  const headers = {
    [wire.imageErrorHeader]: `err=${code}`,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return new Response(`ERROR ${code}: ${message}`, { status, headers });
}
