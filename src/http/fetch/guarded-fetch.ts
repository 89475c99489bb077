/**
 * Fetches images from the public internet for uploads by `url` (`docs/interface/images.md`, "Upload"): http and
 * https, few redirects, limited size and time.
 */
import type { IncomingMessage } from "node:http";
import { ApiError, problem } from "../../errors.ts";
import type { FetchImage } from "../../service/context.ts";
import { addressGuard, type LookupAll } from "./address-guard.ts";
import { getOnce, readBody, readUrl, readUrlWithCredentials, redirectOf } from "./get.ts";
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

const schemes = ["http", "https"] as const;

const headers = { accept: "image/*" };

const defaults = { redirects: 3, timeoutMs: 5_000 };

/**
 * A fetch function for `createEdge({ fetchImage })` that only connects to allowed addresses. `user:password@` in the URL
 * is sent as HTTP Basic authentication to its origin, and not after a redirect to another.
 *
 * @returns a function that rejects with an Error whose message is the reason, or with an ApiError 5413 for too many
 * bytes
 *
 * @example
 * ```ts
 * const fetchImage = guardedFetchImage();
 * await fetchImage("http://127.0.0.1/a.png", { maxBytes: 1_000 }).catch((e) => e.message);
 * // => "the address 127.0.0.1 is not in the public internet"
 * ```
 */
export function guardedFetchImage(
  options: GuardedFetchOptions = {},
): (...request: Parameters<FetchImage>) => Promise<Uint8Array> {
  const { redirects, timeoutMs } = { ...defaults, ...options };
  const guard = addressGuard({ allow: options.allow, lookup: options.lookup });
  return async (url, { maxBytes }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await follow(
        url,
        redirects,
        (at, own) => getOnce(at, { guard, signal, headers: { ...headers, ...own } }),
        maxBytes,
      );
    } catch (error) {
      if (signal.aborted) throw new Error(`it took longer than ${timeoutMs} ms`);
      throw error;
    }
  };
}

type GetOnce = (url: URL, headers: Readonly<Record<string, string>>) => Promise<IncomingMessage>;

async function follow(url: string, redirects: number, get: GetOnce, maxBytes: number): Promise<Uint8Array> {
  const { url: start, authorization } = splitCredentials(readUrlWithCredentials(url, schemes));
  let at = start;
  let credentials: Record<string, string> = authorization === undefined ? {} : { authorization };
  for (let left = redirects; ; left--) {
    const response = await get(at, credentials);
    const location = redirectOf(response);
    if (location === undefined) return readImage(response, maxBytes);
    response.destroy();
    if (left <= 0) throw new Error(`it redirects more than ${redirects} times`);
    at = readUrl(location, schemes, at);
    // Once another origin has answered, it decides where the redirects lead.
    if (at.origin !== start.origin) credentials = {};
  }
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
