/**
 * Host and path of an absolute URL.
 *
 * Most URLs are in normal form and are split by one regular expression; all others are parsed by `readUrl`, with the same
 * result (a property test).
 */

import { readUrl } from "../../../core/idna/url.ts";
import { normalizeUrlPath, type PathNormalization } from "./url-normalization.ts";

/** The target of a request. Query and port are ignored (`chosen`). */
export interface Target {
  /** Lower case, without port. */
  readonly host: string;
  /** As the zone normalizes it, or as `URL` does: dot segments resolved, unsafe characters percent-encoded. */
  readonly path: string;
}

/**
 * URLs that `readUrl` would not change: a lower-case host whose last label is not a number, no port, and a path
 * without percent signs and without segments that start with a dot.
 */
const normalForm =
  /^https?:\/\/((?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*)((?:\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)?)*)(?:[?#]|$)/;

/** Longer URLs, in code units, skip the regular expression, whose memory use grows with them. */
const maxNormalFormLength = 2048;

/** Labels that only `readUrl` can validate. */
const punycode = "xn--";

/** Reads an absolute http or https URL; undefined for any other string. */
export function readTarget(url: string, normalization: PathNormalization = "none"): Target | undefined {
  const plain = readNormalForm(url);
  const target = plain ?? readWithUrl(url);
  if (normalization === "none" || target === undefined) return target;
  const path = normalizeUrlPath(plain?.path ?? readRawPath(url), normalization);
  return path === target.path ? target : { host: target.host, path };
}

/** Up to the path, then the path. */
const beforePath = /^https?:[/\\]*[^/\\?#]*(?:[/\\]([^?#]*))?/i;

/** The path of a valid URL as it is written; a URL without one has `/`. */
export function readRawPath(url: string): string {
  // The URL standard removes these, and control characters and spaces at both ends.
  const text = trimControls(url.replace(/[\t\n\r]/g, ""));
  return `/${beforePath.exec(text)?.[1] ?? ""}`;
}

function trimControls(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--;
  return text.slice(from, to);
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
  const parts = readUrl(url);
  if (parts?.protocol !== "https:" && parts?.protocol !== "http:") return undefined;
  return { host: parts.hostname.replace(/\.$/, ""), path: parts.pathname };
}

/** A host as in {@link Target}: lower case, punycode, without port; a string that is not a host only in lower case. */
export function normalizeHost(host: string): string {
  const isHost = !/[/?#@\\\s]/.test(host);
  return (isHost ? readTarget(`http://${host}/`)?.host : undefined) ?? host.toLowerCase();
}
