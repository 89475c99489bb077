/** The URL of a request as sent, neither decoded nor normalized. */

export interface RawAddress {
  readonly pathname: string;
  /** Query without its question mark; empty when the URL has no query. */
  readonly query: string;
}

export function rawAddress({ url }: Request): RawAddress {
  const [address = ""] = url.split("#", 1);
  const start = address.indexOf("/", address.indexOf("://") + 3);
  const [pathname = "", ...query] = address.slice(start).split("?");
  return { pathname, query: query.join("?") };
}
