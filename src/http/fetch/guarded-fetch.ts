/**
 * Fetches images from the public internet for uploads by `url` (`docs/interface/images.md`, "Upload"): http and
 * https, few redirects, limited size and time. Every address is checked when the connection is made, on the result of
 * the lookup that the connection uses: a name cannot resolve to one address for the check and to another for the connection.
 */
import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { ApiError } from "../../errors.ts";
import type { FetchImage } from "../../service/context.ts";
import { isPublicAddress } from "./public-address.ts";

/** Looks up all addresses of a name; has the signature of `dns.lookup`. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

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

const defaults = { redirects: 3, timeoutMs: 5_000 };

/**
 * A fetch function for `createEdge({ fetchImage })` that only connects to allowed addresses.
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
export function guardedFetchImage(options: GuardedFetchOptions = {}): FetchImage {
  const { redirects, timeoutMs } = { ...defaults, ...options };
  const guard = guardOf(options);
  return async (url, { maxBytes }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await follow(url, redirects, (at) => getOnce(at, guard, signal), maxBytes);
    } catch (error) {
      if (signal.aborted) throw new Error(`it took longer than ${timeoutMs} ms`);
      throw error;
    }
  };
}

interface Guard {
  /** @throws {Error} when the host is an address that is not allowed */
  assertHost(hostname: string): void;
  /** Resolver of the connection: fails unless all addresses of a name are allowed. */
  readonly lookup: LookupFunction;
}

function guardOf({
  allow = isPublicAddress,
  lookup = systemLookup as LookupAll,
}: GuardedFetchOptions): Guard {
  const assertAllowed = (address: string) => {
    if (!allow(address)) throw new Error(`the address ${address} is not in the public internet`);
  };
  return {
    assertHost: (hostname) => {
      if (isIP(hostname)) assertAllowed(hostname);
    },
    lookup: (hostname, options, callback) => {
      lookup(hostname, { all: true }, (error, addresses) => {
        try {
          if (error) throw error;
          for (const { address } of addresses) assertAllowed(address);
          const [first] = addresses;
          if (!first) throw new Error(`the name ${hostname} has no address`);
          if (options.all) callback(null, addresses as { address: string; family: number }[]);
          else callback(null, first.address, first.family);
        } catch (reason) {
          callback(reason as Error, "");
        }
      });
    },
  };
}

type GetOnce = (url: URL) => Promise<IncomingMessage>;

async function follow(url: string, redirects: number, get: GetOnce, maxBytes: number): Promise<Uint8Array> {
  let at = readUrl(url);
  for (let left = redirects; ; left--) {
    const response = await get(at);
    const location = redirectOf(response);
    if (location === undefined) return readImage(response, maxBytes);
    response.destroy();
    if (left <= 0) throw new Error(`it redirects more than ${redirects} times`);
    at = readUrl(location, at);
  }
}

function readUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new Error(`\`${text.slice(0, 80)}\` is not a URL`);
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`the scheme \`${url.protocol.slice(0, -1)}\` is not allowed, it must be http or https`);
  }
  if (url.username !== "" || url.password !== "") throw new Error("the URL must not hold credentials");
  return url;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

/** One request on a connection of its own: nothing is left open, and no proxy is asked. */
async function getOnce(url: URL, guard: Guard, signal: AbortSignal): Promise<IncomingMessage> {
  // The brackets of an IPv6 address are the URL's.
  guard.assertHost(url.hostname.replace(/^\[|\]$/g, ""));
  const options: RequestOptions = {
    agent: false,
    lookup: guard.lookup,
    signal,
    headers: { accept: "image/*", "accept-encoding": "identity", "user-agent": "edgeproof" },
  };
  const start = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    start(url, options, resolve).on("error", reject).end();
  });
}

/** @throws {ApiError} 5413 when there is more than fits */
async function readImage(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const { statusCode, headers } = response;
  try {
    if (statusCode !== 200) throw new Error(`the server answered with status ${statusCode}`);
    if ((headers["content-encoding"] ?? "identity") !== "identity") {
      throw new Error("the server compressed its response, although the request does not accept that");
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError({
    code: 5413,
    pointer: "/url",
    message: `The image at \`url\` must be at most ${maxBytes} bytes; it is larger.`,
  });
}
