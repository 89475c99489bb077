/**
 * Host and path of an absolute URL.
 *
 * Most URLs are in normal form and are split by one regular expression; all others are parsed by `URL`, with the same
 * result (a property test).
 */

/** The target of a request. Query and port are ignored (`chosen`). */
export interface Target {
  /** Lower case, without port. */
  readonly host: string;
  /** As `URL` normalises it: dot segments resolved, unsafe characters percent-encoded. */
  readonly path: string;
}

/**
 * URLs that `URL` would not change: a lower-case host whose last label is not a number, no port, and a path
 * without percent signs and without segments that start with a dot.
 */
const normalForm =
  /^https?:\/\/((?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*)((?:\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)?)*)(?:[?#]|$)/;

/** Longer URLs, in code units, skip the regular expression, whose memory use grows with them. */
const maxNormalFormLength = 2048;

/** Labels that only `URL` can validate. */
const punycode = "xn--";

/** Reads an absolute http or https URL; undefined for any other string. */
export function readTarget(url: string): Target | undefined {
  return readNormalForm(url) ?? readWithUrl(url);
}

/** The fast path; undefined when the URL needs {@link readWithUrl}. */
export function readNormalForm(url: string): Target | undefined {
  const found = url.length > maxNormalFormLength ? null : normalForm.exec(url);
  if (found === null) return undefined;
  const host = found[1] as string;
  return host.includes(punycode) ? undefined : { host, path: found[2] || "/" };
}

/** The general path. */
export function readWithUrl(url: string): Target | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  return { host: hostname.replace(/\.$/, ""), path: pathname };
}

/** A host as in {@link Target}: lower case, punycode, without port; a string that is not a host only in lower case. */
export function normalizeHost(host: string): string {
  const isHost = !/[/?#@\\\s]/.test(host);
  return (isHost ? readWithUrl(`http://${host}/`)?.host : undefined) ?? host.toLowerCase();
}
