/** The address from which a request came, and whether it is this machine's own. */
import { isLoopbackAddress } from "../fetch/public-address.ts";

/** Addresses of the connections of requests; requests of this process have none. */
const addresses = new WeakMap<Request, string>();

/** Remembers the address of the connection on which a request came; undefined for a connection that has ended. */
export function rememberPeer(request: Request, address: string | undefined): void {
  addresses.set(request, address ?? "");
}

/** Headers with which proxies name the client; behind one, every connection comes from the proxy's machine. */
const proxyHeaders = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/** Whether a request comes from this process, or from a loopback address without a proxy in between. */
export function isFromThisMachine(request: Request): boolean {
  const address = addresses.get(request);
  if (address === undefined) return true;
  if (proxyHeaders.some((name) => request.headers.has(name))) return false;
  return isLoopbackAddress(address.replace(/^::ffff:/i, ""));
}
