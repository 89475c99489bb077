/** The URL of a request as sent, neither decoded nor normalized. */

export interface RawAddress {
  /** Scheme and host, such as `https://example.com:8443`. */
  readonly origin: string;
  readonly pathname: string;
  /** Query without its question mark; empty when the URL has no query. */
  readonly query: string;
}

/** Addresses that were read: `Request.url` is put together at every use. */
const known = new WeakMap<Request, RawAddress>();

export function rawAddress(request: Request): RawAddress {
  const address = known.get(request) ?? split(request.url);
  known.set(request, address);
  return address;
}

/** A URL of a request has a scheme, a host and a path, which may be `/` alone. */
function split(url: string): RawAddress {
  const path = url.indexOf("/", url.indexOf("://") + 3);
  const hash = url.indexOf("#", path);
  const end = hash < 0 ? url.length : hash;
  const mark = url.indexOf("?", path);
  const hasQuery = mark >= 0 && mark < end;
  return {
    origin: url.slice(0, path),
    pathname: url.slice(path, hasQuery ? mark : end),
    query: hasQuery ? url.slice(mark + 1, end) : "",
  };
}
