/**
 * Host and path of an absolute address.
 *
 * Most addresses are in normal form already and are cut by one regular expression; all others go through `URL`. Both
 * ways give the same (a law of the tests).
 */

/** Where a request goes. The query and the port play no part (`chosen`). */
export interface Target {
  /** Lower case, without port. */
  readonly host: string;
  /** As `URL` normalises it: dot segments resolved, unsafe characters percent-encoded. */
  readonly path: string;
}

/**
 * Addresses that `URL` would leave as they are: a lower-case host whose last label is no number, no port, and a path
 * without percent signs and without segments that start with a dot.
 */
const normalForm =
  /^https?:\/\/((?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*)((?:\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)?)*)(?:[?#]|$)/;

/** Longer addresses skip the regular expression, whose memory grows with them. */
const maxNormalFormLength = 2048;

/** Labels that only `URL` can judge. */
const punycode = "xn--";

/** Reads an absolute http or https address; undefined when it is none. */
export function readTarget(url: string): Target | undefined {
  return readNormalForm(url) ?? readWithUrl(url);
}

/** The fast way; undefined when the address needs the other one. */
export function readNormalForm(url: string): Target | undefined {
  const found = url.length > maxNormalFormLength ? null : normalForm.exec(url);
  if (found === null) return undefined;
  const host = found[1] as string;
  return host.includes(punycode) ? undefined : { host, path: found[2] || "/" };
}

/** The general way. */
export function readWithUrl(url: string): Target | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  return { host: hostname.replace(/\.$/, ""), path: pathname };
}

/** A host in the form of {@link Target}: lower case, punycode, without port; any other text only in lower case. */
export function normalizeHost(host: string): string {
  const isHost = !/[/?#@\\\s]/.test(host);
  return (isHost ? readWithUrl(`http://${host}/`)?.host : undefined) ?? host.toLowerCase();
}
