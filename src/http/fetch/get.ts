/** One GET request, and its body within a maximum size. */

import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { chunksUpTo } from "../../core/chunks-up-to.ts";
import { maskText } from "../../core/text/secrets.ts";
import type { AddressGuard } from "./address-guard.ts";

/** Options of {@link getOnce}. */
export interface GetOptions {
  readonly guard: AddressGuard;
  /** Ends the request, and the transfer of the body. */
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates in PEM of the authorities to trust, for https. Default: those of Node, `NODE_EXTRA_CA_CERTS` included. */
  readonly ca?: readonly string[] | undefined;
  /** Whether certificates are verified whatever the environment says (`NODE_TLS_REJECT_UNAUTHORIZED`). Default false. */
  readonly mustVerify?: boolean;
}

/**
 * One request on a connection of its own: nothing is left open, no proxy is asked, and no redirect is followed.
 *
 * @throws {Error} when there is no response, with the reason
 */
export async function getOnce(
  url: URL,
  { guard, signal, headers, ca, mustVerify }: GetOptions,
): Promise<IncomingMessage> {
  guard.assertHost(url.hostname);
  const options: RequestOptions = {
    agent: false,
    lookup: guard.lookup,
    signal,
    headers: { "accept-encoding": "identity", "user-agent": "edgeproof", ...headers },
  };
  const secure = { ...options, ...(mustVerify && { rejectUnauthorized: true }), ...(ca && { ca: [...ca] }) };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:" ? requestHttps(url, secure, resolve) : requestHttp(url, options, resolve);
    request.on("error", reject).end();
  });
}

/** @throws {Error} when the text is not a URL of one of the schemes, or holds credentials */
export function readUrl(text: string, schemes: readonly ("http" | "https")[], base?: URL): URL {
  const url = readUrlWithCredentials(text, schemes, base);
  if (url.username !== "" || url.password !== "") throw new Error("the URL must not hold credentials");
  return url;
}

/** @throws {Error} when the text is not a URL of one of the schemes */
export function readUrlWithCredentials(
  text: string,
  schemes: readonly ("http" | "https")[],
  base?: URL,
): URL {
  if (!URL.canParse(text, base?.href)) throw new Error(`\`${maskText(text).slice(0, 80)}\` is not a URL`);
  const url = new URL(text, base);
  const scheme = url.protocol.slice(0, -1);
  if (!schemes.some((allowed) => allowed === scheme))
    throw new Error(`the scheme \`${scheme}\` is not allowed, it must be ${schemes.join(" or ")}`);
  return url;
}

/** The address that a redirect names; undefined when the response is not a redirect. */
export function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

/** @throws {Error} when the body is compressed, and ends the response */
export function assertNotCompressed(response: IncomingMessage): void {
  if ((response.headers["content-encoding"] ?? "identity") === "identity") return;
  response.destroy();
  throw new Error("the server compressed its response, although the request does not accept that");
}

/**
 * The bytes of the body. The connection is closed afterwards.
 *
 * @param tooLarge creates the error for a body of more than `maxBytes`
 * @throws {Error} when the body is compressed, too large, or incomplete
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  tooLarge: (maxBytes: number) => Error,
): Promise<Buffer> {
  try {
    assertNotCompressed(response);
    const chunks = await chunksUpTo(response, maxBytes);
    if (chunks === undefined) throw tooLarge(maxBytes);
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}
