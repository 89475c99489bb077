/**
 * The checks of every request before anything else reads it (`chosen`). Three attackers: a page of another site in the same
 * browser, a name that another site points here (DNS rebinding), and another user of the same machine.
 */

import { isIP } from "node:net";
import { quote } from "../../errors.ts";
import { isAddress } from "../../http/server/addresses.ts";
import { withoutPort } from "../../http/server/allowed-hosts.ts";
import { compileTokenCheck, tokenHeader } from "./session-token.ts";

/** Path below which requests read or change data. */
export const dataPath = "/data/";

/** A request that is answered without being handled. */
export interface GuardRejection {
  /** HTTP status. */
  readonly status: 400 | 403 | 421;
  /** The value found, and the allowed ones. */
  readonly message: string;
}

/** The requests that a guard accepts. */
export interface GuardOptions {
  /** Session token that requests for data must have. */
  readonly token: string;
  /** Host names besides `localhost`, `127.0.0.1` and `[::1]`, without port. */
  readonly hosts: readonly string[];
  /** Whether every IP address is accepted as host: the server listens on all of them. */
  readonly anyAddress: boolean;
}

/** Undefined for a request that may be handled. */
export type Guard = (request: Request) => GuardRejection | undefined;

const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Compiles a guard. */
export function createGuard({ token, hosts, anyAddress }: GuardOptions): Guard {
  const names = new Set([...loopbackHosts, ...hosts].map(hostKey));
  const isOwnHost = (host: string) => names.has(hostKey(host)) || (anyAddress && isAddress(host));
  const isToken = compileTokenCheck(token);
  return (request) => {
    const host = foreignHost(request, isOwnHost);
    if (host !== undefined)
      return { status: 421, message: `The host ${quote(host)} is not one that the workbench answers for.` };
    const origin = foreignOrigin(request);
    if (origin !== undefined)
      return { status: 403, message: `The origin ${quote(origin)} may not send requests to the workbench.` };
    const isData = new URL(request.url).pathname.startsWith(dataPath);
    const site = foreignSite(request, isData);
    if (site !== undefined)
      return {
        status: 403,
        message: `A ${site} request is not allowed; only the workbench's own page may send requests.`,
      };
    if (isData && !isToken(request.headers.get(tokenHeader)))
      return {
        status: 403,
        message: `The header \`${tokenHeader}\` must have the session token, which is after \`#\` in the address that the command printed.`,
      };
    return undefined;
  };
}

/** The host of the header and that of an absolute request target must both be known. */
function foreignHost(request: Request, isOwn: (host: string) => boolean): string | undefined {
  const named = [request.headers.get("host"), new URL(request.url).host];
  return named.find((host) => host !== null && !isOwn(withoutPort(host))) ?? undefined;
}

/** Origin of a page other than the workbench's; `null` is the origin of sandboxed and local pages. */
function foreignOrigin(request: Request): string | undefined {
  const origin = request.headers.get("origin");
  if (origin === null) return undefined;
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return origin.toLowerCase() === `http://${host.toLowerCase()}` ? undefined : origin;
}

/**
 * Browsers report how the page of a request is related to its target. A link elsewhere may open the page, which holds no
 * data; nothing else may come from another site.
 */
function foreignSite({ method, headers }: Request, isData: boolean): string | undefined {
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin") return undefined;
  const isOpening =
    !isData &&
    (method === "GET" || method === "HEAD") &&
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
  return isOpening || (site === "none" && !isData) ? undefined : site;
}

/** Names compare without case and without the final dot of the root. */
function hostKey(host: string): string {
  const key = host.toLowerCase().replace(/\.$/, "");
  return isIP(key) === 6 ? `[${key}]` : key;
}
