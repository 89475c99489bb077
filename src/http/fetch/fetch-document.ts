/** Fetches a JSON document, such as a key set, over https. */

import { type AddressGuard, addressGuard, type LookupAll } from "./address-guard.ts";
import { errorReason } from "./error-reason.ts";
import { getOnce, readBody, readUrl, redirectOf } from "./get.ts";

/** Options of {@link fetchDocument}. */
export interface DocumentFetchOptions {
  /** Whether an IP address may be connected to. Default: those of the public internet. */
  readonly allow?: ((address: string) => boolean) | undefined;
  /** Resolver of host names. Default: the system's. */
  readonly lookup?: LookupAll | undefined;
  /** Certificates in PEM of the authorities to trust. Default: those of Node, `NODE_EXTRA_CA_CERTS` included. */
  readonly ca?: readonly string[] | undefined;
  /** Ends the fetch. */
  readonly signal: AbortSignal;
  /** Maximum size in bytes. Default 1,048,576. */
  readonly maxBytes?: number;
  /** Maximum time of the fetch with all its redirects, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
}

const schemes = ["https"] as const;

const headers = { accept: "application/json" };

const defaults = { maxBytes: 1_048_576, timeoutMs: 10_000 };

/** Maximum number of redirects within the host (`chosen`). */
const maxRedirects = 3;

/**
 * The text at an https address. Redirects are followed within the host only: another one would decide which keys are
 * trusted.
 *
 * @throws {Error} with the reason as its message
 */
export async function fetchDocument(address: string, options: DocumentFetchOptions): Promise<string> {
  const { maxBytes, timeoutMs } = { ...defaults, ...options };
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, options.signal]);
  const guard = addressGuard({ allow: options.allow, lookup: options.lookup });
  try {
    return decode(await follow(readUrl(address, schemes), { ...options, signal, guard, maxBytes }));
  } catch (error) {
    if (timeout.aborted) throw new Error(`it took longer than ${timeoutMs} ms`);
    throw new Error(errorReason(error));
  }
}

interface Following extends DocumentFetchOptions {
  readonly guard: AddressGuard;
  readonly maxBytes: number;
}

async function follow(from: URL, { guard, signal, ca, maxBytes }: Following): Promise<Buffer> {
  let at = from;
  for (let left = maxRedirects; ; left--) {
    const response = await getOnce(at, { guard, signal, ca, headers, mustVerify: true });
    const location = redirectOf(response);
    if (location === undefined && response.statusCode === 200) return readBody(response, maxBytes, tooLarge);
    response.destroy();
    if (location === undefined) throw new Error(`the server answered with status ${response.statusCode}`);
    if (left <= 0) throw new Error(`it redirects more than ${maxRedirects} times`);
    const next = readUrl(location, schemes, at);
    if (next.host !== at.host) throw new Error(`it redirects to another host, ${next.host}`);
    at = next;
  }
}

function tooLarge(maxBytes: number): Error {
  return new Error(`the document is larger than ${maxBytes} bytes`);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("the document is not valid UTF-8");
  }
}
