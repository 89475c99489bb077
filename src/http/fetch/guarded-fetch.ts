/**
 * Fetches images from the public internet for uploads by `url` and for transformations (`docs/interface/images.md`,
 * "Upload", "Transformations of zones"): http and https, few redirects, limited size and time.
 */

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import {
  aFunction,
  anyObject,
  aString,
  integerFrom,
  optional,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../../core/arguments.ts";
import { ApiError, problem } from "../../errors.ts";
import type { FetchImageRequest } from "../../service/context.ts";
import { addressGuard, type LookupAll } from "./address-guard.ts";
import { type FetchReasons, sourceReasons, uploadReasons } from "./fetch-reasons.ts";
import {
  assertNotCompressed,
  getOnce,
  readBody,
  readUrl,
  readUrlWithCredentials,
  redirectOf,
} from "./get.ts";
import { splitCredentials } from "./url-credentials.ts";

export type { LookupAll };

/** Restrictions of `guardedFetchImage`. */
export interface GuardedFetchOptions {
  /** Whether an IP address may be connected to. Default: those of the public internet. */
  readonly allow?: (address: string) => boolean;
  /** Resolver of host names. Default: the system's. */
  readonly lookup?: LookupAll;
  /** Maximum number of redirects, from 0. Default 3. */
  readonly redirects?: number;
  /** Maximum time of a fetch with all its redirects, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
}

const guardOptions = optionsOf<GuardedFetchOptions>("guardedFetchImage", {
  allow: optional(aFunction),
  lookup: optional(aFunction),
  redirects: optional(integerFrom(0)),
  timeoutMs: optional(integerFrom(1)),
});

const schemes = ["http", "https"] as const;

const headers = { accept: "image/*" };

/** Headers that any origin may have; the others are for the first one only. */
const openHeaders = ["accept", "via"];

/** A fetch function of the public internet. */
export interface GuardedFetchImage {
  /** The response to a request for the source of a transformation, whatever its status; its body is read as it arrives. */
  (url: string, request: FetchImageRequest & Required<Pick<FetchImageRequest, "headers">>): Promise<Response>;
  /** The bytes of an image. */
  (url: string, request: Pick<FetchImageRequest, "maxBytes">): Promise<Uint8Array>;
  (url: string, request: FetchImageRequest): Promise<Uint8Array | Response>;
}

const defaultLimits = { redirects: 3, timeoutMs: 5_000 };

/**
 * A fetch function for `createEdge({ fetchImage })` that only connects to allowed addresses. `user:password@` in the URL
 * is sent as HTTP Basic authentication to its origin, and not after a redirect to another.
 *
 * @returns a function that rejects with an Error whose message is the reason, or with an ApiError: 5413 for too many
 * bytes; 9420, 9421 and 9504 for the source of a transformation
 *
 * @example
 * ```ts
 * const fetchImage = guardedFetchImage();
 * await fetchImage("http://127.0.0.1/a.png", { maxBytes: 1_000 }).catch((e) => e.message);
 * // => "the address 127.0.0.1 is not in the public internet"
 * ```
 */
export function guardedFetchImage(options: GuardedFetchOptions = {}): GuardedFetchImage {
  requireArgument("options", options, guardOptions);
  const { redirects, timeoutMs } = { ...defaultLimits, ...options };
  const guard = addressGuard({ allow: options.allow, lookup: options.lookup });
  const fetchImage = async (url: string, request: FetchImageRequest): Promise<Uint8Array | Response> => {
    requireArguments({ url: [url, aString], request: [request, anyObject] });
    const signal = AbortSignal.timeout(timeoutMs);
    const reasons = request.headers ? sourceReasons : uploadReasons;
    const get: GetOnce = (at, own) => getOnce(at, { guard, signal, headers: { ...headers, ...own } });
    try {
      const response = await follow(url, redirects, get, request.headers ?? {}, reasons);
      return await (request.headers ? toResponse(response) : readImage(response, request.maxBytes));
    } catch (error) {
      if (signal.aborted) throw reasons.tookTooLong(timeoutMs);
      throw error;
    }
  };
  return fetchImage as GuardedFetchImage;
}

type GetOnce = (url: URL, headers: Readonly<Record<string, string>>) => Promise<IncomingMessage>;

async function follow(
  url: string,
  redirects: number,
  get: GetOnce,
  given: Readonly<Record<string, string>>,
  reasons: FetchReasons,
): Promise<IncomingMessage> {
  const { url: start, authorization } = splitCredentials(readUrlWithCredentials(url, schemes));
  const open = Object.fromEntries(Object.entries(given).filter(([name]) => openHeaders.includes(name)));
  let at = start;
  let own: Record<string, string> = { ...given, ...(authorization !== undefined && { authorization }) };
  for (let left = redirects; ; left--) {
    const response = await get(at, own);
    const location = redirectOf(response);
    if (location === undefined) return response;
    response.destroy();
    if (left <= 0) throw reasons.tooManyRedirects(redirects);
    try {
      at = readUrl(location, schemes, at);
    } catch (error) {
      throw reasons.invalidRedirect(error as Error);
    }
    // Once another origin has answered, it decides where the redirects lead.
    if (at.origin !== start.origin) own = open;
  }
}

/** Statuses of responses without a body. */
const withoutBody = [204, 205, 304];

function toResponse(response: IncomingMessage): Response {
  const { statusCode: status = 0, headers: found } = response;
  const kept = ["cache-control", "content-type", "etag"].flatMap((name) => {
    const value = found[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
  if (withoutBody.includes(status)) {
    response.destroy();
    return new Response(null, { status, headers: kept });
  }
  assertNotCompressed(response);
  return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status, headers: kept });
}

/** @throws {ApiError} 5413 when there is more than fits */
async function readImage(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const { statusCode } = response;
  if (statusCode === 200) return readBody(response, maxBytes, tooLarge);
  response.destroy();
  throw new Error(`the server answered with status ${statusCode}`);
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    problem(5413, `The image at \`url\` must be at most ${maxBytes} bytes; it is larger.`, "/url"),
  );
}
